package org.cabrank.lf.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import org.cabrank.lf.HandleSet;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.stream.spi.StreamShard;

/** The threads of a reactor: a pool for each shard, or one pool for all of them. */
final class ReactorPools {
    private final List<LeaderFollowersPool> pools = new ArrayList<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    /** @param shared how the one pool works that serves every shard; started at once */
    void startShared(List<StreamShard> shards, PoolConfig shared, ThreadPlacement placement) {
        List<HandleSet> sets = new ArrayList<>();
        for (StreamShard shard : shards) {
            sets.add(shard.handleSet());
        }
        start(sets, shared, thread -> placement.place(ThreadPlacement.ALL_SHARDS, thread));
    }

    /** @param each how each shard's pool works, apart from its name, to which the shard's number is added */
    void startEach(List<StreamShard> shards, PoolConfig each, ThreadPlacement placement) {
        for (int i = 0; i < shards.size(); i++) {
            int shard = i;
            start(
                    List.of(shards.get(shard).handleSet()),
                    each.withName(each.name() + "-s" + shard),
                    thread -> placement.place(shard, thread));
        }
    }

    private void start(List<HandleSet> sets, PoolConfig config, IntConsumer place) {
        LeaderFollowersPool pool = new LeaderFollowersPool(sets, config.withOnThreadStart(thread -> {
            threads.add(Thread.currentThread());
            place.accept(thread);
        }));
        pools.add(pool);
        pool.start();
    }

    List<LeaderFollowersPool> all() {
        return List.copyOf(pools);
    }

    boolean areServedByCaller() {
        return threads.contains(Thread.currentThread());
    }

    void stop() {
        pools.forEach(LeaderFollowersPool::stop);
    }

    void stopNow() {
        pools.forEach(LeaderFollowersPool::stopNow);
    }

    void close() {
        pools.forEach(LeaderFollowersPool::close);
    }

    boolean areTerminated() {
        return pools.stream().allMatch(LeaderFollowersPool::isTerminated);
    }

    /** True: all have come to their end in time. An interrupt does not end the wait; it is set again at the end. */
    boolean awaitTermination(Duration timeout) {
        boolean interrupted = Thread.interrupted();
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        while (!areTerminated() && System.nanoTime() - deadlineNs < 0) {
            try {
                for (LeaderFollowersPool pool : pools) {
                    pool.awaitTermination(Duration.ofNanos(Math.max(0, deadlineNs - System.nanoTime())));
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return areTerminated();
    }
}
