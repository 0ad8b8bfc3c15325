package org.cabrank.lf.figures;

import java.util.Map;
import java.util.TreeMap;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.lf.observe.LeadershipCounters;
import org.cabrank.lf.observe.Liveness;
import org.cabrank.lf.observe.PoolCounters;
import org.cabrank.lf.observe.ThreadStatus;

/** The figures of pools, and of the histograms of services. */
public final class PoolFigures {
    private static final Figures<PoolCounters> COUNTERS = new Figures<PoolCounters>("cabrank.pool.")
            .counter("Detected", "events.detected", "Events that the kernel has reported", PoolCounters::detected)
            .counter("Processed", "events.processed", "Calls of handlers", PoolCounters::processed)
            .counter(
                    "EagerPromotions",
                    "promotions{kind=eager}",
                    "Leaderships handed over",
                    PoolCounters::eagerPromotions)
            .counter(
                    "HandlerPromotions",
                    "promotions{kind=handler}",
                    "Leaderships handed over",
                    PoolCounters::handlerPromotions)
            .counter(
                    "LeavingPromotions",
                    "promotions{kind=leaving}",
                    "Leaderships handed over",
                    PoolCounters::leavingPromotions)
            .counter(
                    "ReturnPromotions",
                    "promotions{kind=return}",
                    "Leaderships handed over",
                    PoolCounters::returnPromotions)
            .counter("Takeovers", "takeovers", "Leaders that were replaced", PoolCounters::takeovers)
            .counter(
                    "GapsOverLimit",
                    "gaps.over.limit",
                    "Times without a watching leader that were longer than the limit of deferred promotion",
                    PoolCounters::gapsOverLimit)
            .gauge("LargestGapNs", "gap.largest", "Longest time without a watching leader", PoolCounters::largestGapNs)
            .counter("ClaimedAndMore", "Events met while their handle was processed", PoolCounters::claimedAndMore)
            .counter(
                    "StaleEvents",
                    "events.stale",
                    "Events of handles that were closed before",
                    PoolCounters::staleEvents)
            .counter("NestedWaits", "waits.nested", "Waits for replies inside handlers", PoolCounters::nestedWaits)
            .counter("NestingRefusals", "Waits inside handlers that were refused", PoolCounters::nestingRefusals)
            .counter("Failures", "failures", "Handlers that have thrown", PoolCounters::failures)
            .counter(
                    "QueueFull",
                    "queue.full",
                    "Tasks and writes that were refused because a queue was full",
                    PoolCounters::queueFull)
            .counter(
                    "ThreadsAdded",
                    "threads.added",
                    "Threads that a growing pool has added",
                    PoolCounters::threadsAdded)
            .counter(
                    "ThreadsEnded",
                    "threads.ended",
                    "Added threads that have ended because they were not needed",
                    PoolCounters::threadsEnded)
            .counter(
                    "ThreadsRefused",
                    "threads.refused",
                    "Threads that could not be added",
                    PoolCounters::threadsRefused)
            .counter("OffloadsBegun", "offloads.begun", "Work handed to executors", PoolCounters::offloadsBegun)
            .counter("OffloadsRefused", "Offloaded work that the executor has rejected", PoolCounters::offloadsRefused)
            .counter(
                    "OffloadsDropped",
                    "Offloaded work whose handle was closed before its end",
                    PoolCounters::offloadsDropped)
            .counter(
                    "OffloadsFailed",
                    "offloads.failed",
                    "Offloaded work that has thrown",
                    PoolCounters::offloadsFailed);

    private static final Figures<LeadershipCounters> LEADERSHIP = new Figures<LeadershipCounters>("")
            .counter("HandOvers", "Leaderships that followers were given", LeadershipCounters::handOvers)
            .counter("HandOverWaitNs", "Time until they had woken up", LeadershipCounters::handOverWaitNs)
            .counter("FailedTakeovers", "Leaders that returned just in time", LeadershipCounters::failedTakeovers)
            .counter("Wakeups", "Followers that were woken", LeadershipCounters::wakeups)
            .counter("LockWaits", "Waits for the lock of the followers", LeadershipCounters::lockWaits);

