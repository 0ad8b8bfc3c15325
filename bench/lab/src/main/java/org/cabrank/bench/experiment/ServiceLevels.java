package org.cabrank.bench.experiment;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.Scheduler;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.Spread;
import org.cabrank.bench.run.Child;
import org.cabrank.bench.run.ChildFailedException;
import org.cabrank.bench.run.Progress;
import org.cabrank.bench.run.Stage;
import org.cabrank.kernel.Kernel;

/**
 * {@code cabrank bench service-levels}: latency of urgent requests that arrive at a steady low rate, while other connections
 * flood the same CPU.
 */
public final class ServiceLevels extends VariantsExperiment<PoolPriorities, ServiceLevels.Result> {

    /** Enough that the rate does not fail for want of a free connection, even if an answer takes 20 ms. */
    private static final int URGENT_CONNECTIONS = 32;

    private static final int SIZE_BYTES = 64;

    private static final Figure<Result> URGENT_P50 = latency("urgentP50", "urgent p50 us", ClientResult::p50Ns);
    private static final Figure<Result> URGENT_P99 = latency("urgentP99", "p99 us", ClientResult::p99Ns);
    private static final Figure<Result> URGENT_P999 = latency("urgentP999", "p99.9 us", ClientResult::p999Ns);
    private static final Figure<Result> URGENT_MAX = latency("urgentMax", "max us", ClientResult::maxNs);
    private static final Figure<Result> BULK =
            Figure.more("bulk", "bulk requests/s", 0, result -> result.bulk().answersPerSecond());

    private final Settings settings;
    private final Kernel kernel;

    /** Both classes of clients. */
    public record Result(ClientResult urgent, ClientResult bulk) {}

    /**
     * Settings of the experiment.
     *
     * @param rounds number of measurements of each variant
     * @param warmupNs load time in ns before each measured interval
     * @param durationNs length of the measured interval in ns
     * @param threads of the server, an even number: half for each level if there are two pools
     * @param workNs CPU time in ns that each request takes
     * @param urgentRate urgent requests per second
     * @param bulkConnections number of connections that have a request under way all the time
     * @param serverCpus null: one CPU
     * @param loadCpus null: one or two other CPUs, if there are any
     */
    public record Settings(
            int rounds,
            long warmupNs,
            long durationNs,
            int threads,
            long workNs,
            long urgentRate,
            int bulkConnections,
            CpuList serverCpus,
            CpuList loadCpus) {

        public Settings {
            check("rounds", rounds, 1_000);
            check("threads", threads, 64);
            check("urgent rate", urgentRate, 1_000_000);
            if (threads % 2 != 0) {
                throw new IllegalArgumentException("threads is " + threads + ", expected an even number, to share out");
            }
            if (durationNs <= 0) {
                throw new IllegalArgumentException("--duration is 0: nothing would be measured");
            }
        }

        private static void check(String what, long value, long most) {
            if (value < 1 || value > most) {
                throw new IllegalArgumentException(what + " is " + value + ", expected 1 to " + most);
            }
        }
    }

    /** @throws IllegalArgumentException if the settings ask for CPUs that this process may not use */
    public ServiceLevels(Settings settings, Output output, Kernel kernel) throws IOException {
        super(
                output,
                new Stage(kernel, settings.serverCpus(), settings.loadCpus()),
                settings,
                new Schedule<>(
                        settings.rounds(),
                        List.of(PoolPriorities.values()),
                        settings.warmupNs() + settings.durationNs() + Progress.TURN_OVERHEAD_NS));
        this.settings = settings;
        this.kernel = kernel;
    }

    private static Figure<Result> latency(String key, String title, ToLongFunction<ClientResult> ns) {
        return Figure.less(key, title, 0, result -> ns.applyAsLong(result.urgent()) / 1e3);
    }

    @Override
    String label(PoolPriorities pools) {
        return pools.label();
    }

    @Override
    List<Figure<Result>> figures() {
        return List.of(URGENT_P50, URGENT_P99, URGENT_P999, URGENT_MAX, BULK);
    }

