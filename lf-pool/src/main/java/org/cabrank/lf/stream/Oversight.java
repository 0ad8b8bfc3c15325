package org.cabrank.lf.stream;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.Watchdog;
import org.cabrank.lf.management.PoolManagement;

/** What watches the pools of a reactor from outside, as far as it was asked for: JMX, and a watchdog. */
final class Oversight implements AutoCloseable {
    /** What is to be given back, the last first. */
    private final Deque<Runnable> atClose = new ArrayDeque<>();

    /**
     * Shows each pool as a shard of {@code name}, or the one that serves them all under that name. What was shown is taken
     * back where one cannot be.
     */
    void manage(String name, List<LeaderFollowersPool> pools, boolean shared) {
        if (shared) {
            atClose.push(PoolManagement.register(pools.get(0))::close);
            return;
        }
        for (int shard = 0; shard < pools.size(); shard++) {
            atClose.push(PoolManagement.registerShard(pools.get(shard), name, shard)::close);
        }
    }

    /** Has each pool watched by a watchdog that ends with this. */
    void watch(Watchdog own, List<LeaderFollowersPool> pools) {
        atClose.push(own::close);
        pools.forEach(own::watch);
    }

    @Override
    public void close() {
        while (!atClose.isEmpty()) {
            atClose.pop().run();
        }
    }
}
