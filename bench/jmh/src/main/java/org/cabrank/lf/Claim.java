package org.cabrank.lf;

/** The claim of a handle without anything around it, also for benchmarks outside of this package. */
public final class Claim extends ClaimState {
    /** @param concurrent as in {@link Handle#isConcurrent} */
    public Claim(boolean concurrent) {
        super(concurrent);
    }

    /** Claims a handle for one event and releases the handle. Returns {@code ready}. */
    public int claimAndRelease(int ready) {
        return claim(ready) + release();
    }
}
