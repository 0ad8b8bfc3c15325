package org.cabrank.bench.live;

import java.util.List;
import org.cabrank.lf.Contention;
import org.cabrank.lf.LatencyCounters;
import org.cabrank.stream.ShardBalance;

/**
 * What is shown: rates are of the last interval, per second; the others say of what they are.
 *
 * @param uptimeNs since the first reading
 * @param requests of the whole life, likewise what has no other name for it
 * @param history requests per second, an entry for each interval, the latest last
 * @param latency of the events of the window
 * @param windowNs how long that was
 * @param promotions hand-overs to a follower by a leader that went on to process
 * @param depositions takeovers from a leader that processed for too long
 * @param gapsOverLimit those that came too late
 * @param balance of the last interval, but for the connections, which are those that stand
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
        Change depositions,
        Change failedTakeovers,
        long gapsOverLimit,
        long largestGapNs,
        long failures,
        List<OfShard> shards,
        ShardBalance balance,
        List<OfThread> threads,
        List<OfPool> pools) {

    /** @param total since the start */
    record Change(long total, double perS) {}

    /** A shard, and its own part. */
    record OfShard(int shard, long connections, double eventsPerS, double receivedBytesPerS, double sentBytesPerS) {}

    /**
     * A thread of a pool.
     *
     * @param role in words
     * @param leads it is the one that watches for its shard, or would if it did not process
     */
    record OfThread(String name, String role, boolean leads, double handledPerS, long promotions, long depositions) {}

    /** @param contention in the window */
    record OfPool(String name, Contention contention) {}

    /** Whether there is nobody to pass leadership on to. */
    boolean isOfOwnLoops() {
        return threads.stream().allMatch(thread -> thread.role().startsWith(Roles.OWN_LOOP));
    }

    /** The most requests per second of any interval in the history. */
    double peak() {
        return history.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
}
