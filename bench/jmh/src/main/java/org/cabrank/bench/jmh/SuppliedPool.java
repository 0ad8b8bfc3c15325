package org.cabrank.bench.jmh;

import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.handle.EventHandler;

final class SuppliedPool implements AutoCloseable {
    private static final Runnable NOTHING = () -> {};

    private final SuppliedSet set;
    private final LeaderFollowersPool pool;

    SuppliedPool(PoolConfig config, SuppliedSet.Count count, EventHandler handler) {
        this(config, count, NOTHING, handler);
    }

    SuppliedPool(PoolConfig config, SuppliedSet.Count count, Runnable newLeader, EventHandler handler) {
        set = new SuppliedSet(count, newLeader, handler);
        pool = new LeaderFollowersPool(set, config);
        pool.start();
    }

    LeaderFollowersPool pool() {
        return pool;
    }

    /** Blocks until the pool has made {@code batch} waits of the counted kind. Must not be called by a thread of the pool. */
    void run(int batch) throws InterruptedException {
        set.supply(batch);
    }

    @Override
    public void close() {
        pool.close();
        set.close();
    }
}
