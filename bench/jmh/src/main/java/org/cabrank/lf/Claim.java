package org.cabrank.lf;

/** The claim of a handle without anything around it, also for benchmarks outside of this package. */
public final class Claim extends ClaimState {
    /** @param concurrent as in {@link Handle#isConcurrent} */
    public Claim(boolean concurrent) {
        super(concurrent);
    }

    /** One event from end to end. @return what was to be processed: {@code ready} */
    public int claimAndRelease(int ready) {
        return claim(ready) + release();
    }
}
