package org.cabrank.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.contender.ServerSettings.ShardSettings;
import org.cabrank.bench.handler.BlockingWay;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.run.Lab;
import org.cabrank.bench.run.LabSettings;
import org.cabrank.bench.scenario.BlockingCells;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.Feasible;
import org.cabrank.bench.scenario.Scenarios;
import org.cabrank.bench.scenario.Wishes.Extent;
import org.cabrank.pinning.PlacementSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cabrank bench blocking}. */
@Command(
        name = "blocking",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Measures who waits behind a handler that blocks, in one of four ways: parked (virtual threads unmount), in native"
                    + " code (they cannot), computing, or at a monitor that a slow peer holds.",
            "Every server answers HTTP, one process for all ways, at half of what it did in a closed loop just before; latency"
                    + " counts from when a request was meant to be sent, and that of the requests that did not block is told"
                    + " apart. About five minutes.",
            "Exit status: 0 when every contender answered every request right, else 1."
        })
final class BlockingCommand implements Callable<Integer> {

    @Option(
            names = "--way",
            paramLabel = "WAY",
            split = ",",
            description = "How requests block, of park, native, burn and lock (default: all).")
    private List<BlockingWay> ways = BlockingCells.WAYS;

    @Option(
            names = "--permille",
            paramLabel = "N",
            split = ",",
            description = "How many of 1,000 requests block, such as 1,10: a cell for each (default 1,10).")
    private List<Integer> permilles = BlockingCells.PERMILLES;

    @Option(
            names = "--time",
            paramLabel = "TIME",
            defaultValue = "5ms",
            description = "How long each of those does (default ${DEFAULT-VALUE}).")
    private Duration time;

    @Option(
            names = "--contender",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Which contenders, in this order (default: the main modes of Cabrank with threads to spare, Netty with"
                            + " and without threads for handlers, virtual threads, and the frameworks).")
    private List<String> contenders;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "64",
            description = "Connections that the load has (default ${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "--threads-per-shard",
            paramLabel = "N",
            description = "Threads of the pools with several threads (default " + ServerSettings.DEFAULT_THREADS
                    + "; of frameworks, as their makers advise).")
    private Integer threadsPerShard;

    @Mixin
    private MaxGapOption maxGap;

    @Option(names = "--no-aa", description = "Does not run the baseline a second time: the noise stays unknown.")
    private boolean noControl;

    @Option(
            names = "--run-time",
            paramLabel = "TIME",
            defaultValue = "5min",
            description =
                    "The whole run, into which what the next four flags leave open fits (default ${DEFAULT-VALUE}).")
    private Duration runTime;

    @Mixin
    private PaceOptions pace;

    @Mixin
    private PlacementOptions placement;

    @Mixin
    private ProfileOption profile;

    @Mixin
    private PageOption page;

    @Mixin
    private ReportOptions report;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws IOException, InterruptedException {
        BenchCommand.refuseFlagsBefore(command);
        return report.run(output ->
                new Lab(profile.applyTo(settings(page.checked(output.jsonFile()))), output, CommandMachine.kernel()));
    }

    private LabSettings settings(Path file) {
        if (threadsPerShard != null) {
            ServerSettings.checkThreads(threadsPerShard);
        }
        placement.checkLoad(connections);
        Descriptors.check(CommandMachine.kernel(), connections);
        List<Contender> compared = contenders == null ? Contenders.blocking() : Contenders.named(contenders);
        for (Contender contender : compared) {
            if (!contender.serves(Protocol.HTTP)) {
                throw new IllegalArgumentException(contender.name()
                        + " does not serve HTTP, which tells fast requests from slow ones: leave it out");
            }
        }
        List<Cell> cells = BlockingCells.of(ways, permilles, time.toNanos(), connections);
        return new LabSettings(
                compared,
                !noControl,
                false,
                Scenarios.named(List.of(Scenarios.BLOCKING)),
                Feasible.of(cells, cell -> null),
                Extent.STANDARD,
                pace.pace(runTime.toNanos()),
                new ServerSettings(
                        0,
                        SlowRequests.NONE,
                        threadsPerShard == null ? 0 : threadsPerShard,
                        maxGap.ns(),
                        ShardSettings.DEFAULT,
                        PlacementSettings.NONE),
                placement.serverCpus(),
                placement.loadCpus(),
                placement.loadThreads(),
                file);
    }
}
