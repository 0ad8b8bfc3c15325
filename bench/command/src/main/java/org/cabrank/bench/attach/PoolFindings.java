package org.cabrank.bench.attach;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.cabrank.bench.attach.ServerFindings.Growth;
import org.cabrank.bench.text.Durations;
import org.cabrank.lf.observe.Contention;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.lf.observe.LeadershipCounters;
import org.cabrank.pinning.doctor.Check;
import org.cabrank.pinning.doctor.Finding;
import org.cabrank.pinning.doctor.Severity;

final class PoolFindings {
    private static final int EXAMPLES_MAX = 3;

    /** Minimum 99th percentile of the latency for a finding. It is far above the default maxGap of 2 ms. */
    private static final long SLOW_P99_NS = 5_000_000;

    /** Minimum rate of takeovers for a warning. Fewer takeovers are normal. */
    private static final double TAKEOVERS_PER_SECOND = 1;

    private static final double BUSY_SHARE = 0.5;

    private static final String OFFLOAD = "hand work that blocks to an executor (Connection.offload)";

    private PoolFindings() {}

    static Finding service(Observation observation) {
        Check check = new Check("service", "service");
        List<String> problems = new ArrayList<>();
        for (BeanValues pool : observation.after().pools()) {
            if (!pool.flag("Live")) {
                problems.addAll(pool.texts("LivenessProblems"));
            }
        }
        return problems.isEmpty()
                ? check.ok("every pool is served")
                : check.problem(
                        String.join("; ", problems),
                        "events of these pools wait, and their connections get no answers",
                        OFFLOAD + ", add threads (--threads-per-shard); a pool that has failed needs a restart");
    }

    static Finding handlers(Observation observation) {
        Check check = new Check("handlers", "handlers");
        List<LongHandler> all = observation.occupations().stream()
                .flatMap(pool -> pool.handlers().stream())
                .sorted(Comparator.comparing(
                                (LongHandler handler) -> handler.place().isEmpty())
                        .thenComparing(
                                Comparator.comparingLong(LongHandler::atLeastNs).reversed()))
                .toList();
        if (all.isEmpty()) {
            return check.ok("none was running in two samples in a row");
        }
        String examples =
                all.stream().limit(EXAMPLES_MAX).map(PoolFindings::text).collect(Collectors.joining("; "));
        return check.warning(
                all.size() + (all.size() == 1 ? " handler was" : " handlers were")
                        + " running in several samples in a row: " + examples,
                "a thread inside a handler serves nobody else; with one thread for each shard, all connections of the shard"
                        + " wait",
                OFFLOAD + ", call promoteNewLeader before it, or start more threads (--threads-per-shard)");
    }

    private static String text(LongHandler handler) {
        return handler.thread() + " for at least " + Durations.format(handler.atLeastNs())
                + (handler.place().isEmpty() ? "" : " at " + handler.place());
    }

    static Finding latency(Observation observation) {
        Check check = new Check("latency", "latency");
        LatencyCounters during = LatencyCounters.NONE;
        boolean measured = false;
        for (BeanValues pool : observation.after().pools()) {
            if (pool.flag("LatencyMeasured")) {
                measured = true;
                LatencyCounters after = new LatencyCounters(pool.numbers("LatencyBuckets"));
                LatencyCounters before = ServerBeans.find(observation.before().pools(), pool.name())
                        .map(earlier -> new LatencyCounters(earlier.numbers("LatencyBuckets")))
                        .orElse(LatencyCounters.NONE);
                during = during.plus(after.since(before));
            }
        }
        if (!measured) {
            return check.note(
                    "not measured",
                    "handlers that are rarely slow do not show up here",
                    "latencyMeasured(true) of the builder");
        }
        if (during.events() == 0) {
            return check.ok("no event in " + Durations.format(observation.windowNs()));
        }
        String figures = "p50 " + Durations.format(during.percentileNs(50)) + ", p99 "
                + Durations.format(during.percentileNs(99)) + ", longest " + Durations.format(during.percentileNs(100))
                + " of " + during.events() + " events";
        return during.percentileNs(99) < SLOW_P99_NS
                ? check.ok(figures)
                : check.warning(
                        figures,
                        "these times include the wait behind other events and the handler",
                        OFFLOAD + "; an event of a flight recording, org.cabrank.SlowHandler, names the handlers");
    }

    static Finding threads(Observation observation) {
        Check check = new Check("threads", "threads");
        List<String> few = new ArrayList<>();
        for (PoolOccupation pool : observation.occupations()) {
            // If a pool has only one thread, the thread is busy whenever there is work. Such a pool is reported only if
            // a handler ran long.
            boolean blocked = !pool.handlers().isEmpty() || threadsMax(observation, pool.pool()) > 1;
            if (blocked && pool.samples() > 1 && pool.allBusy() >= BUSY_SHARE * pool.samples()) {
                few.add("in " + pool.allBusy() + " of " + pool.samples() + " samples every thread of " + pool.pool()
                        + " was running a handler");
            }
        }
        return few.isEmpty()
                ? check.ok("in most samples at least one thread was free")
                : check.warning(
                        String.join("; ", few),
                        "events wait until a handler ends, because no thread is free to take over",
                        "more threads (--threads-per-shard), or " + OFFLOAD);
    }

