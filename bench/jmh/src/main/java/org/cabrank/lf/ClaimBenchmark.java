package org.cabrank.lf;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What does it cost to claim a handle for an event and to let it go, when nobody else wants it? That is what keeps callbacks for
 * one handle from overlapping, in the place of a system call (see {@code DeactivationBenchmark}).
 *
 * <p>Trap: one handle is always in the cache. In a service with many connections the first access to a handle's state is a
 * cache miss, of which the claim is not the cause: its handler would have it.
 */
@State(Scope.Thread)
public class ClaimBenchmark {
    private final Claim iterative = new Claim(false);
    private final Claim concurrent = new Claim(true);
    private final Claim posted = new Claim(false);
    private int ready = Ready.READ;

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

    /** As when another thread has something to do for a handle; without the list on which it stands meanwhile. */
    @Benchmark
    public int postClaimAndRelease() {
        posted.notePosted(ready);
        return posted.claimPosted() + posted.release();
    }
}
