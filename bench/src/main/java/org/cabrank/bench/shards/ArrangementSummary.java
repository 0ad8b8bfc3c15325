package org.cabrank.bench.shards;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.cabrank.bench.report.RunRecord.Measured;
import org.cabrank.bench.report.ShardLoad;
import org.cabrank.bench.report.Statistics;
import org.cabrank.lf.observe.Contention;

/**
 * One arrangement over all rounds: medians where nothing else is said; NaN where no round went well.
 *
 * @param rounds how many went well
 * @param failures how many did not
 * @param maxUs the highest latency of all rounds
 * @param cpuUsPerRequest of the server
 * @param switchesPerRequest context switches of the server
 * @param migrationsPerSecond of the server's threads from one CPU to another; NaN where the kernel does not tell
 * @param connectionImbalance the connections of the shard that had the most, in terms of the mean: 1 is even
 * @param requestImbalance the same for requests, by the bytes received
 * @param promotionsPerEvent hand-overs of leadership before an event is processed
 * @param takeoversPerSecond by standbys from leaders that processed for too long
 * @param contended shards whose threads stood in one another's way, in the worst round
 * @param contention of the worst of these, in words; empty where there is none
 * @param serverBusy how many CPUs the server kept busy
 * @param loadBusy how many the load generator did
 */
public record ArrangementSummary(
        Arrangement arrangement,
        int rounds,
        int failures,
        double requestsPerSecond,
        double requestsPerSecondMin,
        double requestsPerSecondMax,
        double p50Us,
        double p99Us,
        double p999Us,
        double maxUs,
        double cpuUsPerRequest,
        double switchesPerRequest,
        double migrationsPerSecond,
        double connectionImbalance,
        double requestImbalance,
        double promotionsPerEvent,
        double takeoversPerSecond,
        int contended,
        String contention,
        double serverBusy,
        double loadBusy) {

    static ArrangementSummary of(Arrangement arrangement, List<ShardsRun> runs) {
        List<ShardsRun> own = runs.stream()
                .filter(run -> run.arrangement().equals(arrangement))
                .toList();
        List<Measured> good = own.stream()
                .filter(run -> !run.run().failed())
                .map(run -> run.run().measured())
                .toList();
        List<Double> rates = each(good, Measured::requestsPerSecond);
        return new ArrangementSummary(
                arrangement,
                good.size(),
                own.size() - good.size(),
                Statistics.median(rates),
                Statistics.min(rates),
                Statistics.max(rates),
                median(good, run -> run.latency().p50Ns() / 1e3),
                median(good, run -> run.latency().p99Ns() / 1e3),
                median(good, run -> run.latency().p999Ns() / 1e3),
                Statistics.max(each(good, run -> run.latency().maxNs() / 1e3)),
                median(good, run -> run.server().cpuNs() / 1e3 / run.answers()),
                median(good, run -> (double) run.server().switches() / run.answers()),
                median(good, run -> run.server().migrationsPerSecond()),
                median(good, run -> ShardLoad.connectionImbalance(run.shards())),
                median(good, run -> ShardLoad.byteImbalance(run.shards())),
                median(good, run -> sum(run, ShardLoad::promotions) / Math.max(1, sum(run, ShardLoad::events))),
                median(good, run -> sum(run, ShardLoad::takeovers) * 1e9 / run.elapsedNs()),
                good.stream()
                        .mapToInt(run -> (int)
                                contentions(run).filter(Contention::contended).count())
                        .max()
                        .orElse(0),
                good.stream()
                        .flatMap(ArrangementSummary::contentions)
                        .filter(Contention::contended)
                        .max(Comparator.comparingDouble(Contention::wakeupsPerEvent))
                        .map(Contention::toString)
                        .orElse(""),
                median(good, run -> run.server().cpusBusy()),
                median(good, run -> run.load().cpusBusy()));
    }

    private static Stream<Contention> contentions(Measured run) {
        return run.shards().stream().map(shard -> shard.contention(run.elapsedNs()));
    }

    private static double sum(Measured run, ToDoubleFunction<ShardLoad> what) {
        return run.shards().stream().mapToDouble(what).sum();
    }

    private static double median(List<Measured> runs, ToDoubleFunction<Measured> value) {
        return Statistics.median(each(runs, value));
    }

    private static List<Double> each(List<Measured> runs, ToDoubleFunction<Measured> value) {
        return runs.stream().map(value::applyAsDouble).toList();
    }
}
