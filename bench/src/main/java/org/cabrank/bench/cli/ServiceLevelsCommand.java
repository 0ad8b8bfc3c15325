package org.cabrank.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.levels.LevelsSettings;
import org.cabrank.bench.levels.ServiceLevels;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.run.Experiment;
import org.cabrank.bench.serve.BusyWork;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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

    @Option(
            names = "--server-cpus",
            paramLabel = "LIST",
            converter = CpuListConverter.class,
            description = "The server's CPUs, such as 2 or 0-3 (default: one CPU).")
    private CpuList serverCpus;

    @Option(
            names = "--load-cpus",
            paramLabel = "LIST",
            converter = CpuListConverter.class,
            description = "The load generator's CPUs (default: one or two others, where there are any).")
    private CpuList loadCpus;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Where the raw numbers go (default: cabrank-service-levels-TIME.json in target, where this"
                    + " directory has one, else in this directory).")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        BenchCommand.refuseFlagsBefore(spec);
        Path file = json == null ? ReportFile.named("cabrank-service-levels") : json;
        ServiceLevels experiment;
        try {
            LoadSettings.check(bulkConnections, 1, 1);
            BusyWork.checkTime(work.toNanos());
            LevelsSettings settings = new LevelsSettings(
                    rounds,
                    warmup.toNanos(),
                    duration.toNanos(),
                    threads,
                    work.toNanos(),
                    urgentRate,
                    bulkConnections,
                    serverCpus,
                    loadCpus);
            ReportFile.checkWritable(file);
            experiment = new ServiceLevels(
                    settings,
                    new Experiment.Output(
                            spec.root().commandLine().getParseResult().originalArgs(), file, System.out, System.err),
                    Machine.kernel());
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        }
        return experiment.run() ? 0 : Errors.FAILED;
    }
}