    private static final Figures<ObservedPool.Settings> SETTINGS = new Figures<ObservedPool.Settings>("")
            .state("ThreadsMax", int.class, "Threads that take part at most", ObservedPool.Settings::threads)
            .state("Promotion", String.class, "Promotion policy", ObservedPool.Settings::promotion)
            .state("Order", String.class, "Promotion order", ObservedPool.Settings::order)
            .state("Waiting", String.class, "Way in which threads wait", ObservedPool.Settings::waiting)
            .state(
                    "LatencyMeasured",
                    boolean.class,
                    "True if the durations of events are measured",
                    ObservedPool.Settings::latencyMeasured);

    public static final Figures<ObservedPool> POOL = new Figures<ObservedPool>("cabrank.pool.")
            .state("Name", String.class, "Name of the pool", ObservedPool::name)
            .part(ObservedPool::settings, SETTINGS)
            .state("Terminated", boolean.class, "Stopped, and every thread has left", ObservedPool::isTerminated)
            .state("Failure", String.class, "Failure that stopped the pool", pool -> nameOf(pool.failure()))
            .flag(
                    "Live",
                    "live",
                    "1 if every handle set of the pool is served, else 0",
                    pool -> liveness(pool).isLive())
            .state("LivenessProblems", String[].class, "What keeps it from serving", PoolFigures::problems)
            .state("Threads", Map[].class, "Threads that take part", PoolFigures::threads)
            .gauge(
                    "ThreadsPresent",
                    "threads",
                    "Threads that take part",
                    pool -> pool.threads().size())
            .state("Handles", int.class, "Registered handles", ObservedPool::handleCount)
            .part(ObservedPool::counters, COUNTERS)
            .counter(
                    "KernelRetries",
                    "kernel.retries",
                    "Errors of the kernel that have passed",
                    ObservedPool::kernelRetries)
            .part(ObservedPool::leadershipCounters, LEADERSHIP)
            .state(
                    "Contended",
                    boolean.class,
                    "Threads contend for leadership",
                    pool -> pool.contention().contended())
            .state(
                    "Contention",
                    String.class,
                    "Contention, with the remedy",
                    pool -> pool.contention().toString())
            .part(
                    ObservedPool::latencyCounters,
                    latency(
                            "Latency",
                            "cabrank.pool.processing.duration",
                            "Durations of handlers, if the pool measures them"));

    public static final Figures<LatencyHistogram> HISTOGRAM = new Figures<LatencyHistogram>("")
            .part(
                    LatencyHistogram::read,
                    latency("", "cabrank.service.duration", "Durations that the service has recorded"));

    private PoolFigures() {}

    private static Figures<LatencyCounters> latency(String name, String meter, String help) {
        return new Figures<LatencyCounters>(meter)
                .counter(name + "Events", ".recorded", "Number of these durations", LatencyCounters::events)
                .gauge(name + "P50Ns", "{percentile=50}", help, counters -> counters.percentileNs(50))
                .gauge(name + "P90Ns", "{percentile=90}", help, counters -> counters.percentileNs(90))
                .gauge(name + "P99Ns", "{percentile=99}", help, counters -> counters.percentileNs(99))
                .gauge(name + "P999Ns", "{percentile=99.9}", help, counters -> counters.percentileNs(99.9))
                .gauge(name + "MaxNs", "{percentile=100}", help, counters -> counters.percentileNs(100))
                .state(name + "Buckets", long[].class, "Number of durations of each bucket", LatencyCounters::counts)
                .state(name + "BucketEndsNs", long[].class, "End of each bucket in ns", LatencyCounters::bucketEndsNs);
    }

    private static String nameOf(Throwable failure) {
        return failure == null ? null : FailureLog.name(failure);
    }

    private static Liveness liveness(ObservedPool pool) {
        return pool.liveness(Liveness.LIMIT_DEFAULT);
    }

    private static String[] problems(ObservedPool pool) {
        return liveness(pool).problems().stream().map(Liveness.Problem::reason).toArray(String[]::new);
    }

    private static Map<?, ?>[] threads(ObservedPool pool) {
        return pool.threads().stream().map(PoolFigures::row).toArray(Map[]::new);
    }

    private static Map<String, Object> row(ThreadStatus thread) {
        return new TreeMap<>(Map.of(
                "name", thread.name(),
                "state", thread.state().name(),
                "set", thread.set(),
                "owner", thread.owner(),
                "processed", thread.processed(),
                "promotions", thread.promotions(),
                "takeovers", thread.takeovers()));
    }
}
