package org.cabrank.bench.live;

import java.util.List;
import org.cabrank.lf.observe.Contention;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.stream.ShardBalance;

/**
 * Figures of the live view. Rates are per second in the last interval; the period of other figures is given with each.
 *
 * @param uptimeNs time since the first reading
 * @param requests number of requests since the start of the server, as are other totals
 * @param history requests per second of each interval, the latest last
 * @param latency latencies of the events of the window
 * @param windowNs length of the window in ns
 * @param promotions promotions: a leader names its successor before it processes an event
 * @param takeovers takeovers: a follower replaces a leader whose handler is slow
 * @param gapsOverLimit number of gaps in watching that exceeded the limit
 * @param cpuWaitShare share of the window in which a runnable thread of the machine had no CPU
 * @param balance distribution of the last interval over the shards; connections are those open now
 */
record LiveFigures(
        long uptimeNs,
        long requests,
        double requestsPerS,
        List<Double> history,
        LatencyCounters latency,
        long windowNs,
        long connections,
        double openedPerS,
        double closedPerS,
        double eventsPerS,
        double receivedBytesPerS,
        double sentBytesPerS,
        Change promotions,
        Change takeovers,
        Change failedTakeovers,
        long gapsOverLimit,
        long largestGapNs,
        long failures,
        List<OfShard> shards,
        ShardBalance balance,
        List<OfThread> threads,
        List<OfPool> pools,
        double cpuWaitShare) {

    /** Share of the time from which on figures tell of the lack of CPU time, and not of the pool. */
    private static final double STARVED_SHARE = 0.5;

    /** @param total since the start */
    record Change(long total, double perS) {}

    /** A shard, and its own part. */
    record OfShard(int shard, long connections, double eventsPerS, double receivedBytesPerS, double sentBytesPerS) {}

    /**
     * A thread of a pool.
     *
     * @param role description of the thread's role
     * @param leads true if the thread leads its shard, also while it processes an event
     */
    record OfThread(String name, String role, boolean leads, double handledPerS, long promotions, long takeovers) {}

    /** @param contention in the window */
    record OfPool(String name, Contention contention) {}

    /** Returns true if every thread has a loop of its own, without a successor for its leadership. */
    boolean isOfOwnLoops() {
        return threads.stream().allMatch(thread -> thread.role().startsWith(Roles.OWN_LOOP));
    }

    /** Returns true if threads wait for CPUs so often that advice on pools would mislead. */
    boolean isStarved() {
        return cpuWaitShare >= STARVED_SHARE;
    }

    /** The most requests per second of any interval in the history. */
    double peak() {
        return history.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
}
