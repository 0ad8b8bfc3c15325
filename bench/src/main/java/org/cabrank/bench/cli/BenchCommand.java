package org.cabrank.bench.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.run.Bench;
import org.cabrank.bench.run.BenchSettings;
import org.cabrank.bench.run.Runner;
import org.cabrank.bench.serve.SlowRequests;
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
            "Compares echo servers on this machine side by side: Cabrank and what people use today.",
            "Exit status: 0 when every contender answered every request right, else 1."
        })
final class BenchCommand implements Callable<Integer> {

    private static final int ROUNDS = 5;
    private static final Duration WARMUP = Duration.ofSeconds(3);
    private static final Duration DURATION = Duration.ofSeconds(5);
    private static final int QUICK_ROUNDS = 3;
    private static final Duration QUICK_WARMUP = Duration.ofMillis(1_500);
    private static final Duration QUICK_DURATION = Duration.ofMillis(1_500);

    @Option(
            names = "--quick",
            description = "About two minutes: 3 rounds, 1500ms warm-up, 1500ms measured (else 5 rounds, 3s, 5s).")
    private boolean quick;

    @Option(names = "--rounds", paramLabel = "N", description = "How often each contender runs.")
    private Integer rounds;

    @Option(names = "--warmup", paramLabel = "TIME", description = "Load before each measured interval.")
    private Duration warmup;

    @Option(names = "--duration", paramLabel = "TIME", description = "The measured interval.")
    private Duration duration;

    @Mixin
    private RequestOptions requests;

    @Option(
            names = "--contender",
            paramLabel = "NAME",
            split = ",",
            description = "Which contenders, in this order (default: all that are servers of their own). By name only:"
                    + " cabrank-epoll-fair and -kernel; cabrank-iouring-incremental, -bundles, -prompt, -zerocopy and"
                    + " -sqpoll, each an owner ring with this option.")
    private List<String> contenders;

    @Mixin
    private PlacementOptions placement;

    @Option(
            names = "--slow-permille",
            paramLabel = "N",
            defaultValue = "0",
            description = "That many of 1,000 requests, at random, block their server's thread (default 0).")
    private int slowPermille;

    @Option(
            names = "--slow-time",
            paramLabel = "TIME",
            defaultValue = "5ms",
            description = "How long each of those blocks (default ${DEFAULT-VALUE}).")
    private Duration slowTime;

    @Option(
            names = "--threads-per-shard",
            paramLabel = "N",
            description = "Threads of the pools with several threads (default 3, with a shared ring 2).")
    private Integer threadsPerShard;

    @Option(
            names = "--max-gap",
            paramLabel = "TIME",
            defaultValue = "2ms",
            description = "Of Cabrank's deferred promotion: after how long a follower takes over from a leader that is"
                    + " still in one handler (default ${DEFAULT-VALUE}).")
    private Duration maxGap;

    @Mixin
    private ReportOptions report;

    @Override
    public Integer call() throws IOException, InterruptedException {
        return report.run(output -> {
            ReportFile.checkWritable(output.jsonFile());
            BenchSettings settings = settings();
            Descriptors.check(Machine.kernel(), settings.connections());
            return new Bench(settings, output, Machine.kernel());
        });
    }

    private BenchSettings settings() {
        if (threadsPerShard != null) {
            ServerSettings.checkThreads(threadsPerShard);
        }
        BenchSettings settings = new BenchSettings(
                contenders == null ? Contenders.standard() : Contenders.named(contenders),
                rounds != null ? rounds : quick ? QUICK_ROUNDS : ROUNDS,
                Runner.GENERATOR_WARMUP_NS,
                (warmup != null ? warmup : quick ? QUICK_WARMUP : WARMUP).toNanos(),
                (duration != null ? duration : quick ? QUICK_DURATION : DURATION).toNanos(),
                requests.connections(),
                requests.sizeBytes(),
                new ServerSettings(
                        0,
                        new SlowRequests(slowPermille, slowTime.toNanos()),
                        threadsPerShard == null ? 0 : threadsPerShard,
                        maxGap.toNanos()),
                placement.serverCpus(),
                placement.loadCpus(),
                placement.loadThreads());
        placement.checkLoad(requests);
        return settings;
    }

    /**
     * For the commands under this one: its flags, given before their names, would be without effect.
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
