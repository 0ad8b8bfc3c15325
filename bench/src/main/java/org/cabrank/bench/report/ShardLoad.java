package org.cabrank.bench.report;

import java.util.List;
import java.util.stream.IntStream;
import org.cabrank.lf.Contention;
import org.cabrank.lf.Imbalance;
import org.cabrank.lf.LeadershipCounters;
import org.cabrank.lf.PoolConfig;

/**
 * What one shard of a server has come to: since its start, or in the measured interval.
 *
 * @param connections that it serves at the end of it
 * @param receivedBytes of its connections
 * @param events that the kernel reported to it
 * @param handled calls of handlers
 * @param promotions hand-overs of leadership before an event is processed
 * @param takeovers by a standby from a leader that processed for too long
 * @param handOvers leaderships that followers were given
 * @param handOverWaitNs how long nobody watched because of that
 * @param failedTakeovers of a standby that was overtaken by the leader's return
 * @param wakeups of followers that slept
 * @param lockWaits hand-overs and arrivals that found the lock of the followers' line taken
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

    private static final PoolConfig DEFERRED = PoolConfig.of("shard", 2);

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

    /** What each has come to from {@code earlier} to {@code later}, in the order of the shards. */
    public static List<ShardLoad> since(List<ShardLoad> later, List<ShardLoad> earlier) {
        return IntStream.range(0, later.size())
                .mapToObj(shard -> later.get(shard).since(earlier.get(shard)))
                .toList();
    }

    /** What passing leadership on has cost it in an interval of that length; the promotion is deferred. */
    public Contention contention(long elapsedNs) {
        LeadershipCounters before = new LeadershipCounters(0, 0, 0, 0, 0, 0, 0);
        LeadershipCounters after = new LeadershipCounters(
                elapsedNs, handled, handOvers, handOverWaitNs, failedTakeovers, wakeups, lockWaits);
        return Contention.between(before, after, DEFERRED);
    }

    /** What the shard that received the most did, in terms of the mean; NaN where no shard was told of. */
    public static double byteImbalance(List<ShardLoad> shards) {
        return imbalance(shards.stream().mapToLong(ShardLoad::receivedBytes).toArray());
    }

    /** The connections of the shard that had the most, in terms of the mean; NaN where no shard was told of. */
    public static double connectionImbalance(List<ShardLoad> shards) {
        return imbalance(shards.stream().mapToLong(ShardLoad::connections).toArray());
    }

    private static double imbalance(long... each) {
        return each.length == 0 ? Double.NaN : Imbalance.of(each).ratio();
    }
}
