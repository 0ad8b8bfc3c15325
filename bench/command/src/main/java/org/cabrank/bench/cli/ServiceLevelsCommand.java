package org.cabrank.bench.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.cabrank.bench.experiment.ServiceLevels;
import org.cabrank.bench.load.LoadSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cabrank bench service-levels}. */
@Command(
        name = "service-levels",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Measures how fast urgent requests are answered while others flood the same CPU: one pool for both, two pools"
                    + " with the same priority, with nice values, and with a real-time priority where that is permitted.",
            "Defaults: 5 rounds, 2s of load before each measured interval of 3s, 50us of work per request.",
            "Exit status: 0 when every request was answered right, else 1."
        })
final class ServiceLevelsCommand implements Callable<Integer> {

    private static final int ROUNDS = 5;
    private static final Duration WARMUP = Duration.ofSeconds(2);
    private static final Duration DURATION = Duration.ofSeconds(3);
    private static final Duration WORK = Duration.ofNanos(50_000);

    @Mixin
    private MeasuringOptions measuring;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "4",
            description = "Of the server, half of them for each level (default ${DEFAULT-VALUE}).")
    private int threads;

    @Mixin
    private WorkOption work;

    @Option(
            names = "--urgent-rate",
            paramLabel = "N",
            defaultValue = "500",
            description = "Urgent requests per second (default ${DEFAULT-VALUE}).")
    private long urgentRate;

    @Option(
            names = "--bulk-connections",
            paramLabel = "N",
            defaultValue = "256",
            description = "Each with a request under way all the time (default ${DEFAULT-VALUE}).")
    private int bulkConnections;

    @Mixin
    private CpuOptions cpus;

    @Mixin
    private ReportOptions report;

    @Override
    public Integer call() throws IOException, InterruptedException {
        return report.run(this::settings, ServiceLevels::new);
    }

    private ServiceLevels.Settings settings() {
        LoadSettings.check(bulkConnections, 1, 1);
        return new ServiceLevels.Settings(
                measuring.rounds(ROUNDS),
                measuring.warmup(WARMUP).toNanos(),
                measuring.duration(DURATION).toNanos(),
                threads,
                work.ns(WORK),
                urgentRate,
                bulkConnections,
                cpus.serverCpus(),
                cpus.loadCpus());
    }
}
