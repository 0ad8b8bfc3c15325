package org.cabrank.lf;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What does a claim cost when two threads, on two cores, have events for one handle at the same time?
 *
 * <p>{@code iterative}: who comes second notes its event and goes on, and the holder goes round once more. {@code concurrent}:
 * both enter. An operation is an event reported, whoever processes it.
 *
 * <p>Trap: no event takes any time here, so the threads meet at nearly each. In a pool they meet as seldom as the kernel reports a
 * handle again while it is processed.
 */
@State(Scope.Group)
public class ContendedClaimBenchmark {
    private final Claim iterative = new Claim(false);
    private final Claim concurrent = new Claim(true);
    private int ready = Ready.READ;

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
