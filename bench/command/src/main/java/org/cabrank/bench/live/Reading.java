package org.cabrank.bench.live;

import java.util.List;
import org.cabrank.bench.handler.RequestCounter;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.lf.observe.LeadershipCounters;
import org.cabrank.lf.observe.PoolCounters;
import org.cabrank.lf.observe.ThreadStatus;
import org.cabrank.stream.ShardCounters;
import org.cabrank.stream.StreamReactor;

/**
 * Counters of a server since its start. They are read one after the other, so they are not of the same instant.
 *
 * @param atNs {@link System#nanoTime} of the reading
 * @param requests number of requests that are answered; the answers of some may still have to be sent
 * @param pools one pool for each shard, or one pool for all shards
 * @param cpuWaitNs time for which a thread of the machine was runnable and had no CPU; 0 if the kernel does not count it
 */
record Reading(long atNs, long requests, List<ShardCounters> shards, List<OfPool> pools, long cpuWaitNs) {

    /** @param threads threads that take part at this moment */
    record OfPool(
            PoolConfig config,
            PoolCounters counters,
            LeadershipCounters leadership,
            LatencyCounters latency,
            List<ThreadStatus> threads) {

        private static OfPool of(LeaderFollowersPool pool) {
            return new OfPool(
                    pool.config(), pool.counters(), pool.leadershipCounters(), pool.latencyCounters(), pool.threads());
        }
    }

    /** Takes no lock for which a thread of the server waits. */
    static Reading of(StreamReactor reactor, RequestCounter requests) {
        return new Reading(
                System.nanoTime(),
                requests.total(),
                reactor.shardCounters(),
                reactor.pools().stream().map(OfPool::of).toList(),
                CpuPressure.waitNs());
    }
}
