package org.cabrank.lf.dispatch;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Cost of a claim when two threads, on two cores, have events for one handle at the same time.
 *
 * <p>{@code iterative}: the second thread notes its event and continues, and the claim holder processes that event as well.
 * {@code concurrent}: both threads process. An operation is an event reported, whichever thread processes it.
 *
 * <p>Trap: events take no time here, so the threads meet at nearly every event. In a pool they meet only when the kernel
 * reports a handle again while it is being processed, which is rare.
 */
@State(Scope.Group)
public class ContendedClaimBenchmark {
    private final Claim iterative = new Claim(false);
    private final Claim concurrent = new Claim(true);
    private int ready = ReadyBits.READ;

    @Benchmark
    @Group("iterative")
    public int oneIterative() {
        return process(iterative);
    }

    @Benchmark
    @Group("iterative")
    public int otherIterative() {
        return process(iterative);
    }

    @Benchmark
    @Group("concurrent")
    public int oneConcurrent() {
        return process(concurrent);
    }

    @Benchmark
    @Group("concurrent")
    public int otherConcurrent() {
        return process(concurrent);
    }

    private int process(Claim claim) {
        int rounds = 0;
        for (int due = claim.claim(ready); due != 0; due = claim.release()) {
            rounds++;
        }
        return rounds;
    }
}