    @Override
    VariantRun<PoolPriorities, Result> measure(PoolPriorities pools, int round, int position)
            throws IOException, InterruptedException, ChildFailedException {
        checkPermitted(pools);
        try (Child server = stage().startServer(
                        pools.label(),
                        ServiceLevelsServer.class,
                        ServiceLevelsServer.arguments(pools, settings.threads(), settings.workNs()))) {
            String[] ports = server.await(ServedUntilInputEnds.LISTENING, ServedUntilInputEnds.TIMEOUT_NS)
                    .split(" ");
            LoadGenerator bulk = load(ports[1], settings.bulkConnections(), 0);
            LoadGenerator urgent = load(ports[0], URGENT_CONNECTIONS, settings.urgentRate());
            try {
                bulk.awaitConnected();
                urgent.awaitConnected();
                urgent.run(settings.warmupNs());
                bulk.beginMeasuring();
                urgent.beginMeasuring();
                urgent.run(settings.durationNs());
                urgent.endMeasuring();
                bulk.endMeasuring();
            } finally {
                urgent.finish();
                bulk.finish();
            }
            return trial(
                    pools,
                    round,
                    position,
                    new Result(ClientResult.of(urgent.finish()), ClientResult.of(bulk.finish())));
        }
    }

    /** A turn without an urgent answer fails. */
    static VariantRun<PoolPriorities, Result> trial(PoolPriorities pools, int round, int position, Result result) {
        String failure = Stream.of(
                        result.urgent().failure("urgent"),
                        result.bulk().errors().isEmpty() ? null : result.bulk().failure("bulk"))
                .filter(Objects::nonNull)
                .collect(Collectors.joining("; "));
        return new VariantRun<>(pools, round, position, failure.isEmpty() ? null : failure, result);
    }

    /** Tries the policy on a thread that ends afterwards: a server may do what this process may do. */
    private void checkPermitted(PoolPriorities pools) throws InterruptedException, ContenderUnavailableException {
        if (pools.urgent() == null) {
            return;
        }
        AtomicReference<String> refusal = new AtomicReference<>();
        Thread trying = new Thread(
                () -> {
                    try {
                        new Scheduler(kernel).apply(pools.urgent());
                    } catch (IOException refused) {
                        refusal.set(refused.getMessage());
                    }
                },
                "try-scheduling");
        trying.start();
        trying.join();
        if (refusal.get() != null) {
            throw new ContenderUnavailableException(refusal.get());
        }
    }

    private LoadGenerator load(String port, int connections, long rate) throws IOException {
        return ClientResult.start(
                kernel,
                Integer.parseInt(port),
                LoadTraffic.pingPong(connections, SIZE_BYTES).withRate(rate));
    }

    @Override
    protected String table(ExperimentReport<PoolPriorities, Result> report) {
        VariantRuns<PoolPriorities, Result> trials = report.results();
        List<Column<PoolPriorities>> columns = List.of(
                new Column<>("arrangement", PoolPriorities::label),
                column(trials, URGENT_P50),
                column(trials, URGENT_P99),
                column(trials, URGENT_P999),
                column(trials, URGENT_MAX),
                column(trials, BULK),
                new Column<>("min-max", pools -> range(trials.spread(pools, BULK))),
                new Column<>(
                        "rounds",
                        pools -> Integer.toString(trials.results(pools).size())));
        List<PoolPriorities> rows = variants().stream()
                .filter(pools -> !trials.results(pools).isEmpty())
                .toList();
        StringBuilder text = new StringBuilder(table(columns, 1, rows));
        text.append("Medians over the rounds. Urgent: " + settings.urgentRate() + " requests/s over "
                + URGENT_CONNECTIONS
                + " connections; latency counts from the time a request was meant to be sent.\nBulk: "
                + settings.bulkConnections() + " connections with a request under way all the time.\n");
        return text.append(leftOutLines(report.leftOut()))
                .append(failedTrials(trials))
                .toString();
    }

    private static Column<PoolPriorities> column(VariantRuns<PoolPriorities, Result> trials, Figure<Result> figure) {
        return new Column<>(figure.title(), pools -> trials.text(pools, figure));
    }

    private static String range(Spread perSecond) {
        return BULK.format(perSecond.min()) + "-" + BULK.format(perSecond.max());
    }
}
