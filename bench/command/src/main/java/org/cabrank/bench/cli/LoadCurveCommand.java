package org.cabrank.bench.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.NativeContender;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.ServerSettings.ShardSettings;
import org.cabrank.bench.handler.TimeSpread;
import org.cabrank.bench.run.Experiment;
import org.cabrank.bench.run.LabSettings;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.Feasible;
import org.cabrank.bench.scenario.LoadCurveCells;
import org.cabrank.bench.scenario.Scenarios;
import org.cabrank.bench.scenario.Wishes.Extent;
import org.cabrank.pinning.PlacementSettings;
import org.cabrank.stream.AcceptMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cabrank bench load-curve}. */
@Command(
        name = "load-curve",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Measures p99 against load: threads that take from one queue (one shard of " + LoadCurveCells.SERVERS
                    + " threads, Half-Sync/Half-Reactive), a queue for each (" + LoadCurveCells.SERVERS
                    + " shards or event loops), and virtual threads; beside the curves of M/G/k and k x M/G/1, which are"
                    + " computed.",
            "Handlers wait and do not compute, so that one CPU suffices for all servers. Requests come as a Poisson process, and"
                    + " latency counts from when a request was meant to be sent.",
            "Contenders by default: cabrank-epoll-eager, cabrank-epoll-deferred, cabrank-epoll-shards,"
                    + " netty-epoll-loops, hshr-epoll, virtual-threads.",
            "Default: one round, three slices of 2s, and of 12s where bimodal times are judged: some 25 minutes. Exit status: 0 when every contender answered every request right, else 1."
        })
final class LoadCurveCommand implements Callable<Integer> {

    private static final int ROUNDS = 1;
    private static final int SLICES = 3;
    private static final Duration DURATION = Duration.ofSeconds(2);

    @Option(
            names = "--times",
            paramLabel = "DISTRIBUTION",
            split = ",",
            description =
                    "Distributions of the times for which handlers wait, of constant, exponential and bimodal (one in 100"
                            + " takes 100 times longer; default: all).")
    private List<TimeSpread> spreads = LoadCurveCells.SPREADS;

    @Option(
            names = "--load",
            paramLabel = "PERCENT",
            split = ",",
            description = "Loads in percent of what the handlers can do (default 10,30,50,65,80,90,95).")
    private List<Integer> percents = LoadCurveCells.PERCENTS;

    @Option(
            names = "--time",
            paramLabel = "TIME",
            defaultValue = "1ms",
            description = "Mean of the times for which handlers wait (default ${DEFAULT-VALUE}).")
    private Duration time;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "1024",
            description = "Connections, of which each request takes one at random (default ${DEFAULT-VALUE}).")
    private int connections;

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
        if (time.isZero()) {
            throw new IllegalArgumentException("--time is 0: handlers that do not wait have no capacity");
        }
        List<Contender> compared = lab.contenders(
                Contenders.loadCurve(),
                contender -> contender.serves(Protocol.ECHO) && !(contender instanceof NativeContender),
                "is no echo server in a JVM, whose handlers can be changed while it runs");
        List<Cell> cells = LoadCurveCells.of(spreads, percents, time.toNanos(), connections);
        return lab.settings(
                new LabSettings.Entrants(compared, false, false),
                new LabSettings.Measurements(
                        Scenarios.named(List.of(Scenarios.LOAD_CURVE)),
                        Feasible.of(cells, cell -> null),
                        Extent.STANDARD,
                        lab.pace().paceElse(ROUNDS, SLICES, DURATION)),
                lab.server(0, new ShardSettings(LoadCurveCells.SERVERS, AcceptMode.DISPATCH), PlacementSettings.NONE),
                output);
    }
}
