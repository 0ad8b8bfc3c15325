package org.cabrank.bench.live;

import java.util.List;
import java.util.stream.IntStream;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.lf.observe.LeadershipCounters;
import org.cabrank.lf.observe.PoolCounters;
import org.cabrank.lf.observe.ThreadState;
import org.cabrank.lf.observe.ThreadStatus;
import org.cabrank.stream.ShardCounters;

/** Counters of servers that are not there. */
final class Readings {
    static final long S = 1_000_000_000;

    private Readings() {}

    /** One shard with a leader, a follower and a thread that was replaced as leader, after so many seconds of 1,500 requests each. */
    static Reading deferred(int seconds) {
        return deferred(seconds, 1_500L * seconds);
    }

    static Reading deferred(int seconds, long requests) {
        PoolConfig config = PoolConfig.of("cabrank-s0", 3).withLatencyMeasured(true);
        return new Reading(
                1_000 * S + seconds * S,
                requests,
                List.of(shard(0, 64, seconds, requests)),
                List.of(new Reading.OfPool(
                        config,
                        new PoolCounters(
                                requests,
                                requests,
                                0,
                                seconds,
                                0,
                                0,
                                7L * seconds,
                                2,
                                2_345_678,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0),
                        new LeadershipCounters(
                                seconds * S, requests, 8L * seconds, 40_000L * seconds, 3, requests / 100, 0),
                        latency(seconds),
                        List.of(
                                new ThreadStatus("cabrank-s0-0", ThreadState.PROCESSING, 0, false, requests / 3, 1, 2),
                                new ThreadStatus(
                                        "cabrank-s0-1",
                                        ThreadState.LEADER,
                                        0,
                                        true,
                                        requests / 3 * 2,
                                        seconds,
                                        5L * seconds),
                                new ThreadStatus("cabrank-s0-2", ThreadState.FOLLOWER, 0, false, 0, 0, 0)))),
                0);
    }

    /** In each second, of 1,000 events all but one took 20 us, and one 5 ms. */
    private static LatencyCounters latency(int seconds) {
        LatencyCounters sum = LatencyCounters.NONE;
        LatencyCounters second = LatencyCounters.of(IntStream.range(0, 1_000)
                .mapToLong(i -> i == 0 ? 5_000_000 : 20_000)
                .toArray());
        for (int i = 0; i < seconds; i++) {
            sum = sum.plus(second);
        }
        return sum;
    }

    private static ShardCounters shard(int shard, long connections, int seconds, long events) {
        return new ShardCounters(
                shard,
                connections,
                connections + seconds,
                seconds,
                0,
                0,
                0,
                events,
                events * 64,
                events * 64,
                0,
                0,
                0,
                0,
                0);
    }

    /** Loops of one thread each; the first has twice as much to do as each further loop. */
    static Reading ownLoops(int shards, int seconds) {
        List<ShardCounters> counters = IntStream.range(0, shards)
                .mapToObj(
                        shard -> shard(shard, shard == 0 ? 20 : 10, seconds, (shard == 0 ? 2_000L : 1_000L) * seconds))
                .toList();
        return new Reading(
                seconds * S,
                counters.stream().mapToLong(ShardCounters::detected).sum(),
                counters,
                counters.stream().map(shard -> ownLoop(shard, seconds)).toList(),
                0);
    }

    private static Reading.OfPool ownLoop(ShardCounters shard, int seconds) {
        String name = "cabrank-s" + shard.shard();
        return new Reading.OfPool(
                PoolConfig.of(name, 1),
                new PoolCounters(
                        shard.detected(), shard.detected(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                new LeadershipCounters(seconds * S, shard.detected(), 0, 0, 0, 0, 0),
                LatencyCounters.NONE,
                List.of(new ThreadStatus(
                        name + "-0",
                        shard.shard() % 2 == 0 ? ThreadState.PROCESSING : ThreadState.LEADER,
                        0,
                        true,
                        shard.detected(),
                        0,
                        0)));
    }

    /** As {@link #deferred}, where threads of the machine wait for a CPU in 60 % of the time. */
    static Reading starved(int seconds) {
        Reading reading = deferred(seconds);
        return new Reading(reading.atNs(), reading.requests(), reading.shards(), reading.pools(), seconds * S * 6 / 10);
    }
}
