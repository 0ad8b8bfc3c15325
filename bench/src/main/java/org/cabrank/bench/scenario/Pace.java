package org.cabrank.bench.scenario;

/**
 * How often and how long everything is measured, as far as the user says so; null where he leaves it to the plan.
 *
 * @param rounds servers are started anew for each
 * @param slices measured intervals of each server in each cell of a round
 * @param warmupNs load on a server that was just started, at least
 * @param durationNs a measured interval
 */
public record Pace(Integer rounds, Integer slices, Long warmupNs, Long durationNs) {

    /** All is left to the plan. */
    public static final Pace PLANNED = new Pace(null, null, null, null);

    private static final int TIMES_MAX = 1_000;

    public Pace {
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
