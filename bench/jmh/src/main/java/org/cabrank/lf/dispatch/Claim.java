package org.cabrank.lf.dispatch;

/** The claim of a handle without anything around it, also for benchmarks outside of this package. */
public final class Claim extends ClaimState {
    /** @param concurrent true: several threads may hold it at once */
    public Claim(boolean concurrent) {
        super(concurrent, 0);
    }

    /** Claims a handle for one event and releases the handle. Returns {@code ready}. */
    public int claimAndRelease(int ready) {
        return claim(ready) + release();
    }
}
