package org.cabrank.bench.scenario;

/**
 * Number and length of measurements, as far as the user sets them; null leaves a value to the plan.
 *
 * @param rounds number of rounds; servers are started anew for each
 * @param slices number of measured intervals of each server in each cell of a round
 * @param warmupNs minimum load time in ns on a server that was just started
 * @param durationNs length of a measured interval in ns
 */
public record MeasuringPace(Integer rounds, Integer slices, Long warmupNs, Long durationNs) {

    /** All is left to the plan. */
    public static final MeasuringPace PLANNED = new MeasuringPace(null, null, null, null);

    private static final int TIMES_MAX = 1_000;

    public MeasuringPace {
        check("rounds", rounds);
        check("slices", slices);
        if (durationNs != null && durationNs <= 0) {
            throw new IllegalArgumentException("the duration is zero: nothing would be measured");
        }
    }

    private static void check(String what, Integer times) {
        if (times != null && (times < 1 || times > TIMES_MAX)) {
            throw new IllegalArgumentException(what + " is " + times + ", expected 1 to " + TIMES_MAX);
        }
    }
}
