package org.cabrank.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.ServerSettings.ShardSettings;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.compare.Regressions;
import org.cabrank.bench.run.Experiment;
import org.cabrank.bench.run.Lab;
import org.cabrank.bench.run.LabSettings;
import org.cabrank.bench.run.VethNetwork;
import org.cabrank.bench.run.Wrk;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.Feasible;
import org.cabrank.bench.scenario.Net;
import org.cabrank.bench.scenario.Scenario;
import org.cabrank.bench.scenario.Scenarios;
import org.cabrank.bench.scenario.Wishes;
import org.cabrank.stream.AcceptMode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code cabrank bench}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Compares servers on this machine side by side: Cabrank, what people use today, and the same again as a control.",
            "Scenarios have cells; in each slice of each cell every contender is measured in turn, and in each round all are"
                    + " started anew. Prints how long it is going to take. Cells whose ratios are within ± 5 %% stop early,"
                    + " noisy ones go on, for a quarter of an hour in all.",
            "Contenders by default: five of the most important ones; with --scenario or --full all that are servers of their own. By name"
                    + " only: cabrank-epoll-fair; cabrank-epoll-spin, cabrank-iouring-spin, cabrank-epoll-spin50us;"
                    + " cabrank-iouring-incremental, -batch and -unbundled, each an owner"
                    + " ring with this option; netty-epoll-group, handlers in threads of their own; frameworks: grizzly, jetty,"
                    + " vertx, helidon, undertow; providers of com.sun.net.httpserver: those that end in httpserver. For TLS alone:"
                    + " those that end in " + Contenders.OPENSSL + ", with BoringSSL instead of the JDK's TLS.",
            "Exit status: 0 when every contender answered every request right, else 1; 2 after a wrong flag; 3 after a regression"
                    + " (--fail-on-regression)."
        })
final class BenchCommand implements Callable<Integer> {

    @Option(
            names = "--quick",
            description = "Under two minutes: a few scenarios, and those contenders that most people ask about.")
    private boolean quick;

