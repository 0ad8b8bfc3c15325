package org.cabrank.stream;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.Watchdog;
import org.cabrank.lf.figures.Beans;
import org.cabrank.lf.figures.PoolFigures;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.stream.figures.ReactorFigures;
import org.cabrank.stream.transport.StreamShard;

final class Oversight implements AutoCloseable {
    private final Deque<Runnable> atClose = new ArrayDeque<>();

    private boolean closed;

    void manage(String name, List<LeaderFollowersPool> pools, boolean shared) {
        if (shared) {
            atClose.push(pools.get(0).registerBean()::close);
            return;
        }
        for (int shard = 0; shard < pools.size(); shard++) {
            LeaderFollowersPool pool = pools.get(shard);
            atClose.push(Beans.registerShard(pool, PoolFigures.POOL, "Pool", name, shard)::close);
        }
    }

    void manageReactor(String name, StreamReactor reactor, List<StreamShard> shards) {
        atClose.push(Beans.register(reactor, ReactorFigures.REACTOR, "Reactor", name)::close);
        for (int i = 0; i < shards.size(); i++) {
            StreamShard shard = shards.get(i);
            atClose.push(Beans.registerShard(shard, ReactorFigures.SHARD, "Shard", name, i)::close);
        }
        atClose.push(Beans.register(reactor, ReactorFigures.BALANCE, "Balance", name)::close);
    }

    synchronized void manageHistogram(String name, LatencyHistogram histogram) {
        if (!closed) {
            atClose.push(Beans.registerHistogram(histogram, name)::close);
        }
    }

    void watch(Watchdog own, List<LeaderFollowersPool> pools) {
        atClose.push(own::close);
        pools.forEach(own::watch);
    }

    @Override
    public synchronized void close() {
        closed = true;
        while (!atClose.isEmpty()) {
            atClose.pop().run();
        }
    }
}
