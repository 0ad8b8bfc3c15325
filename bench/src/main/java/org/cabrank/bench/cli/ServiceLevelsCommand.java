package org.cabrank.bench.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.cabrank.bench.experiment.ServiceLevels;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.serve.BusyWork;
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
            "Exit status: 0 when every request was answered right, else 1."
        })
final class ServiceLevelsCommand implements Callable<Integer> {

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "How often each arrangement runs (default ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "2s",
            description = "Load before each measured interval (default ${DEFAULT-VALUE}).")
    private Duration warmup;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "3s",
            description = "The measured interval (default ${DEFAULT-VALUE}).")
    private Duration duration;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "4",
            description = "Of the server, half of them for each level (default ${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = "--work",
            paramLabel = "TIME",
            defaultValue = "50us",
            description = "Computing per request (default ${DEFAULT-VALUE}).")
    private Duration work;

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
        BusyWork.checkTime(work.toNanos());
        return new ServiceLevels.Settings(
                rounds,
                warmup.toNanos(),
                duration.toNanos(),
                threads,
                work.toNanos(),
                urgentRate,
                bulkConnections,
                cpus.serverCpus(),
                cpus.loadCpus());
    }
}
