package org.cabrank.bench.handler;

import java.util.Locale;
import java.util.random.RandomGenerator;

/** Distribution of the times for which slow requests block, with a given mean. */
public enum TimeSpread {

    /** All block for the mean. */
    CONSTANT {
        @Override
        public double draw(RandomGenerator random) {
            return 1;
        }
    },

    /** Exponentially distributed. */
    EXPONENTIAL {
        @Override
        public double draw(RandomGenerator random) {
            return -Math.log1p(-random.nextDouble());
        }
    },

    /** One in {@link #LONG_IN} blocks for {@link #LONG_TIMES} as long as the other requests. */
    BIMODAL {
        @Override
        public double draw(RandomGenerator random) {
            return random.nextInt(LONG_IN) == 0 ? LONG_TIMES * SHORT : SHORT;
        }

        /**
         * Percentile 99.5, in the middle of the long requests. Percentile 99 is exactly on the step from short to long requests,
         * where a sample with a few long requests more or fewer has a time that is up to {@link #LONG_TIMES} times as long.
         */
        @Override
        public double tailPercentile() {
            return BIMODAL_TAIL;
        }
    };

    /** In {@link #BIMODAL}, one of so many requests is long. */
    public static final int LONG_IN = 100;

    /** In {@link #BIMODAL}, a long request takes so many times as long as a short one. */
    public static final int LONG_TIMES = 100;

    /** In {@link #BIMODAL}, the time of a short request as a share of the mean. */
    private static final double SHORT = LONG_IN / (LONG_IN - 1.0 + LONG_TIMES);

    private static final double TAIL = 99;
    private static final double BIMODAL_TAIL = 99.5;

    /** Returns a time as a multiple of the mean. */
    public abstract double draw(RandomGenerator random);

    /** Percentile by which the longest latencies under such times are judged. */
    public double tailPercentile() {
        return TAIL;
    }

    /** Name on the command line and in reports: {@code exponential}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
