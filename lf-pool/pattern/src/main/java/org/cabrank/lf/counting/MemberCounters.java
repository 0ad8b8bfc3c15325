package org.cabrank.lf.counting;

/** Counts of all threads that have had one number in a pool. They are kept when a thread leaves, so the counts of the pool never fall. */
public final class MemberCounters {
    public static final int PROCESSED = 0;
    public static final int EAGER_PROMOTIONS = 1;
    public static final int HANDLER_PROMOTIONS = 2;
    public static final int LEAVING_PROMOTIONS = 3;
    public static final int TAKEOVERS = 4;
    public static final int GAPS_OVER_LIMIT = 5;
    public static final int LARGEST_GAP_NS = 6;
    public static final int NESTED_WAITS = 7;
    public static final int NESTING_REFUSALS = 8;
    public static final int RETURN_PROMOTIONS = 9;
    private static final int SIZE = RETURN_PROMOTIONS + 1;

    public final LatencyCounts latency;

    public final PaddedCounts counts = new PaddedCounts(SIZE);

    public MemberCounters(LatencyCounts latency) {
        this.latency = latency;
    }

    public ThreadCounters since(ThreadCounters then) {
        ThreadCounters now = now();
        return new ThreadCounters(
                now.processed() - then.processed(),
                now.promotions() - then.promotions(),
                now.takeovers() - then.takeovers());
    }

    public ThreadCounters now() {
        return new ThreadCounters(
                counts.valueOpaque(PROCESSED),
                counts.valueOpaque(EAGER_PROMOTIONS)
                        + counts.valueOpaque(HANDLER_PROMOTIONS)
                        + counts.valueOpaque(LEAVING_PROMOTIONS)
                        + counts.valueOpaque(RETURN_PROMOTIONS),
                counts.valueOpaque(TAKEOVERS));
    }
}
