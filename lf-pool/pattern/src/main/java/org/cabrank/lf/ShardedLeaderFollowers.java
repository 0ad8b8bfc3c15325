package org.cabrank.lf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.leadership.Deadlines;
import org.cabrank.lf.leadership.Parking;
import org.cabrank.lf.leadership.Watcher;
import org.cabrank.lf.observe.Imbalance;
import org.cabrank.lf.observe.Liveness;
import org.cabrank.lf.observe.PoolCounters;

/**
 * Shards: M handle sets, each with a leader, served by one shared pool, by a pool for each set, or by one thread for each set.
 * <pre>
 *   1 × N   one handle set, N threads that take turns
 *   M × N   M handle sets with N threads each, and a promotion word each
 *   M × 1   one reactor for each thread: no promotion word, no lock, no watcher
 *   M : N   M handle sets, one group of N threads for all of them ({@link #sharing})
 * </pre>
 * <p>Handles stay in the set that they are registered in, so shards share only data that handlers share. All methods may be called by any
 * thread.
 */
public final class ShardedLeaderFollowers implements AutoCloseable {
    private final List<LeaderFollowersPool> pools;
    private final int shards;

    private ShardedLeaderFollowers(List<LeaderFollowersPool> pools, int shards) {
        this.pools = List.copyOf(pools);
        this.shards = shards;
    }

    /**
     * A pool for each shard, with {@code -sSHARD} added to the name in {@code each}. Growing pools add at most 64 threads in all. A shard
     * may use the processors of {@link ShardPlacement#cpus}; every processor if empty. No other pool may serve the {@code sets}.
     */
    public static ShardedLeaderFollowers separate(
            List<? extends HandleSet> sets, PoolConfig each, ShardPlacement placement) {
        Objects.requireNonNull(each, "each");
        Objects.requireNonNull(placement, "placement");
        List<LeaderFollowersPool> pools = new ArrayList<>();
        Watcher watcher = new Watcher(each.name(), Parking.SYSTEM);
        Growth growth = new Growth();
        for (int i = 0; i < sets.size(); i++) {
            int shard = i;
            PoolConfig config =
                    placed(each.withName(each.name() + "-s" + shard), thread -> placement.place(shard, thread));
            int processors = Growth.processors(placement.cpus(shard));
            pools.add(placement.make(
                    shard,
                    () -> new LeaderFollowersPool(
                            List.of(sets.get(shard)), config, Parking.SYSTEM, watcher, growth, processors)));
        }
        return new ShardedLeaderFollowers(pools, sets.size());
    }

    /** One pool for all shards: see {@link LeaderFollowersPool#LeaderFollowersPool(List, PoolConfig)}. */
    public static ShardedLeaderFollowers sharing(
            List<? extends HandleSet> sets, PoolConfig all, ShardPlacement placement) {
        Objects.requireNonNull(placement, "placement");
        PoolConfig config = placed(all, thread -> placement.place(ShardPlacement.ALL_SHARDS, thread));
        return new ShardedLeaderFollowers(List.of(new LeaderFollowersPool(sets, config)), sets.size());
    }

    private static PoolConfig placed(PoolConfig config, IntConsumer place) {
        return config.withOnThreadStart(place.andThen(config.onThreadStart()));
    }

    /** Starts every shard. Throws like {@link LeaderFollowersPool#start}, after all pools were stopped and their threads have left. */
    public void start() {
        try {
            pools.forEach(LeaderFollowersPool::start);
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    /** The pools: one for each shard, or one for all shards. Never changes. */
    public List<LeaderFollowersPool> pools() {
        return pools;
    }

    public int shards() {
        return shards;
    }

    /** Number of the shard that the calling thread leads, follows or processes an event of; -1 if it takes part in none. */
    public int shardOfCaller() {
        for (int pool = 0; pool < pools.size(); pool++) {
            Member caller = pools.get(pool).currentMember();
            if (caller != null) {
                return pools.size() == 1 ? caller.leads : pool;
            }
        }
        return -1;
    }

    public Liveness liveness(Duration limit) {
        Objects.requireNonNull(limit, "limit");
        Liveness all = Liveness.LIVE;
        for (LeaderFollowersPool pool : pools) {
            all = all.plus(pool.liveness(limit));
        }
        return all;
    }

    /** Numbers of events that the kernel has reported, indexed by shard; as exact as {@link PoolCounters}. */
    public long[] detected() {
        return pools.stream()
                .flatMap(pool -> pool.handleSets().stream())
                .mapToLong(HandleSet::detectedCount)
                .toArray();
    }

    public Imbalance imbalance() {
        return Imbalance.of(detected());
    }

    public void stop() {
        pools.forEach(LeaderFollowersPool::stop);
    }

    public void stopNow() {
        pools.forEach(LeaderFollowersPool::stopNow);
    }

    public boolean isTerminated() {
        return pools.stream().allMatch(LeaderFollowersPool::isTerminated);
    }

    /** Waits until every shard has stopped and its threads have left. Returns false if the time is up first. */
    public boolean awaitTermination(Duration timeout) throws InterruptedException {
        long deadlineNs = System.nanoTime() + Deadlines.ns(timeout);
        for (LeaderFollowersPool pool : pools) {
            pool.awaitTermination(Duration.ofNanos(Math.max(0, deadlineNs - System.nanoTime())));
        }
        return isTerminated();
    }

    /** Stops all shards gracefully, at the same time, and waits for their threads. A handler that calls this does not wait. */
    @Override
    public void close() {
        stop();
        if (shardOfCaller() < 0) {
            pools.forEach(LeaderFollowersPool::close);
        }
    }

    @Override
    public String toString() {
        return shards + " shards, " + pools;
    }
}
