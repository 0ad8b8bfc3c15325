package org.cabrank.lf;

/**
 * What the threads that have a number in a pool, one after the other, have done. Kept when a thread leaves, so that the
 * pool's counts can be read without a lock and never fall. Written by the thread that has the number.
 */
final class MemberCounters {
    static final int PROCESSED = 0;
    static final int EAGER_PROMOTIONS = 1;
    static final int HANDLER_PROMOTIONS = 2;
    static final int LEAVING_PROMOTIONS = 3;
    static final int DEPOSITIONS = 4;
    static final int GAPS_OVER_LIMIT = 5;
    static final int LARGEST_GAP_NS = 6;
    static final int NESTED_WAITS = 7;
    static final int NESTING_REFUSALS = 8;
    static final int RETURN_PROMOTIONS = 9;
    private static final int SIZE = RETURN_PROMOTIONS + 1;

    /** Null: not measured. */
    final LatencyCounts latency;

    /** By the numbers above. */
    final PaddedCounts counts = new PaddedCounts(SIZE);

    MemberCounters(LatencyCounts latency) {
        this.latency = latency;
    }

    /** For a thread: what it has done since it had the number, if this is what had been counted then. */
    ThreadCounters since(ThreadCounters then) {
        ThreadCounters now = now();
        return new ThreadCounters(
                now.processed() - then.processed(),
                now.promotions() - then.promotions(),
                now.depositions() - then.depositions());
    }

    ThreadCounters now() {
        return new ThreadCounters(
                counts.valueOpaque(PROCESSED),
                counts.valueOpaque(EAGER_PROMOTIONS)
                        + counts.valueOpaque(HANDLER_PROMOTIONS)
                        + counts.valueOpaque(LEAVING_PROMOTIONS)
                        + counts.valueOpaque(RETURN_PROMOTIONS),
                counts.valueOpaque(DEPOSITIONS));
    }
}
