package org.cabrank.bench.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.cabrank.bench.experiment.PoolStrategies;
import org.cabrank.bench.experiment.Strategy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cabrank bench pool-strategies}. */
@Command(
        name = "pool-strategies",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Compares ways for threads to share requests, over a grid of threads and work per request:"
                    + " Leader/Followers (deferred, eager, fair) and Half-Sync/Half-Reactive (hshr).",
            "Defaults: 5 rounds, 1s of load before each measured interval of 1s.",
            "Exit status: 0 when every request of every run was answered right, else 1."
        })
final class PoolStrategiesCommand implements Callable<Integer> {

    private static final List<Strategy> STRATEGIES = List.of(Strategy.values());
    private static final List<Integer> THREADS = List.of(1, 2, 4, 8);
    private static final List<Duration> WORK =
            List.of(Duration.ZERO, Duration.ofNanos(10_000), Duration.ofNanos(50_000), Duration.ofNanos(200_000));
    private static final int ROUNDS = 5;
    private static final Duration WARMUP = Duration.ofSeconds(1);
    private static final Duration DURATION = Duration.ofSeconds(1);

    private static final List<Strategy> QUICK_STRATEGIES = List.of(Strategy.DEFERRED, Strategy.EAGER, Strategy.HSHR);
    private static final List<Integer> QUICK_THREADS = List.of(2, 8);
    private static final List<Duration> QUICK_WORK = List.of(Duration.ZERO, Duration.ofNanos(50_000));
    private static final int QUICK_ROUNDS = 3;

    @Option(
            names = "--quick",
            description = "Some three minutes: 2 and 8 threads, 0us and 50us, without fair, 3 rounds.")
    private boolean quick;

    @Option(
            names = "--threads",
            paramLabel = "N",
            split = ",",
            description = "Threads that process requests (default 1,2,4,8); hshr has one I/O thread besides.")
    private List<Integer> threads;

    @Option(
            names = "--work",
            paramLabel = "TIME",
            split = ",",
            description = "Computing per request (default 0us,10us,50us,200us), in CPU time as calibrated by each"
                    + " server's process.")
    private List<Duration> work;

    @Option(
            names = "--strategy",
            paramLabel = "NAME",
            split = ",",
            description = "Which of deferred, eager, fair to compare with hshr (default: all).")
    private List<String> strategies;

    @Mixin
    private MeasuringOptions measuring;

    @Option(
            names = "--max-time",
            paramLabel = "TIME",
            defaultValue = "30min",
            description = "No run begins that would end later than that (default ${DEFAULT-VALUE}).")
    private Duration maxTime;

    @Mixin
    private RequestOptions requests;

    @Mixin
    private SlowOptions slow;

    @Mixin
    private MaxGapOption maxGap;

    @Mixin
    private PlacementOptions placement;

    @Mixin
    private ReportOptions report;

    @Override
    public Integer call() throws IOException, InterruptedException {
        return report.run(this::settings, PoolStrategies::new);
    }

    private PoolStrategies.Settings settings() {
        List<Duration> times = work != null ? work : quick ? QUICK_WORK : WORK;
        return new PoolStrategies.Settings(
                strategies != null ? Strategy.named(strategies) : quick ? QUICK_STRATEGIES : STRATEGIES,
                threads != null ? threads : quick ? QUICK_THREADS : THREADS,
                times.stream().map(Duration::toNanos).toList(),
                slow.slow(),
                maxGap.ns(),
                placement.runs(
                        requests,
                        measuring.rounds(quick ? QUICK_ROUNDS : ROUNDS),
                        measuring.warmup(WARMUP),
                        measuring.duration(DURATION)),
                maxTime.toNanos());
    }
}
