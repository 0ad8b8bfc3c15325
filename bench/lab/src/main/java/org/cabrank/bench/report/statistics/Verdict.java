package org.cabrank.bench.report.statistics;

/** Result of a comparison of two contenders. */
public enum Verdict {
    BETTER("better"),
    WORSE("worse"),

    /** If there is a difference, it is smaller than {@link #TOLD}. */
    NO_DIFFERENCE_SEEN("no difference seen"),

    /** The noise may hide a difference larger than {@link #TOLD}. */
    CANNOT_TELL("cannot tell"),

    TOO_FEW_PAIRS("too few pairs");

    /** A bench should show differences of at least this factor. */
    public static final double TOLD = 1.05;

    private final String word;

    Verdict(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    public boolean differs() {
        return this == BETTER || this == WORSE;
    }

    /** {@code noise} is the ratio of the baseline's second run to its first run, or null if there is no second run. */
    public static Verdict of(Interval ratio, Interval noise, boolean moreIsBetter) {
        if (!ratio.known()) {
            return TOO_FEW_PAIRS;
        }
        if (ratio.spansOne() || within(noise, ratio.median())) {
            return hidden(ratio, noise) <= TOLD ? NO_DIFFERENCE_SEEN : CANNOT_TELL;
        }
        return ratio.median() > 1 == moreIsBetter ? BETTER : WORSE;
    }

    /** Returns the largest difference that the measurement may have hidden, as a factor of at least 1. */
    public static double hidden(Interval ratio, Interval noise) {
        double own = ratio.farthestFromOne();
        return noise == null || !noise.known() ? own : Math.max(own, noise.farthestFromOne());
    }

    private static boolean within(Interval noise, double ratio) {
        return noise != null && noise.known() && Math.max(ratio, 1 / ratio) <= noise.farthestFromOne();
    }
}
