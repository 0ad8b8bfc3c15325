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
    };

    /** In {@link #BIMODAL}, one of so many requests is long. */
    public static final int LONG_IN = 100;

    /** In {@link #BIMODAL}, a long request takes so many times as long as a short one. */
    public static final int LONG_TIMES = 100;

    /** In {@link #BIMODAL}, the time of a short request as a share of the mean. */
    private static final double SHORT = LONG_IN / (LONG_IN - 1.0 + LONG_TIMES);

    /** Returns a time as a multiple of the mean. */
    public abstract double draw(RandomGenerator random);

    /** Name on the command line and in reports: {@code exponential}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
