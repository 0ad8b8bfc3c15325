package org.cabrank.stream;

import java.time.Duration;
import java.util.List;
import org.cabrank.lf.HandleSet;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.ShardPlacement;
import org.cabrank.lf.ShardedLeaderFollowers;
import org.cabrank.lf.Timers;
import org.cabrank.stream.transport.StreamShard;

/** The threads of a reactor, from its start to its end. */
final class ReactorPools {
    private ReactorPools() {}

    /**
     * Starts a pool for each shard, or one for all of them.
     *
     * @param shared one for all
     * @throws IllegalStateException when a thread cannot be placed; none are left then
     */
    static ShardedLeaderFollowers start(
            List<StreamShard> shards, PoolConfig config, boolean shared, ShardPlacement placement) {
        List<HandleSet> sets = shards.stream().map(StreamShard::handleSet).toList();
        ShardedLeaderFollowers pools = shared
                ? ShardedLeaderFollowers.sharing(sets, config, placement)
                : ShardedLeaderFollowers.separate(sets, config, placement);
        pools.start();
        return pools;
    }

    /**
     * Returns true if all have ended in time. An interrupt does not end the wait; the interrupt status is restored at the end.
     */
    static boolean awaitTermination(ShardedLeaderFollowers pools, Duration timeout) {
        boolean interrupted = Thread.interrupted();
        long deadlineNs = System.nanoTime() + Timers.delayNs(timeout);
        while (!pools.isTerminated() && System.nanoTime() - deadlineNs < 0) {
            try {
                pools.awaitTermination(Duration.ofNanos(Math.max(0, deadlineNs - System.nanoTime())));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return pools.isTerminated();
    }
}