    private static long threadsMax(Observation observation, String pool) {
        return observation.after().pools().stream()
                .filter(bean -> bean.text("Name").equals(pool))
                .mapToLong(bean -> bean.number("ThreadsMax"))
                .findFirst()
                .orElse(0);
    }

    static Finding takeovers(Observation observation) {
        Check check = new Check("takeovers", "takeovers");
        Growth growth = growth(observation, "Takeovers");
        Growth processed = growth(observation, "Processed");
        Finding found = ServerFindings.counted(
                check,
                "takeovers",
                growth,
                "followers have replaced leaders whose handlers took longer than maxGap, and each takeover wakes a thread",
                OFFLOAD + "; a longer --max-gap if handlers are meant to take that long");
        if (growth.during() == 0) {
            return found;
        }
        String share = String.format(
                Locale.ROOT,
                ", after %.2f %% of the events",
                100.0 * growth.during() / Math.max(1, processed.during()));
        Severity severity = growth.perSecond() < TAKEOVERS_PER_SECOND ? Severity.NOTE : Severity.WARNING;
        return check.finding(severity, found.finding() + share, found.effect(), found.remedy());
    }

    static Finding gaps(Observation observation) {
        long largestNs = observation.after().pools().stream()
                .mapToLong(pool -> pool.number("LargestGapNs"))
                .max()
                .orElse(0);
        Growth growth = growth(observation, "GapsOverLimit");
        Check check = new Check("gaps", "leader gaps");
        Finding found = ServerFindings.counted(
                check,
                "takeovers later than maxGap",
                growth,
                "a handle set had no leader for longer than maxGap, because the watcher got no CPU in time",
                "fewer busy threads than CPUs, CPUs of the service's own (--placement), no CPU quota: see cabrank doctor"
                        + " without --pid");
        return growth.total() == 0
                ? found
                : check.finding(
                        found.severity(),
                        found.finding() + ", the longest " + Durations.format(largestNs),
                        found.effect(),
                        found.remedy());
    }

    static Finding contention(Observation observation) {
        Check check = new Check("contention", "contention");
        List<String> contended = new ArrayList<>();
        List<String> advice = new ArrayList<>();
        for (BeanValues pool : observation.after().pools()) {
            BeanValues earlier =
                    ServerBeans.find(observation.before().pools(), pool.name()).orElse(pool);
            Contention during = Contention.between(
                    counters(earlier, observation.before().atNs()),
                    counters(pool, observation.after().atNs()),
                    pool.text("Promotion").startsWith("eager"));
            if (during.contended()) {
                contended.add(String.format(
                        Locale.ROOT,
                        "%s: %.2f wake-ups, %.3f failed takeovers and %.3f waits for the lock for each event, %.0f %% of the"
                                + " time without a leader",
                        pool.text("Name"),
                        during.wakeupsPerEvent(),
                        during.failedTakeoversPerEvent(),
                        during.lockWaitsPerEvent(),
                        100 * during.handOverWaitShare()));
                advice.add(during.advice());
            }
        }
        return contended.isEmpty()
                ? check.ok("threads do not contend for leadership")
                : check.warning(
                        String.join("; ", contended),
                        "changes of leadership cost as much as short handlers",
                        advice.stream().distinct().collect(Collectors.joining("; ")));
    }

    private static Growth growth(Observation observation, String attribute) {
        return ServerFindings.growth(observation, ServerBeans::pools, attribute);
    }

    private static LeadershipCounters counters(BeanValues pool, long atNs) {
        return new LeadershipCounters(
                atNs,
                pool.number("Processed"),
                pool.number("HandOvers"),
                pool.number("HandOverWaitNs"),
                pool.number("FailedTakeovers"),
                pool.number("Wakeups"),
                pool.number("LockWaits"));
    }

    static Finding exceptions(Observation observation) {
        return ServerFindings.counted(
                new Check("exceptions", "exceptions"),
                "handlers have thrown",
                growth(observation, "Failures"),
                "each exception closes a connection",
                "the log of the server has the stack of each kind");
    }

    static Finding queues(Observation observation) {
        return ServerFindings.counted(
                new Check("queues", "queues"),
                "tasks and writes of other threads refused by full queues",
                growth(observation, "QueueFull"),
                "their callers get an exception, and lose the work if they drop it",
                "slow the producers down, or write from the handlers");
    }

    static Finding kernelRetries(Observation observation) {
        return ServerFindings.counted(
                new Check("kernel-retries", "kernel"),
                "calls refused for want of memory",
                growth(observation, "KernelRetries"),
                "the pool tries again with a pause; after 5s without success the reactor fails",
                "more memory for the cgroup (MemoryMax) or the host, or lower limits of memory for the service");
    }
}
