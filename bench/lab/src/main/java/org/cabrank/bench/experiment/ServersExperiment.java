package org.cabrank.bench.experiment;

import java.io.IOException;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.RunRecord.Measured;
import org.cabrank.bench.report.ShardLoad;
import org.cabrank.bench.run.Runner;
import org.cabrank.bench.run.RunnerSettings;
import org.cabrank.bench.run.Stage;
import org.cabrank.lf.observe.Contention;

/**
 * An experiment whose variants are servers of the bench, all under the same load.
 *
 * @param <V> variants of the experiment
 */
abstract class ServersExperiment<V> extends VariantsExperiment<V, RunRecord> {

    static final Figure<RunRecord> THROUGHPUT = more("throughput", "Requests/s", 0, Measured::requestsPerSecond);
    static final Figure<RunRecord> P50 =
            less("p50", "Latency p50, us", 0, run -> run.latency().p50Ns() / 1e3);
    static final Figure<RunRecord> P99 =
            less("p99", "Latency p99, us", 0, run -> run.latency().p99Ns() / 1e3);
    static final Figure<RunRecord> P999 =
            less("p999", "Latency p99.9, us", 0, run -> run.latency().p999Ns() / 1e3);
    static final Figure<RunRecord> MAX_LATENCY =
            less("max", "Latency max, us", 0, run -> run.latency().maxNs() / 1e3);
    static final Figure<RunRecord> JITTER = less(
            "jitter",
            "Jitter (standard deviation of the latency), us",
            0,
            run -> run.latency().stdDevNs() / 1e3);
    static final Figure<RunRecord> CPU = less(
            "cpu",
            "CPU time of the server per request, us",
            1,
            run -> run.server().cpuNs() / 1e3 / run.answers());
    static final Figure<RunRecord> SWITCHES = less(
            "switches",
            "Context switches of the server per request",
            3,
            run -> (double) run.server().switches() / run.answers());
    static final Figure<RunRecord> ALLOCATED =
            less("allocated", "Bytes allocated by the server per request", 1, Measured::allocatedBytesPerRequest);
    /** NaN if the kernel does not report migrations. */
    static final Figure<RunRecord> MIGRATIONS = less(
            "migrations",
            "Migrations of the server's threads per second",
            1,
            run -> run.server().migrationsPerSecond());

    static final Figure<RunRecord> CONNECTION_IMBALANCE = less(
            "connectionImbalance",
            "Connections of the shard with the most, relative to the mean",
            2,
            run -> ShardLoad.connectionImbalance(run.shards()));
    static final Figure<RunRecord> REQUEST_IMBALANCE = less(
            "requestImbalance",
            "Bytes received by the busiest shard, relative to the mean",
            2,
            run -> ShardLoad.byteImbalance(run.shards()));
    static final Figure<RunRecord> PROMOTIONS = less(
            "promotions",
            "Promotions per event",
            3,
            run -> sum(run, ShardLoad::promotions) / Math.max(1, sum(run, ShardLoad::events)));
    static final Figure<RunRecord> TAKEOVERS =
            less("takeovers", "Takeovers per second", 1, run -> sum(run, ShardLoad::takeovers) * 1e9 / run.elapsedNs());
    static final Figure<RunRecord> CONTENDED =
            less("contended", "Contended shards", 0, run -> contended(run).size());
    static final Figure<RunRecord> SERVER_BUSY = less(
            "serverBusy",
            "CPUs that the server kept busy",
            2,
            run -> run.server().cpusBusy());
    static final Figure<RunRecord> LOAD_BUSY = less(
            "loadBusy",
            "CPUs that the load generator kept busy",
            2,
            run -> run.load().cpusBusy());

    /** Part of its CPUs above which a process is limited by them. */
    static final double SATURATED = 0.95;

    private final RunnerSettings runs;
    private Runner runner;

    ServersExperiment(Output output, Stage stage, RunnerSettings runs, Object settings, Schedule<V> schedule) {
        super(output, stage, settings, schedule);
        this.runs = runs;
    }

    abstract Contender contender(V variant);

    abstract ServerSettings server(V variant);

    /** Shards of a successful run whose threads impeded one another at the leadership word. */
    static List<Contention> contended(Measured run) {
        return run.shards().stream()
                .map(shard -> shard.contention(run.elapsedNs()))
                .filter(Contention::contended)
                .toList();
    }

    @Override
    protected final void takeTurns() throws IOException, InterruptedException {
        try (Runner all = runner(runs)) {
            runner = all;
            super.takeTurns();
        }
    }

    @Override
    final VariantRun<V, RunRecord> measure(V variant, int round, int position)
            throws IOException, InterruptedException {
        RunRecord run = runner.run(round, position, contender(variant), server(variant));
        return new VariantRun<>(variant, round, position, run.failure(), run);
    }

    private static Figure<RunRecord> more(String key, String title, int digits, ToDoubleFunction<Measured> value) {
        return Figure.more(key, title, digits, run -> value.applyAsDouble(run.measured()));
    }

    private static Figure<RunRecord> less(String key, String title, int digits, ToDoubleFunction<Measured> value) {
        return Figure.less(key, title, digits, run -> value.applyAsDouble(run.measured()));
    }

    private static double sum(Measured run, ToDoubleFunction<ShardLoad> count) {
        return run.shards().stream().mapToDouble(count).sum();
    }
}
