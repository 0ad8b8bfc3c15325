package org.cabrank.bench.report;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.RunRecord.Counts;
import org.cabrank.bench.report.RunRecord.Latency;
import org.cabrank.bench.report.RunRecord.Measured;
import org.cabrank.bench.report.RunRecord.Usage;
import org.cabrank.bench.report.target.Targets;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.Needs;

/** A whole report of runs that never took place, from a model of servers and a source of noise with a seed. */
public final class MadeUp {

    public static final String BASELINE = "netty-epoll";
    public static final String CONTROL = "netty-epoll-again";

    private static final String ECHO = "echo";

    private final Random random;
    private final List<Server> servers;
    private double noise = 0.01;
    private int rounds = 3;
    private int slices = 3;
    private int answersKept = 2_000;

    /**
     * Behaviour of a made-up server.
     *
     * @param speed relative to the baseline's speed
     * @param userUs CPU time in µs of each request in user mode
     * @param loops number of slow requests that the server can process without delaying others
     */
    public record Server(String name, ContenderKind kind, double speed, double userUs, int loops) {}

    public MadeUp(long seed, Server... servers) {
        random = new Random(seed);
        this.servers = List.of(servers);
    }

    /** The contenders that a machine with everything has. */
    public static MadeUp everything(long seed) {
        return new MadeUp(
                seed,
                new Server("cabrank-epoll-1", ContenderKind.CABRANK, 1.05, 0.22, 1),
                new Server("cabrank-epoll-eager", ContenderKind.CABRANK, 0.96, 0.45, 4),
                new Server("cabrank-epoll-deferred", ContenderKind.CABRANK, 1.00, 0.30, 4),
                new Server("cabrank-iouring-owner", ContenderKind.CABRANK, 1.08, 0.26, 1),
                new Server("cabrank-iouring-shared", ContenderKind.CABRANK, 1.02, 0.40, 4),
                new Server("hshr", ContenderKind.JAVA, 0.70, 0.90, 4),
                new Server("nio", ContenderKind.JAVA, 1.00, 0.31, 1),
                new Server("netty-nio", ContenderKind.JAVA, 0.95, 0.68, 1),
                new Server(BASELINE, ContenderKind.JAVA, 1.00, 0.62, 1),
                new Server(CONTROL, ContenderKind.CONTROL, 1.00, 0.62, 1),
                new Server("netty-iouring", ContenderKind.JAVA, 1.03, 0.50, 1),
                new Server("virtual-threads", ContenderKind.JAVA, 0.78, 1.10, 100),
                new Server("c-epoll", ContenderKind.LIMIT, 1.08, 0.12, 1),
                new Server("c-iouring", ContenderKind.LIMIT, 1.13, 0.15, 1));
    }

    /** Sets the noise of measurements: the standard deviation of a result's logarithm. */
    public MadeUp noise(double deviation) {
        noise = deviation;
        return this;
    }

    /** Sets the number of latencies recorded in each run; low for tests that do not check latencies. */
    public MadeUp answersKept(int count) {
        answersKept = count;
        return this;
    }

    public MadeUp rounds(int count, int slicesOfEach) {
        rounds = count;
        slices = slicesOfEach;
        return this;
    }

