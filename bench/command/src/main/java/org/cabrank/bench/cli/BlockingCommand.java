package org.cabrank.bench.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.ServerSettings.ShardSettings;
import org.cabrank.bench.handler.BlockingWay;
import org.cabrank.bench.run.Experiment;
import org.cabrank.bench.run.LabSettings;
import org.cabrank.bench.scenario.BlockingCells;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.Feasible;
import org.cabrank.bench.scenario.Scenarios;
import org.cabrank.bench.scenario.Wishes.Extent;
import org.cabrank.pinning.PlacementSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
                    + " apart. About six minutes.",
            "Contenders by default: the main modes of Cabrank with threads to spare, Netty with and without threads for handlers,"
                    + " virtual threads, and the frameworks.",
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
            names = "--quiet",
            paramLabel = "TIME",
            defaultValue = "3s",
            description =
                    "Time without requests before each burst of one more cell, the last share of the first way (default"
                            + " ${DEFAULT-VALUE}; 0: no such cell; with 125s the threads that a pool has added have ended). Comes on top of"
                            + " --run-time.")
    private Duration quiet;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "64",
            description = "Connections that the load has (default ${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "--run-time",
            paramLabel = "TIME",
            defaultValue = "5min",
            description =
                    "The whole run: --rounds, --slices, --warmup and --duration follow from it unless they are set"
                            + " (default ${DEFAULT-VALUE}).")
    private Duration runTime;

    @Mixin
    private LabOptions lab;

    @Mixin
    private ReportOptions report;

    @Override
    public Integer call() throws IOException, InterruptedException {
        return report.runBelowBench(output -> LabOptions.lab(settings(output), output));
    }

    private LabSettings settings(Experiment.Output output) {
        lab.checkConnections(connections);
        List<Contender> compared = lab.contenders(
                Contenders.blocking(),
                contender -> contender.serves(Protocol.HTTP),
                "does not serve HTTP, which tells fast requests from slow ones");
        List<Cell> cells = BlockingCells.of(ways, permilles, time.toNanos(), quiet.toNanos(), connections);
        return lab.settings(
                new LabSettings.Entrants(compared, lab.control(), false),
                new LabSettings.Measurements(
                        Scenarios.named(List.of(Scenarios.BLOCKING)),
                        Feasible.of(cells, cell -> null),
                        Extent.STANDARD,
                        lab.pace().pace(runTime.toNanos())),
                lab.server(ShardSettings.DEFAULT, PlacementSettings.NONE),
                output);
    }
}
