package org.cabrank.bench.report.statistics;

/** Verdict on a contender measured against another. */
public enum Verdict {
    BETTER,
    WORSE,

    /** The interval spans 1, or the difference is no larger than the one between the baseline and itself. */
    NO_DIFFERENCE_SEEN,

    TOO_FEW_PAIRS;

    /**
     * Returns the verdict on {@code ratio}.
     *
     * @param noise the interval of the baseline against itself in the same cell; null if not measured
     * @param moreIsBetter true if a ratio above 1 is better
     */
    public static Verdict of(Interval ratio, Interval noise, boolean moreIsBetter) {
        if (!ratio.known()) {
            return TOO_FEW_PAIRS;
        }
        if (ratio.spansOne() || within(noise, ratio.median())) {
            return NO_DIFFERENCE_SEEN;
        }
        return ratio.median() > 1 == moreIsBetter ? BETTER : WORSE;
    }

    private static boolean within(Interval noise, double ratio) {
        return noise != null && noise.known() && Math.max(ratio, 1 / ratio) <= noise.farthestFromOne();
    }
}