    /** The default set. */
    public static List<ScenarioInfo> scenarios() {
        List<CellInfo> pingPong = new ArrayList<>(Stream.of(1, 8, 64, 512, 4_096)
                .map(count -> pingPong(count, 64, "64B"))
                .toList());
        pingPong.add(pingPong(64, 1 << 10, "1KiB"));
        pingPong.add(pingPong(64, 16 << 10, "16KiB"));
        LoadTraffic usual = LoadTraffic.pingPong(64, 64);
        return List.of(
                new ScenarioInfo(
                        "ping-pong", "One request at a time on each connection: what an event costs.", pingPong),
                new ScenarioInfo(
                        "pipelined",
                        "16 requests on the way on each connection: what a request costs when events are shared.",
                        List.of(cell("pipelined/64x64Bx16", "64 x 64 B, 16 deep", usual.withDepth(16)))),
                new ScenarioInfo(
                        "churn",
                        "Connect, one request, close: what a connection costs.",
                        List.of(cell("churn/64", "64 at a time", usual))),
                new ScenarioInfo(
                        "idle-mass",
                        "8,000 connections that send nothing beside 64 that do.",
                        List.of(cell("idle-mass/8000+64", "8,000 idle", usual.withIdle(8_000)))),
                new ScenarioInfo(
                        "slow",
                        "A few requests block their thread: who waits for them.",
                        List.of(
                                slow("slow/1permille-5ms", "0.1 % x 5 ms", usual, new SlowRequests(1, 5_000_000)),
                                slow("slow/10permille-1ms", "1 % x 1 ms", usual, new SlowRequests(10, 1_000_000)))),
                new ScenarioInfo(
                        "rate",
                        "Requests at a fixed rate, latency from the time at which each was to be sent.",
                        Stream.of(0.25, 0.5, 0.75)
                                .map(share -> new Cell(
                                                "rate/" + Math.round(share * 100) + "%",
                                                Math.round(share * 100) + " % of capacity",
                                                Needs.ECHO,
                                                usual,
                                                share)
                                        .info(160_000))
                                .toList()));
    }

    private static CellInfo pingPong(int connections, int size, String sizeText) {
        String label = connections + "x" + sizeText;
        return cell("ping-pong/" + label, connections + " x " + sizeText, LoadTraffic.pingPong(connections, size));
    }

    private static CellInfo slow(String id, String label, LoadTraffic traffic, SlowRequests slow) {
        return new Cell(id, label, new Needs(Protocol.ECHO, slow), traffic, 0).info(0);
    }

    /** A cell of an echo without slow requests and without a rate. */
    public static CellInfo cell(String id, String label, LoadTraffic traffic) {
        return new Cell(id, label, Needs.ECHO, traffic, 0).info(0);
    }

    public BenchReport report() {
        return report(scenarios());
    }

    public BenchReport report(List<ScenarioInfo> scenarios) {
        return report(scenarios, runs(scenarios));
    }

    /** A report of the runs, with this object's servers as contenders. */
    public BenchReport report(List<ScenarioInfo> scenarios, List<RunRecord> runs) {
        List<ContenderInfo> contenders = servers.stream()
                .map(server -> new ContenderInfo(
                        server.name(), server.kind(), List.of("TCP_NODELAY", "backlog 4096"), List.of("-Xmx256m")))
                .toList();
        List<String> names = servers.stream().map(Server::name).toList();
        String control = names.contains(CONTROL) ? CONTROL : null;
        List<CellResult> cells = CellSummaries.of(scenarios, names, BASELINE, control, runs);
        return new BenchReport(
                BenchReport.FORMAT,
                "2026-01-01T00:00:00Z",
                true,
                List.of("bench", "--rounds", Integer.toString(rounds)),
                Map.of("cabrank", "0.1.0", "netty", "4.2.0", "kernel binding", "panama"),
                new BenchReport.Machine("6.18.0", "amd64", "A made-up CPU", "0-1", 8_000_000),
                new BenchReport.Jvm("25+36", "A vendor", "/jdk", List.of("-XX:+UseSerialGC")),
                new BenchReport.Cpus("1", "0", false, "Servers run on CPU 1, the load generator on CPU 0."),
                new BenchReport.Settings(rounds, slices, 500_000_000, 1_000_000_000, 1, 0, 0, 2_000_000, "none"),
                scenarios,
                contenders,
                Map.of("http", "wrk is not installed"),
                List.of("None of this was measured."),
                BASELINE,
                control,
                cells,
                Targets.of(scenarios, contenders, cells),
                runs);
    }

