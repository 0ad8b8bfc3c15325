package org.cabrank.bench.report;

import java.util.List;
import java.util.stream.IntStream;
import org.cabrank.lf.observe.Contention;
import org.cabrank.lf.observe.Imbalance;
import org.cabrank.lf.observe.LeadershipCounters;

/**
 * Load of one shard of a server: since its start, or in the measured interval.
 *
 * @param connections number of connections at the end
 * @param receivedBytes bytes received from its connections
 * @param events number of events that the kernel reported
 * @param handled number of handler calls
 * @param promotions number of promotions, in which a leader names its successor before it processes an event
 * @param takeovers number of takeovers, in which a follower replaces a leader whose handler is slow
 * @param handOvers number of followers that became leader
 * @param handOverWaitNs total time in ns without a watching thread because of these
 * @param failedTakeovers number of takeovers that failed because the leader returned first
 * @param wakeups number of wakeups of sleeping followers
 * @param lockWaits number of hand-overs and arrivals that found the lock of the followers' line taken
 */
public record ShardLoad(
        long connections,
        long receivedBytes,
        long events,
        long handled,
        long promotions,
        long takeovers,
        long handOvers,
        long handOverWaitNs,
        long failedTakeovers,
        long wakeups,
        long lockWaits) {

    private ShardLoad since(ShardLoad earlier) {
        return new ShardLoad(
                connections,
                receivedBytes - earlier.receivedBytes,
                events - earlier.events,
                handled - earlier.handled,
                promotions - earlier.promotions,
                takeovers - earlier.takeovers,
                handOvers - earlier.handOvers,
                handOverWaitNs - earlier.handOverWaitNs,
                failedTakeovers - earlier.failedTakeovers,
                wakeups - earlier.wakeups,
                lockWaits - earlier.lockWaits);
    }

    /** Differences between {@code earlier} and {@code later} for each shard, in order. */
    public static List<ShardLoad> since(List<ShardLoad> later, List<ShardLoad> earlier) {
        return IntStream.range(0, later.size())
                .mapToObj(shard -> later.get(shard).since(earlier.get(shard)))
                .toList();
    }

    /** Cost of passing leadership on in an interval of {@code elapsedNs} ns, with deferred promotion. */
    public Contention contention(long elapsedNs) {
        LeadershipCounters before = new LeadershipCounters(0, 0, 0, 0, 0, 0, 0);
        LeadershipCounters after = new LeadershipCounters(
                elapsedNs, handled, handOvers, handOverWaitNs, failedTakeovers, wakeups, lockWaits);
        return Contention.between(before, after, false);
    }

    /** Bytes received by the busiest shard, relative to the mean of all shards; NaN without shards. */
    public static double byteImbalance(List<ShardLoad> shards) {
        return imbalance(shards.stream().mapToLong(ShardLoad::receivedBytes).toArray());
    }

    /** Connections of the shard with the most, relative to the mean of all shards; NaN without shards. */
    public static double connectionImbalance(List<ShardLoad> shards) {
        return imbalance(shards.stream().mapToLong(ShardLoad::connections).toArray());
    }

    private static double imbalance(long... each) {
        return each.length == 0 ? Double.NaN : Imbalance.of(each).ratio();
    }
}
