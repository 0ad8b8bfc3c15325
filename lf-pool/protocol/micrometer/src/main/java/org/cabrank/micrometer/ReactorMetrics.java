package org.cabrank.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.lf.observe.Liveness;
import org.cabrank.stream.ShardCounters;
import org.cabrank.stream.ShardMemory;
import org.cabrank.stream.StreamReactor;

/**
 * Meters of a reactor: its pools (tag {@code pool}), shards (tag {@code shard}), connections, memory, and the histograms of the service
 * (tag {@code histogram}). Any thread.
 */
public final class ReactorMetrics implements MeterBinder {
    /** Percentiles of latencies, as tag {@code percentile}. */
    private static final List<String> PERCENTILES = List.of("50", "90", "99", "99.9", "100");

    private final StreamReactor reactor;
    private final Tags tags;

    /** @param tags of all meters; a process with several reactors needs tags that differ */
    public ReactorMetrics(StreamReactor reactor, Iterable<Tag> tags) {
        this.reactor = Objects.requireNonNull(reactor, "reactor");
        this.tags = Tags.of(Objects.requireNonNull(tags, "tags"));
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        bindReactor(new Meters<>(registry, reactor, tags));
        for (LeaderFollowersPool pool : reactor.pools()) {
            bindPool(new Meters<>(registry, pool, tags.and("pool", pool.name())));
        }
        for (ShardCounters shard : reactor.shardCounters()) {
            bindShard(
                    shard.shard(), new Meters<>(registry, reactor, tags.and("shard", Integer.toString(shard.shard()))));
        }
        for (LatencyHistogram histogram : reactor.histograms()) {
            Meters<LatencyHistogram> meters =
                    new Meters<>(registry, histogram, tags.and("histogram", histogram.name()));
            bindLatency(
                    meters,
                    "cabrank.service.duration",
                    "Durations that the service has recorded",
                    LatencyHistogram::read);
        }
    }

    private static void bindReactor(Meters<StreamReactor> meters) {
        meters.gauge(
                "cabrank.reactor.failed",
                "1 after the reactor has failed, else 0",
                reactor -> reactor.failure() == null ? 0 : 1);
        meters.gauge(
                "cabrank.connections.active",
                "Connections that stand",
                reactor -> reactor.use().connections());
        meters.counter(
                "cabrank.connections.opened",
                "Connections that have stood",
                reactor -> reactor.counters().opened());
        meters.counter(
                "cabrank.connections.closed",
                "Connections that have ended",
                reactor -> reactor.counters().closed());
        meters.counter(
                "cabrank.connections.over.limit",
                "Connections that were reset at once because of a limit",
                reactor -> reactor.counters().overLimit());
        meters.counter(
                "cabrank.accept.rate.pauses",
                "Pauses of listeners because of their accept rate",
                reactor -> reactor.counters().ratePauses());
        meters.counter(
                "cabrank.connects.timed.out",
                "Connects that took longer than their time-out",
                reactor -> reactor.closedAtLimits().connecting());
        meters.counter(
                "cabrank.reading.pauses",
                "Times that reading of a connection has paused because its peer did not read",
                reactor -> reactor.counters().readingPauses());
        meters.counter(
                "cabrank.descriptors.dropped",
                "Received descriptors that no handler has taken",
                reactor -> reactor.counters().descriptorsDropped());
        meters.bytesGauge(
                "cabrank.outbound.used",
                "Memory of queued bytes of all connections",
                reactor -> reactor.use().outboundBytes());
        meters.counter(
                "cabrank.outbound.refusals",
                "Writes that were refused because of the outbound limit of the reactor",
                reactor -> reactor.use().writesRefused());
        meters.bytesGauge(
                "cabrank.unread.used",
                "Memory of unread bytes of all connections",
                reactor -> reactor.use().unreadBytes());
        meters.counter(
                "cabrank.unread.refusals",
                "Chunks that were refused because of the unread limit of the reactor",
                reactor -> reactor.use().unreadRefused());
    }

