package org.cabrank.lf.dispatch;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Cost of claiming a handle for an event and releasing it, without contention. The claim keeps callbacks of one handle from
 * overlapping, instead of a system call (see {@code DeactivationBenchmark}).
 *
 * <p>Trap: the handle is always in the cache. In a service with many connections, the first access to a handle's state is a
 * cache miss that the handler would have anyway.
 */
@State(Scope.Thread)
public class ClaimBenchmark {
    private final Claim iterative = new Claim(false);
    private final Claim concurrent = new Claim(true);
    private final Claim posted = new Claim(false);
    private int ready = ReadyBits.READ;

    @Benchmark
    public int claimAndRelease() {
        return iterative.claim(ready) + iterative.release();
    }

    /** In a pool of one thread. */
    @Benchmark
    public int claimAloneAndRelease() {
        return iterative.claimAlone(ready) + iterative.release();
    }

    @Benchmark
    public int enterAndLeaveConcurrent() {
        return concurrent.claim(ready) + concurrent.release();
    }

    /** A handle that another thread has posted; without the list of posted handles. */
    @Benchmark
    public int postClaimAndRelease() {
        posted.notePosted(ready);
        return posted.claimPosted() + posted.release();
    }
}