    public List<RunRecord> runs(List<ScenarioInfo> scenarios) {
        List<RunRecord> runs = new ArrayList<>();
        for (ScenarioInfo scenario : scenarios) {
            for (CellInfo cell : scenario.cells()) {
                for (int round = 1; round <= rounds; round++) {
                    for (int slice = 1; slice <= slices; slice++) {
                        addSlice(runs, scenario, cell, round, slice);
                    }
                }
            }
        }
        return runs;
    }

    private void addSlice(List<RunRecord> runs, ScenarioInfo scenario, CellInfo cell, int round, int slice) {
        // The machine's speed varies over the bench, and affects all servers of a slice equally.
        double machine = Math.exp(0.1 * random.nextGaussian());
        int position = 1;
        for (Server server : servers) {
            runs.add(new RunRecord(
                            round,
                            position++,
                            server.name(),
                            null,
                            "",
                            "backend made-up; of " + server.name(),
                            300_000_000,
                            null,
                            measured(scenario, cell, server, machine))
                    .in(cell.id(), slice));
        }
    }

    private Measured measured(ScenarioInfo scenario, CellInfo cell, Server server, double machine) {
        double usOfRequest = 6 / server.speed() * (cell.depth() > 1 ? 0.3 : 1) * (1 + cell.sizeBytes() / 20e3);
        double scenarioFactor = scenario.name().equals("churn") ? 0.1 : cell.connections() == 1 ? 0.3 : 1;
        double slow = cell.slowPermille() / 1e3 * cell.slowTimeNs() / 1e3 / server.loops();
        double capacity = 1e6 / (usOfRequest + slow) * scenarioFactor * machine * noisy();
        double rate = cell.ratePerSecond() > 0 ? cell.ratePerSecond() : capacity;
        long answers = Math.round(rate);
        long cpuNs = Math.round(answers * usOfRequest * 1e3 * noisy());
        long userTicks = Math.round(1_000 * server.userUs() / usOfRequest);
        Histogram latencies = latencies(cell, server, capacity, rate);
        boolean ring = server.name().contains("iouring");
        return new Measured(
                answers,
                1_000_000_000,
                new Latency(
                        latencies.getValueAtPercentile(50),
                        latencies.getValueAtPercentile(99),
                        latencies.getValueAtPercentile(99.9),
                        latencies.getMaxValue(),
                        latencies.getStdDeviation()),
                new Usage(
                        cpuNs, ring ? cpuNs / 20 : 0, 0, userTicks, 1_000 - userTicks, answers / 50, 3, 1_000_000_000),
                server.kind() == ContenderKind.LIMIT ? 0 : answers / 10,
                new Usage(900_000_000, 0, 0, 30, 60, 10, 0, 1_000_000_000),
                List.of(),
                text(latencies),
                Map.of(),
                new Counts(answers * (ring ? 1 : 2), 1L, 2_000_000L, answers * 9_000, answers * 12_000, answers * 3),
                cell.idleConnections() > 0 ? server.userUs() * 1_500 : null,
                null);
    }

    private Histogram latencies(CellInfo cell, Server server, double capacity, double rate) {
        Histogram histogram = new Histogram(3);
        histogram.setAutoResize(true);
        double typicalUs = cell.ratePerSecond() > 0
                ? 20 / Math.max(0.05, 1 - rate / capacity)
                : 1e6 * cell.connections() * cell.depth() / capacity;
        for (int i = 0; i < answersKept; i++) {
            double us = typicalUs * (0.6 + 0.2 * random.nextDouble() + 0.2 / (0.02 + random.nextDouble()) * 0.5);
            boolean waits =
                    cell.slowPermille() > 0 && random.nextInt(1_000) < cell.slowPermille() * 40 / server.loops();
            histogram.recordValue(Math.round(1e3 * (us + (waits ? cell.slowTimeNs() / 1e3 : 0))));
        }
        return histogram;
    }

    private double noisy() {
        return Math.exp(noise * random.nextGaussian());
    }

    private static String text(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        byte[] bytes = new byte[length];
        buffer.flip();
        buffer.get(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }
}
