package org.cabrank.bench.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.cabrank.lf.observe.Contention;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.lf.observe.ThreadStatus;
import org.cabrank.stream.ShardCounters;

/** Formats readings as lines. Rates are of the last interval. Latencies and contention are of the last 10 s. Other numbers are totals. */
final class LiveLine {
    /** Period over which latencies and contention are measured. Percentiles of 1 s vary too much. Percentiles of 10 s are recent enough. */
    private static final long WINDOW_NS = 10_000_000_000L;

    private static final double STARVED_SHARE = 0.5;

    private static final Map<String, Double> PERCENTILES = new LinkedHashMap<>();

    static {
        PERCENTILES.put("p50", 50.0);
        PERCENTILES.put("p99", 99.0);
        PERCENTILES.put("p99.9", 99.9);
        PERCENTILES.put("max", 100.0);
    }

    private final Deque<Reading> window = new ArrayDeque<>();

    private final Reading first;

    LiveLine(Reading first) {
        this.first = first;
        window.add(first);
    }

    String next(Reading now) {
        Reading last = window.getLast();
        window.addLast(now);
        while (window.size() > 2 && now.atNs() - window.getFirst().atNs() > WINDOW_NS) {
            window.removeFirst();
        }
        Reading begin = window.getFirst();
        double seconds = Math.max(1, now.atNs() - last.atNs()) / 1e9;
        StringBuilder line = new StringBuilder("live ").append(LiveFormats.clock(now.atNs() - first.atNs()));
        line.append(": ")
                .append(LiveFormats.rate((now.requests() - last.requests()) / seconds))
                .append(" requests/s");
        LatencyCounters latency = latency(now).since(latency(begin));
        if (latency.events() > 0) {
            PERCENTILES.forEach((label, percent) -> line.append(label.equals("p50") ? ", " : " ")
                    .append(label)
                    .append(' ')
                    .append(LiveFormats.time(latency.percentileNs(percent))));
        }
        line.append(", ").append(LiveFormats.count(sum(now.shards(), ShardCounters::connections)));
        line.append(" connections, ");
        line.append(rate(last, now, seconds, pool -> pool.counters().promotions()))
                .append(" promotions/s, ");
        line.append(rate(last, now, seconds, pool -> pool.counters().takeovers()))
                .append(" takeovers/s, ");
        line.append(LiveFormats.count(sum(now.pools(), pool -> pool.counters().gapsOverLimit())))
                .append(" gaps over the limit, ");
        line.append(LiveFormats.count(sum(now.pools(), pool -> pool.counters().failures())))
                .append(" failures");
        return line.append(balance(last, now))
                .append(contention(begin, now))
                .append(leaders(now))
                .toString();
    }

    private static <T> long sum(List<T> all, ToLongFunction<T> count) {
        return all.stream().mapToLong(count).sum();
    }

    private static String rate(Reading from, Reading to, double seconds, ToLongFunction<Reading.OfPool> count) {
        return LiveFormats.rate((sum(to.pools(), count) - sum(from.pools(), count)) / seconds);
    }

    private static LatencyCounters latency(Reading reading) {
        return reading.pools().stream()
                .map(Reading.OfPool::latency)
                .reduce(LatencyCounters.NONE, LatencyCounters::plus);
    }

    private static String balance(Reading from, Reading to) {
        long[] events = IntStream.range(0, to.shards().size())
                .mapToLong(i ->
                        to.shards().get(i).detected() - from.shards().get(i).detected())
                .toArray();
        long all = IntStream.range(0, events.length).mapToLong(i -> events[i]).sum();
        long most = IntStream.range(0, events.length)
                .mapToLong(i -> events[i])
                .max()
                .orElse(0);
        return events.length < 2 || all == 0
                ? ""
                : String.format(Locale.ROOT, ", busiest shard %.2f × the mean", (double) most * events.length / all);
    }

    /** Formats the contention. If CPUs are short, reports only that, because a leader that waits for a CPU looks like a slow handler. */
    private static String contention(Reading from, Reading to) {
        if (to.cpuWaitNs() - from.cpuWaitNs() >= STARVED_SHARE * (to.atNs() - from.atNs())) {
            return ", too few CPUs";
        }
        return IntStream.range(0, to.pools().size())
                .mapToObj(i -> Contention.between(
                        from.pools().get(i).leadership(),
                        to.pools().get(i).leadership(),
                        to.pools().get(i).config().promotesEagerly()))
                .filter(Contention::contended)
                .findFirst()
                .map(contention -> ", contended: " + contention.advice())
                .orElse("");
    }

    private static String leaders(Reading now) {
        String leaders = now.pools().stream()
                .filter(pool -> pool.config().threads() > 1)
                .flatMap(pool -> pool.threads().stream())
                .filter(ThreadStatus::owner)
                .map(thread -> thread.name() + " (" + thread.state().name().toLowerCase(Locale.ROOT) + ")")
                .collect(Collectors.joining(", "));
        return leaders.isEmpty() ? "" : "; leaders: " + leaders;
    }
}
