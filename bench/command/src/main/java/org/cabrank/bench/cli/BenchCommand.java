package org.cabrank.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.contender.ServerSettings.ShardSettings;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.report.compare.BeforeAfter;
import org.cabrank.bench.report.compare.ChangesTable;
import org.cabrank.bench.run.Lab;
import org.cabrank.bench.run.LabSettings;
import org.cabrank.bench.run.LabSettings.RequestedCpus;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.Feasible;
import org.cabrank.bench.scenario.Plan.MeasuringPace;
import org.cabrank.bench.scenario.Scenario;
import org.cabrank.bench.scenario.Scenarios;
import org.cabrank.bench.scenario.Wishes;
import org.cabrank.pinning.PlacementSettings;
import org.cabrank.stream.AcceptMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Compares servers on this machine side by side: Cabrank over epoll and io_uring, what people use today, and the"
                    + " baseline again as a control.",
            "Scenarios have cells; in each slice of each cell every contender is measured in turn, and in each round all are"
                    + " started anew. Prints how long it is going to take: a quarter of an hour by default.",
            "Exit status: 0; 1 if a contender answered a request wrong, or two runs cannot be compared; 2 after a wrong flag;"
                    + " 3 if --compare finds that Cabrank became worse."
        })
final class BenchCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "SCENARIO",
            arity = "0..*",
            completionCandidates = ScenarioNames.class,
            description = "Questions to ask: ${COMPLETION-CANDIDATES} (default: ping-pong, pipelined,"
                    + " churn, slow, rate and http with their most important cells).")
    private List<String> scenarios;

    @Option(
            names = "--quick",
            description = "Two minutes: ping-pong and slow handlers, Cabrank and Netty over epoll and io_uring.")
    private boolean quick;

    @Option(
            names = "--compare",
            arity = "2",
            paramLabel = "FILE",
            description =
                    "Measures nothing: compares the JSON files of two runs, the earlier one first. Exit status 3 if one"
                            + " of Cabrank's contenders became worse by more than the noise of both runs.")
    private List<Path> compared;

    @Option(
            names = "--contender",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Servers to compare, in this order (default: the five most important ones, or with a scenario all that"
                            + " suit it). An unknown name lists all.")
    private List<String> contenders;

    @Option(
            names = "--connections",
            paramLabel = "N",
            split = ",",
            description = "Connections under load, such as 1,64: a cell for each (default: each scenario's own).")
    private List<Integer> connections = List.of();

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            split = ",",
            converter = Converters.ByteCounts.class,
            description =
                    "Sizes of a request and of its answer, such as 64,16k: a cell for each (default: each scenario's own).")
    private List<Integer> sizes = List.of();

    @Option(
            names = "--slow-permille",
            paramLabel = "N",
            description =
                    "That many of 1,000 requests, at random, block their server's thread (default: the scenario's own).")
    private Integer slowPermille;

    @Option(
            names = "--slow-time",
            paramLabel = "TIME",
            defaultValue = "5ms",
            description = "Time for which each of those blocks (default ${DEFAULT-VALUE}).")
    private Duration slowTime;

    @Option(
            names = "--shards",
            paramLabel = "N",
            description =
                    "Compares servers with N shards, or Netty with N event loops, on N CPUs. If no CPUs are left, the load"
                            + " generator shares these with every server alike.")
    private Integer shards;

    @Option(
            names = "--accept",
            paramLabel = "MODE",
            converter = Converters.AcceptModes.class,
            completionCandidates = Converters.AcceptModes.class,
            defaultValue = "dispatch",
            description =
                    "Sharing of connections by Cabrank's shards: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}:"
                            + " evenly, as in Netty).")
    private AcceptMode accept;

    @Option(
            names = "--threads-per-shard",
            paramLabel = "N",
            description = "Threads of pools with several threads (default: each contender's own).")
    private Integer threadsPerShard;

    @Option(
            names = "--placement",
            paramLabel = "WHERE",
            converter = Converters.Placements.class,
            completionCandidates = Converters.Placements.class,
            defaultValue = "none",
            description = "Places of the threads of Cabrank's servers, within --server-cpus: ${COMPLETION-CANDIDATES}.")
    private Placement placement;

    @Option(
            names = "--server-cpus",
            paramLabel = "LIST",
            converter = Converters.Cpus.class,
            description = "CPUs of each server, such as 2 or 0-3 (default: one CPU).")
    private CpuList serverCpus;

    @Option(
            names = "--load-cpus",
            paramLabel = "LIST",
            converter = Converters.Cpus.class,
            description =
                    "CPUs of the load generator, which has a thread for each (default: one or two others, if any).")
    private CpuList loadCpus;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Starts of each server (default: as the time allows, like the two flags below).")
    private Integer rounds;

    @Option(
            names = "--slices",
            paramLabel = "N",
            description = "Measured intervals of each server in each cell of a round, in turn with the others.")
    private Integer slices;

    @Option(names = "--duration", paramLabel = "TIME", description = "Length of a measured interval.")
    private Duration duration;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            description =
                    "Least load on a server that was just started (default 480ms; until its compiler is at rest).")
    private Duration warmup;

    @Option(
            names = "--run-time",
            paramLabel = "TIME",
            description = "Length of the whole run, into which the three fit (default 13min; with --quick 80s).")
    private Duration runTime;

    @Option(
            names = "--no-aa",
            description = "Does not run the baseline a second time: saves time, and leaves the noise unknown.")
    private boolean withoutControl;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description =
                    "File for the raw numbers; the page stands beside it as .html (default: cabrank-bench-TIME.json in target if there"
                            + " is one, else here).")
    private Path json;

    @Spec
    private CommandSpec spec;

    static final class ScenarioNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Scenarios.names().iterator();
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (compared != null) {
            return compare(compared.get(0), compared.get(1));
        }
        Path file = json == null ? ReportFile.named("cabrank-bench") : json;
        Lab.Output output =
                new Lab.Output(spec.root().commandLine().getParseResult().originalArgs(), file, System.out, System.err);
        Lab lab;
        try {
            lab = new Lab(settings(file), output, CommandMachine.kernel());
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        }
        return lab.run() ? 0 : Errors.FAILED;
    }

    private int compare(Path before, Path after) {
        if (spec.commandLine().getParseResult().matchedOptionsSet().size() > 1 || scenarios != null) {
            throw new ParameterException(spec.commandLine(), "--compare takes two files and nothing else");
        }
        BeforeAfter both = ReportFile.compared(before, after);
        both.incomparableReason().ifPresent(reason -> {
            throw new Failure("cannot compare " + before + " with " + after + ": " + reason);
        });
        System.out.print(ChangesTable.render(both));
        return both.regressions().isEmpty() ? 0 : Errors.REGRESSION;
    }

    private LabSettings settings(Path raw) {
        if (shards != null && shards < 1) {
            throw new IllegalArgumentException("--shards is " + shards + ", expected 1 or more");
        }
        if (threadsPerShard != null) {
            ServerSettings.checkThreads(threadsPerShard);
        }
        Path page = ReportFile.pageOf(raw);
        ReportFile.checkWritable(raw, "--json");
        ReportFile.checkWritable(page, "--json");
        Wishes.Extent extent = extent();
        SlowRequests slow = slowPermille == null ? null : new SlowRequests(slowPermille, slowTime.toNanos());
        Wishes wishes = new Wishes(extent, connections, sizes, slow);
        List<Scenario> chosen = chosen(wishes);
        List<Cell> cells = wishes.cells(chosen);
        cells.forEach(cell -> LoadSettings.check(cell.traffic().connections(), 1, 1));
        List<Contender> entrants = contenders == null ? preset(extent, chosen) : Contenders.named(contenders);
        return new LabSettings(
                new LabSettings.Entrants(entrants, !withoutControl),
                new LabSettings.Measurements(
                        chosen,
                        Feasible.of(cells, cell -> skipReason(cell, entrants)),
                        extent,
                        new MeasuringPace(rounds, slices, ns(warmup), ns(duration), ns(runTime))),
                new ServerSettings(
                        SlowRequests.NONE,
                        threadsPerShard == null ? 0 : threadsPerShard,
                        new ShardSettings(shards == null ? 0 : shards, accept),
                        PlacementSettings.of(placement)),
                new RequestedCpus(serverCpus, loadCpus, 0),
                page);
    }

    private static Long ns(Duration given) {
        return given == null ? null : (Long) given.toNanos();
    }

    /** If the user chooses nothing, few cells are measured, but each cell is measured often. */
    private Wishes.Extent extent() {
        if (quick) {
            return Wishes.Extent.QUICK;
        }
        boolean chooses = scenarios != null
                || contenders != null
                || shards != null
                || slowPermille != null
                || !connections.isEmpty()
                || !sizes.isEmpty();
        return chooses ? Wishes.Extent.STANDARD : Wishes.Extent.FOCUSED;
    }

    private List<Contender> preset(Wishes.Extent extent, List<Scenario> chosen) {
        if (shards != null) {
            return Contenders.sharded();
        }
        return chosen.stream()
                .flatMap(scenario -> scenario.contenders().apply(extent).stream())
                .distinct()
                .toList();
    }

    /** A user who names a point but no scenario gets the simplest scenario that has such a point. */
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

    /** Returns the reason to skip the cell, or null. Fails if the user has set a number of connections that needs too many descriptors. */
    private String skipReason(Cell cell, List<Contender> entrants) {
        if (entrants.stream().noneMatch(each -> each.serves(cell.needs().protocol()))) {
            return "none of the contenders serves " + cell.needs().word();
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
}
