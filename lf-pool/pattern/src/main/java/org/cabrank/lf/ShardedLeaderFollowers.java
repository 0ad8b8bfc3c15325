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
 * Shards: M handle sets, each with a leader. Either one pool serves all sets, or each set has its own pool:
 * <pre>
 *   1 × N   one handle set, N threads that take turns
 *   M × N   M handle sets, each with N threads and a promotion word
 *   M × 1   one reactor for each thread: no promotion word, no lock, no watcher
 *   M : N   M handle sets, one group of N threads for all of them ({@link #sharing})
 * </pre>
 * <p>Handles stay in their set, so shards share only data that handlers share. Any thread may call any method.
 */
public final class ShardedLeaderFollowers implements AutoCloseable {
    private final List<LeaderFollowersPool> pools;
    private final int shards;

    private ShardedLeaderFollowers(List<LeaderFollowersPool> pools, int shards) {
        this.pools = List.copyOf(pools);
        this.shards = shards;
    }

    /**
     * Makes a pool for each shard. The pool's name is the name in {@code each} with {@code -sSHARD} added. Growing pools together add at
     * most 64 threads. Each uses the processors of {@link ShardPlacement#cpus}, or all if it is empty. No other pool may serve the sets.
     */
    public static ShardedLeaderFollowers separate(
            List<? extends HandleSet> sets, PoolConfig each, ShardPlacement placement) {
        Objects.requireNonNull(each, "each");
        Objects.requireNonNull(placement, "placement");
        List<LeaderFollowersPool> pools = new ArrayList<>();
        Watcher watcher = new Watcher(each.name(), Parking.SYSTEM);
        Growth growth = new Growth();
        try {
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
        } catch (Throwable refused) { // the caller cannot stop these pools, but must be able to close the sets
            pools.forEach(LeaderFollowersPool::stop);
            throw refused;
        }
        return new ShardedLeaderFollowers(pools, sets.size());
    }

    /** Makes one pool that serves all shards, as in {@link LeaderFollowersPool#LeaderFollowersPool(List, PoolConfig)}. */
    public static ShardedLeaderFollowers sharing(
            List<? extends HandleSet> sets, PoolConfig all, ShardPlacement placement) {
        Objects.requireNonNull(placement, "placement");
        PoolConfig config = placed(all, thread -> placement.place(ShardPlacement.ALL_SHARDS, thread));
        return new ShardedLeaderFollowers(List.of(new LeaderFollowersPool(sets, config)), sets.size());
    }

    private static PoolConfig placed(PoolConfig config, IntConsumer place) {
        return config.withOnThreadStart(place.andThen(config.onThreadStart()));
    }

    /** Starts all shards. If one fails, stops all, waits for their threads, and throws like {@link LeaderFollowersPool#start}. */
    public void start() {
        try {
            pools.forEach(LeaderFollowersPool::start);
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    /** The pools. There is one for each shard, or one for all shards. The list never changes. */
    public List<LeaderFollowersPool> pools() {
        return pools;
    }

    public int shards() {
        return shards;
    }

    /** Returns the number of the shard that the calling thread takes part in. If the thread takes part in no shard, returns -1. */
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

    /** Number of events that the kernel has reported, indexed by shard. As in {@link PoolCounters}, the newest events may be missing. */
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
