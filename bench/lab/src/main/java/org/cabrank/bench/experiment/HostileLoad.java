package org.cabrank.bench.experiment;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadResult;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.Table;
import org.cabrank.bench.run.Child;
import org.cabrank.bench.run.ChildFailedException;
import org.cabrank.bench.run.Progress;
import org.cabrank.bench.run.Stage;
import org.cabrank.kernel.Kernel;

/**
 * {@code cabrank bench hostile}: a well-behaved client of each backend, first alone and then, connected anew, beside clients
 * that try to exhaust the server.
 */
public final class HostileLoad extends VariantsExperiment<String, HostileLoad.Result> {

    private static final long WARMUP_NS = 1_000_000_000L;
    private static final int CONNECTIONS = 16;
    private static final int RATE_MAX = 1_000_000;

    private final Settings settings;
    private final Kernel kernel;

    /**
     * Result of one backend.
     *
     * @param before the well-behaved client alone
     * @param during the well-behaved client, connected anew, beside the hostile ones; null after a failure
     * @param hostileMade number of hostile connections that were made
     * @param hostileReset number of these that their client has reset on purpose
     * @param hostileEnded number of these that the server has ended or refused
     * @param server memory and counters of the server at the end
     */
    public record Result(
            ClientResult before,
            ClientResult during,
            long hostileMade,
            long hostileReset,
            long hostileEnded,
            String server) {}

    /**
     * Settings of the experiment.
     *
     * @param backends that serve, one after the other
     * @param durationNs length in ns of each of the two measured intervals
     * @param rate requests per second of the well-behaved client
     * @param crowd the hostile connections
     * @param directMemoryMiB direct memory that the server may use, in MiB
     * @param serverCpus null: one CPU
     * @param loadCpus null: one or two other CPUs, if there are any
     */
    public record Settings(
            List<String> backends,
            long durationNs,
            long rate,
            HostileCrowd crowd,
            int directMemoryMiB,
            CpuList serverCpus,
            CpuList loadCpus) {

        /** @throws IllegalArgumentException with a message that states the expected range */
        public Settings {
            backends = List.copyOf(backends);
            if (durationNs <= 0) {
                throw new IllegalArgumentException("--duration is 0: nothing would be measured");
            }
            if (rate < 1 || rate > RATE_MAX) {
                throw new IllegalArgumentException("--rate is " + rate + ", expected 1 to " + RATE_MAX);
            }
            if (directMemoryMiB < 1) {
                throw new IllegalArgumentException("--direct-memory is " + directMemoryMiB + ", expected 1 or more");
            }
        }
    }

    /** @throws IllegalArgumentException if the settings ask for CPUs that this process may not use */
    public HostileLoad(Settings settings, Output output, Kernel kernel) throws IOException {
        super(
                output,
                new Stage(kernel, settings.serverCpus(), settings.loadCpus()),
                settings,
                new Schedule<>(
                        1, settings.backends(), 2.0 * (settings.durationNs() + WARMUP_NS) + Progress.TURN_OVERHEAD_NS));
        this.settings = settings;
        this.kernel = kernel;
    }

    @Override
    String label(String backend) {
        return backend;
    }

    @Override
    List<Figure<Result>> figures() {
        return List.of(
                Figure.less("p99Before", "p99 us", 0, result -> result.before().p99Ns() / 1e3),
                Figure.less("p99During", "p99 us", 0, result -> result.during().p99Ns() / 1e3));
    }

    @Override
    VariantRun<String, Result> measure(String backend, int round, int position)
            throws IOException, InterruptedException, ChildFailedException {
        List<String> flags = List.of("-XX:MaxDirectMemorySize=" + settings.directMemoryMiB() + "m");
        try (Child server = stage().startServer(backend, flags, HostileServer.class, List.of(backend))) {
            int port = Integer.parseInt(server.await(ServedUntilInputEnds.LISTENING, ServedUntilInputEnds.TIMEOUT_NS));
            ClientResult before = measureClient(port);
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            try (HostileClients hostile = new HostileClients(address, settings.crowd())) {
                if (!hostile.awaitStanding(ServedUntilInputEnds.TIMEOUT_NS)) {
                    return new VariantRun<>(
                            backend,
                            round,
                            position,
                            "the server still reads from connections that never read, 60 s after they were made",
                            null);
                }
                ClientResult during = measureClient(port);
                server.send("counters");
                String counters = server.await(ServedUntilInputEnds.COUNTERS, ServedUntilInputEnds.TIMEOUT_NS);
                return trial(
                        backend,
                        new Result(before, during, hostile.made(), hostile.reset(), hostile.ended(), counters));
            }
        }
    }

    /** A turn fails if a request of the well-behaved client was not answered right. */
    static VariantRun<String, Result> trial(String backend, Result result) {
        String failure = Stream.of(
                        result.before().failure("before"), result.during().failure("during"))
                .filter(Objects::nonNull)
                .collect(Collectors.joining("; "));
        return new VariantRun<>(backend, 1, 1, failure.isEmpty() ? null : failure, result);
    }

    private ClientResult measureClient(int port) throws IOException, InterruptedException {
        LoadGenerator load = ClientResult.start(
                kernel,
                port,
                LoadTraffic.pingPong(CONNECTIONS, HostileServer.REQUEST_BYTES).withRate(settings.rate()));
        LoadResult result;
        try {
            load.awaitConnected();
            load.run(WARMUP_NS);
            load.beginMeasuring();
            load.run(settings.durationNs());
            load.endMeasuring();
        } finally {
            result = load.finish();
        }
        return ClientResult.of(result);
    }

    /** A row of the table. */
    private record Row(String backend, String hostile, ClientResult client) {}

    @Override
    protected String table(ExperimentReport<String, Result> report) {
        List<Row> rows = new ArrayList<>();
        StringBuilder notes = new StringBuilder();
        for (VariantRun<String, Result> trial : report.trials()) {
            Result result = trial.result();
            if (result != null) {
                rows.add(new Row(trial.variant(), "none yet", result.before()));
                rows.add(new Row(trial.variant(), "present", result.during()));
                notes.append(trial.variant() + ": " + result.hostileMade() + " hostile connections, "
                        + result.hostileReset() + " of them reset by their client; " + result.hostileEnded()
                        + " ended or refused by the server. Server: " + result.server() + "\n");
            }
        }
        List<Column<Row>> columns = List.of(
                new Column<>("backend", Row::backend),
                new Column<>("hostile clients", Row::hostile),
                column("answers", client -> (double) client.answers()),
                column("p50 us", client -> client.p50Ns() / 1e3),
                column("p99 us", client -> client.p99Ns() / 1e3),
                column("p99.9 us", client -> client.p999Ns() / 1e3),
                column("max us", client -> client.maxNs() / 1e3));
        HostileCrowd crowd = settings.crowd();
        return table(columns, 1, rows) + "Well-behaved: " + settings.rate() + " requests/s over " + CONNECTIONS
                + " connections, each answer compared; latency counts from the time a request was meant to be sent.\n"
                + "Hostile: " + crowd.halfOpen() + " half-open, " + crowd.unread() + " with a byte unread, "
                + crowd.neverRead() + " that never read, " + crowd.dribble() + " that dribble, and "
                + crowd.resetsPerRound() + " resets every 10 ms. The server may use " + settings.directMemoryMiB()
                + " MiB of direct memory.\n" + notes + failedTrials(report.results());
    }

    private static Column<Row> column(String title, Function<ClientResult, Double> figure) {
        return new Column<>(title, row -> Table.number(figure.apply(row.client()), 0));
    }
}
