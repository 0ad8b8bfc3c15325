package org.cabrank.bench.live;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.cabrank.lf.observe.Contention;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.lf.observe.ThreadStatus;
import org.cabrank.stream.ShardBalance;
import org.cabrank.stream.ShardCounters;

/** Makes rates of successive readings. For one thread; reads no clock and nothing else. */
final class LiveModel {
    /** Percentiles of one second jump about; those of ten seconds are recent enough. */
    static final long WINDOW_NS = 10_000_000_000L;

    /** Named bound: as wide as any terminal. */
    static final int HISTORY_MAX = 1_000;

    private static final double NS_PER_S = 1e9;

    /** From the one that begins the window to the latest. */
    private final Deque<Reading> window = new ArrayDeque<>();

    private final Deque<Double> history = new ArrayDeque<>();
    private final Reading first;

    /** @param first start of all rates and windows; only totals include earlier events */
    LiveModel(Reading first) {
        this.first = first;
        window.add(first);
    }

    /** @param now later than the one before it */
    LiveFigures next(Reading now) {
        Reading last = window.getLast();
        double requestsPerS = new Interval(last, now).perS(Reading::requests);
        history.addLast(requestsPerS);
        if (history.size() > HISTORY_MAX) {
            history.removeFirst();
        }
        window.addLast(now);
        while (window.size() > 2 && now.atNs() - window.getFirst().atNs() > WINDOW_NS) {
            window.removeFirst();
        }
        return figures(last, now);
    }

    /** Before the first interval is over: totals, and no rates. */
    LiveFigures atStart() {
        return figures(first, first);
    }

    private record Interval(Reading from, Reading to) {
        double perS(ToLongFunction<Reading> count) {
            return rate(count.applyAsLong(to) - count.applyAsLong(from));
        }

        double rate(long difference) {
            long ns = to.atNs() - from.atNs();
            return ns <= 0 ? 0 : difference * NS_PER_S / ns;
        }

        LiveFigures.Change change(ToLongFunction<Reading.OfPool> count) {
            return new LiveFigures.Change(ofPools(to, count), perS(reading -> ofPools(reading, count)));
        }
    }

    private static long ofPools(Reading reading, ToLongFunction<Reading.OfPool> count) {
        return reading.pools().stream().mapToLong(count).sum();
    }

    private static long ofShards(Reading reading, ToLongFunction<ShardCounters> count) {
        return reading.shards().stream().mapToLong(count).sum();
    }

    private LiveFigures figures(Reading last, Reading now) {
        Interval interval = new Interval(last, now);
        Reading begin = window.getFirst();
        List<ShardCounters> shards = differences(last, now);
        return new LiveFigures(
                now.atNs() - first.atNs(),
                now.requests(),
                interval.perS(Reading::requests),
                List.copyOf(history),
                latency(now).since(latency(begin)),
                now.atNs() - begin.atNs(),
                ofShards(now, ShardCounters::connections),
                interval.perS(reading -> ofShards(reading, ShardCounters::opened)),
                interval.perS(reading -> ofShards(reading, ShardCounters::closed)),
                interval.perS(reading -> ofShards(reading, ShardCounters::detected)),
                interval.perS(reading -> ofShards(reading, ShardCounters::receivedBytes)),
                interval.perS(reading -> ofShards(reading, ShardCounters::sentBytes)),
                interval.change(pool -> pool.counters().promotions()),
                interval.change(pool -> pool.counters().takeovers()),
                interval.change(pool -> pool.leadership().failedTakeovers()),
                ofPools(now, pool -> pool.counters().gapsOverLimit()),
                now.pools().stream()
                        .mapToLong(pool -> pool.counters().largestGapNs())
                        .max()
                        .orElse(0),
                ofPools(now, pool -> pool.counters().failures()),
                shards.stream().map(shard -> ofShard(shard, interval)).toList(),
                ShardBalance.of(shards),
                threads(interval),
                contention(begin, now),
                cpuWaitShare(begin, now));
    }

    private static double cpuWaitShare(Reading from, Reading to) {
        long ns = to.atNs() - from.atNs();
        return ns <= 0 ? 0 : (double) (to.cpuWaitNs() - from.cpuWaitNs()) / ns;
    }

    private static LatencyCounters latency(Reading reading) {
        return reading.pools().stream()
                .map(Reading.OfPool::latency)
                .reduce(LatencyCounters.NONE, LatencyCounters::plus);
    }

    private static List<ShardCounters> differences(Reading from, Reading to) {
        List<ShardCounters> differences = new ArrayList<>();
        for (int i = 0; i < to.shards().size(); i++) {
            ShardCounters earlier = from.shards().get(i);
            ShardCounters later = to.shards().get(i);
            differences.add(new ShardCounters(
                    later.shard(),
                    later.connections(),
                    later.opened() - earlier.opened(),
                    later.closed() - earlier.closed(),
                    later.movedIn() - earlier.movedIn(),
                    later.movedOut() - earlier.movedOut(),
                    later.passedBy() - earlier.passedBy(),
                    later.detected() - earlier.detected(),
                    later.receivedBytes() - earlier.receivedBytes(),
                    later.sentBytes() - earlier.sentBytes(),
                    later.acceptFailures() - earlier.acceptFailures(),
                    later.refused() - earlier.refused()));
        }
        return differences;
    }

    private static LiveFigures.OfShard ofShard(ShardCounters difference, Interval interval) {
        return new LiveFigures.OfShard(
                difference.shard(),
                difference.connections(),
                interval.rate(difference.detected()),
                interval.rate(difference.receivedBytes()),
                interval.rate(difference.sentBytes()));
    }

    private static List<LiveFigures.OfThread> threads(Interval interval) {
        Map<String, Long> before = new HashMap<>();
        interval.from()
                .pools()
                .forEach(pool -> pool.threads()
                        .forEach(thread ->
                                before.put(thread.name(), thread.counters().processed())));
        List<LiveFigures.OfThread> threads = new ArrayList<>();
        for (Reading.OfPool pool : interval.to().pools()) {
            boolean sharesShards = pool.config().threads() > 1
                    && interval.to().pools().size() < interval.to().shards().size();
            for (ThreadStatus thread : pool.threads()) {
                long processed = thread.counters().processed();
                long earlier = before.getOrDefault(thread.name(), 0L);
                threads.add(new LiveFigures.OfThread(
                        thread.name(),
                        Roles.of(thread, pool.config(), sharesShards),
                        thread.owner(),
                        interval.rate(processed < earlier ? processed : processed - earlier), // another of this name
                        thread.counters().promotions(),
                        thread.counters().takeovers()));
            }
        }
        return threads;
    }

    private static List<LiveFigures.OfPool> contention(Reading from, Reading to) {
        List<LiveFigures.OfPool> pools = new ArrayList<>();
        for (int i = 0; i < to.pools().size(); i++) {
            Reading.OfPool pool = to.pools().get(i);
            pools.add(new LiveFigures.OfPool(
                    pool.config().name(),
                    Contention.between(
                            from.pools().get(i).leadership(),
                            pool.leadership(),
                            pool.config().promotesEagerly())));
        }
        return pools;
    }
}