    private static void bindPool(Meters<LeaderFollowersPool> meters) {
        meters.gauge(
                "cabrank.pool.live",
                "1 if every handle set of the pool is served, else 0",
                pool -> pool.liveness(Liveness.LIMIT_DEFAULT).isLive() ? 1 : 0);
        meters.gauge(
                "cabrank.pool.threads",
                "Threads that take part",
                pool -> pool.threads().size());
        meters.counter(
                "cabrank.pool.threads.added",
                "Threads that a growing pool has added",
                pool -> pool.counters().threadsAdded());
        meters.counter(
                "cabrank.pool.threads.ended",
                "Added threads that have ended because they were not needed",
                pool -> pool.counters().threadsEnded());
        meters.counter(
                "cabrank.pool.threads.refused",
                "Threads that could not be added",
                pool -> pool.counters().threadsRefused());
        meters.counter(
                "cabrank.pool.events.detected",
                "Events that the kernel has reported",
                pool -> pool.counters().detected());
        meters.counter(
                "cabrank.pool.events.processed",
                "Calls of handlers",
                pool -> pool.counters().processed());
        meters.counter(
                "cabrank.pool.takeovers",
                "Leaders that were replaced",
                pool -> pool.counters().takeovers());
        meters.with("kind", "eager")
                .counter(
                        "cabrank.pool.promotions",
                        "Leaderships handed over",
                        pool -> pool.counters().eagerPromotions());
        meters.with("kind", "handler")
                .counter(
                        "cabrank.pool.promotions",
                        "Leaderships handed over",
                        pool -> pool.counters().handlerPromotions());
        meters.with("kind", "leaving")
                .counter(
                        "cabrank.pool.promotions",
                        "Leaderships handed over",
                        pool -> pool.counters().leavingPromotions());
        meters.with("kind", "return")
                .counter(
                        "cabrank.pool.promotions",
                        "Leaderships handed over",
                        pool -> pool.counters().returnPromotions());
        meters.counter(
                "cabrank.pool.gaps.over.limit",
                "Times without a watching leader that were longer than the limit of deferred promotion",
                pool -> pool.counters().gapsOverLimit());
        meters.timeGauge(
                "cabrank.pool.gap.largest",
                "Longest time without a watching leader",
                pool -> pool.counters().largestGapNs());
        meters.counter(
                "cabrank.pool.failures",
                "Handlers that have thrown",
                pool -> pool.counters().failures());
        meters.counter(
                "cabrank.pool.queue.full",
                "Tasks and writes that were refused because a queue was full",
                pool -> pool.counters().queueFull());
        meters.counter(
                "cabrank.pool.events.stale",
                "Events of handles that were closed before",
                pool -> pool.counters().staleEvents());
        meters.counter(
                "cabrank.pool.waits.nested",
                "Waits for replies inside handlers",
                pool -> pool.counters().nestedWaits());
        meters.counter(
                "cabrank.pool.kernel.retries",
                "Errors of the kernel that have passed",
                LeaderFollowersPool::kernelRetries);
        meters.counter(
                "cabrank.pool.offloads.begun",
                "Work handed to executors",
                pool -> pool.offloadCounters().begun());
        meters.counter(
                "cabrank.pool.offloads.failed",
                "Offloaded work that has thrown",
                pool -> pool.offloadCounters().failed());
        bindLatency(
                meters,
                "cabrank.pool.processing.duration",
                "Durations of handlers, if the pool measures them",
                LeaderFollowersPool::latencyCounters);
    }

    private static <T> void bindLatency(
            Meters<T> meters, String name, String description, Function<T, LatencyCounters> read) {
        for (String percentile : PERCENTILES) {
            double percent = Double.parseDouble(percentile);
            meters.with("percentile", percentile)
                    .timeGauge(name, description, source -> read.apply(source).percentileNs(percent));
        }
        meters.counter(
                name + ".recorded",
                "Number of these durations",
                source -> read.apply(source).events());
    }

    private static void bindShard(int shard, Meters<StreamReactor> meters) {
        meters.gauge(
                "cabrank.shard.connections",
                "Connections that the shard serves",
                reactor -> counters(reactor, shard).connections());
        meters.counter(
                "cabrank.shard.events.detected",
                "Events that the kernel has reported",
                reactor -> counters(reactor, shard).detected());
        meters.bytesCounter(
                "cabrank.shard.received",
                "Bytes received",
                reactor -> counters(reactor, shard).receivedBytes());
        meters.bytesCounter(
                "cabrank.shard.sent",
                "Bytes that the kernel has taken",
                reactor -> counters(reactor, shard).sentBytes());
        meters.counter(
                "cabrank.shard.moved.in",
                "Connections moved to the shard",
                reactor -> counters(reactor, shard).movedIn());
        meters.counter(
                "cabrank.shard.moved.out",
                "Connections moved away",
                reactor -> counters(reactor, shard).movedOut());
        meters.counter(
                "cabrank.shard.accept.failures",
                "Accepts that have failed",
                reactor -> counters(reactor, shard).acceptFailures());
        meters.counter(
                "cabrank.shard.refused",
                "Connections that were accepted and closed unserved",
                reactor -> counters(reactor, shard).refused());
        meters.bytesGauge(
                "cabrank.shard.memory.used",
                "Memory for unread and queued bytes",
                reactor -> memory(reactor, shard).usedBytes());
        meters.bytesGauge(
                "cabrank.shard.memory.limit",
                "Bound of that memory",
                reactor -> memory(reactor, shard).limitBytes());
        meters.counter(
                "cabrank.shard.memory.refusals",
                "Chunks that were refused because of the bound",
                reactor -> memory(reactor, shard).refusals());
    }

    private static ShardCounters counters(StreamReactor reactor, int shard) {
        return reactor.shardCounters().get(shard);
    }

    private static ShardMemory memory(StreamReactor reactor, int shard) {
        return reactor.memory().get(shard);
    }
}