    @Option(names = "--full", description = "Every contender in every cell of every scenario, longer: some hours.")
    private boolean full;

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            split = ",",
            description = "Which questions are put, of ping-pong, pipelined, streaming, churn, idle-mass, slow, bursts,"
                    + " fan-in, rate and http (by wrk, where it is installed; default: ping-pong, pipelined, churn, slow, rate and http with"
                    + " their most important cells; with --connections or --size ping-pong, with --slow-permille slow)."
                    + " By name or with --full only: tls (ping-pong over TLS, and https by wrk), tls-storm (handshakes"
                    + " beside standing connections), http-server (providers of the JDK's"
                    + " com.sun.net.httpserver).")
    private List<String> scenarios;

    @Option(
            names = "--connections",
            paramLabel = "N",
            split = ",",
            description =
                    "How many connections are loaded, such as 1,64: a cell for each (default: each scenario's own).")
    private List<Integer> connections = List.of();

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            split = ",",
            converter = Converters.ByteCounts.class,
            description =
                    "Sizes of a request and of its answer, such as 64,16k: a cell for each (default: each scenario's"
                            + " own).")
    private List<Integer> sizes = List.of();

    @Mixin
    private PinningOptions pinning;

    @Option(
            names = "--slow-permille",
            paramLabel = "N",
            description =
                    "That many of 1,000 requests, at random, block their server's thread, in every cell (default: those"
                            + " of the scenario slow).")
    private Integer slowPermille;

    @Option(
            names = "--slow-time",
            paramLabel = "TIME",
            defaultValue = "5ms",
            description = "How long each of those blocks (default ${DEFAULT-VALUE}).")
    private Duration slowTime;

    @Option(
            names = "--shards",
            paramLabel = "N",
            description = "Compares servers with N shards, or Netty with N event loops, on N CPUs: by name"
                    + " cabrank-epoll-shards, cabrank-iouring-shards, netty-epoll-loops, netty-iouring-loops. Where there"
                    + " are no CPUs left, the load generator shares these with every server alike.")
    private Integer shards;

    @Option(
            names = "--accept",
            paramLabel = "MODE",
            converter = Converters.AcceptModes.class,
            defaultValue = "dispatch",
            description = "How Cabrank's shards share connections: exclusive, reuseport, reuseport-cpu, dispatch,"
                    + " dispatch-hash or dispatch-cpu (default ${DEFAULT-VALUE}: evenly, as Netty does).")
    private AcceptMode accept;

    @Option(
            names = "--net",
            paramLabel = "NET",
            split = ",",
            defaultValue = "loopback",
            description =
                    "Network between load and servers: loopback, veth or both (loopback,veth), each cell over each. veth"
                            + " puts load and servers into two network namespaces joined by a veth pair, and needs root (default"
                            + " ${DEFAULT-VALUE}).")
    private List<Net> nets = List.of(Net.LOOPBACK);

    @Mixin
    private LabOptions options;

    @Option(
            names = "--fail-on-regression",
            paramLabel = "BASELINE.json",
            description =
                    "Exit status 3 when one of Cabrank's contenders is worse in a cell than in this earlier report, by"
                            + " more than the noise floors of both allow. The report must be of this machine.")
    private Path baseline;

    @Mixin
    private ReportOptions report;

    private Path raw;

    @Override
    public Integer call() throws IOException, InterruptedException {
        return nets.contains(Net.VETH) && !VethNetwork.inside() ? overVeth() : bench();
    }

    /** Runs this command again, in a network namespace that no other process has. */
    private int overVeth() throws IOException, InterruptedException {
        VethNetwork.obstacle().ifPresent(obstacle -> {
            throw new Failure("--net veth is unavailable: " + obstacle);
        });
        try (VethNetwork network = network()) {
            return network.runAgain();
        }
    }

    private static VethNetwork network() {
        try {
            return VethNetwork.create();
        } catch (IOException refused) {
            throw new Failure("--net veth is unavailable: " + refused.getMessage(), refused);
        }
    }

    private int bench() throws IOException, InterruptedException {
        BenchReport earlier = baseline == null ? null : ReportFile.read(baseline);
        int status = report.run(output -> {
            raw = output.jsonFile();
            LabSettings settings = settings(output);
            Lab lab = LabOptions.lab(settings, output);
            if (earlier != null) {
                checkBaseline(earlier, lab.machine(), settings);
            }
            return lab;
        });
        return status != 0 || earlier == null ? status : judged(earlier, ReportFile.read(raw));
    }

    private void checkBaseline(BenchReport earlier, BenchReport.Machine machine, LabSettings settings) {
        int rounds = settings.plan().rounds();
        if (rounds < Regressions.ROUNDS_MIN) {
            throw new IllegalArgumentException("--fail-on-regression takes " + Regressions.ROUNDS_MIN
                    + " rounds or more, and this bench has " + rounds + ": leave out --quick, or set --rounds");
        }
        if (!options.control()) {
            throw new IllegalArgumentException(
                    "--no-aa leaves the noise unknown, by which --fail-on-regression judges: leave one out");
        }
        List<String> cells = settings.measurements().feasible().cells().stream()
                .map(Cell::id)
                .toList();
        Regressions.obstacle(earlier, machine, cells).ifPresent(obstacle -> {
            throw new Failure("cannot judge by " + baseline + ": " + obstacle);
        });
    }

    private int judged(BenchReport earlier, BenchReport now) {
        Regressions regressions = Regressions.of(earlier, now);
        System.out.println();
        System.out.print("Judged by " + baseline + ":\n" + regressions.words());
        if (!regressions.any()) {
            return Errors.FAILED;
        }
        return regressions.worse().isEmpty() ? 0 : Errors.REGRESSION;
    }

    private LabSettings settings(Experiment.Output output) {
        if (quick && full) {
            throw new IllegalArgumentException("--quick and --full exclude each other: leave one out");
        }
        if (shards != null && shards < 1) {
            throw new IllegalArgumentException("--shards is " + shards + ", expected 1 or more");
        }
        Wishes.Extent extent = extent();
        SlowRequests slow = slowPermille == null ? null : new SlowRequests(slowPermille, slowTime.toNanos());
        Wishes wishes = new Wishes(extent, connections, sizes, slow);
        List<Scenario> chosen = chosen(wishes);
        List<Cell> cells = wishes.cells(chosen).stream()
                .flatMap(cell -> nets.stream().distinct().map(cell::over))
                .toList();
        cells.forEach(cell -> options.checkLoad(cell.traffic().connections()));
        List<Contender> compared = contenders(extent, cells);
        return options.settings(
                new LabSettings.Entrants(compared, options.control(), true),
                new LabSettings.Measurements(
                        chosen,
                        Feasible.of(cells, cell -> obstacle(cell, compared)),
                        extent,
                        options.pace().pace(null)),
                options.server(new ShardSettings(shards == null ? 0 : shards, accept), pinning.settings()),
                output);
    }

    /** A bench for which the user chooses nothing measures little, and that often. */
    private Wishes.Extent extent() {
        if (quick || full) {
            return quick ? Wishes.Extent.QUICK : Wishes.Extent.FULL;
        }
        boolean chooses = scenarios != null
                || options.namesContenders()
                || shards != null
                || slowPermille != null
                || !connections.isEmpty()
                || !sizes.isEmpty();
        return chooses ? Wishes.Extent.STANDARD : Wishes.Extent.FOCUSED;
    }

    private List<Contender> contenders(Wishes.Extent extent, List<Cell> cells) {
        return options.contenders(preset(extent, cells));
    }

    private List<Contender> preset(Wishes.Extent extent, List<Cell> cells) {
        if (shards != null) {
            return Contenders.sharded();
        }
        boolean overTls =
                cells.stream().anyMatch(cell -> cell.needs().protocol().overTls());
        if (overTls && cells.stream().allMatch(cell -> cell.needs().protocol().overTls())) {
            return Contenders.overTls();
        }
        if (cells.stream().allMatch(cell -> cell.scenario().equals(Scenarios.BLOCKING))) {
            return Contenders.blocking();
        }
        boolean providers = cells.stream().anyMatch(cell -> cell.scenario().equals(Scenarios.HTTP_SERVER));
        if (providers && cells.stream().allMatch(cell -> cell.scenario().equals(Scenarios.HTTP_SERVER))) {
            return Contenders.httpServerProviders();
        }
        if (cells.stream().noneMatch(cell -> cell.needs().protocol().connects())) {
            return Contenders.forDatagrams();
        }
        Set<Contender> each = new LinkedHashSet<>(
                switch (extent) {
                    case QUICK -> Contenders.quick();
                    case FOCUSED -> Contenders.focused();
                    case STANDARD, FULL -> Contenders.standard();
                });
        if (overTls) {
            each.addAll(Contenders.overTls());
        }
        if (providers) {
            each.addAll(Contenders.httpServerProviders());
        }
        return List.copyOf(each);
    }

    /** The chosen scenarios. A user who names a point but no scenario gets the simplest scenario that has such a point. */
    private List<Scenario> chosen(Wishes wishes) {
        if (scenarios != null) {
            return Scenarios.named(scenarios);
        }
        if (wishes.slow() != null) {
            return Scenarios.named(List.of(Scenarios.SLOW));
        }
        return wishes.namesPoints() || shards != null
                ? Scenarios.named(List.of(Scenarios.PING_PONG))
                : Scenarios.of(wishes.extent());
    }

    /**
     * Returns the reason why this machine cannot run a cell; null if it can.
     *
     * @throws Failure if the user has set a number of connections that needs too many descriptors
     */
    private String obstacle(Cell cell, List<Contender> compared) {
        if (compared.stream().noneMatch(each -> each.serves(cell.needs().protocol()))) {
            return "none of the contenders serves " + cell.needs().word();
        }
        String noGenerator = cell.needs().byWrk() ? Wrk.obstacle() : null;
        if (noGenerator != null) {
            return noGenerator;
        }
        try {
            Descriptors.check(CommandMachine.kernel(), cell.traffic().connectionsInAll());
            return null;
        } catch (Failure tooMany) {
            if (!connections.isEmpty()) {
                throw tooMany;
            }
            return tooMany.getMessage();
        }
    }

    /**
     * For the subcommands: flags of {@code bench} that stand before their names would be without effect.
     *
     * @throws ParameterException saying where the flag belongs
     */
    static void refuseFlagsBefore(CommandSpec command) {
        CommandLine.ParseResult before = command.parent().commandLine().getParseResult();
        if (!before.matchedOptions().isEmpty()) {
            String flag = before.matchedOptions().get(0).longestName();
            throw new ParameterException(
                    command.commandLine(),
                    flag + " stands before '" + command.name() + "', where it has no effect: put it behind");
        }
    }
}
