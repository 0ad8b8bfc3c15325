package org.cabrank.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.contender.ServerSettings.ShardSettings;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.run.Experiment;
import org.cabrank.bench.run.Lab;
import org.cabrank.bench.run.LabSettings;
import org.cabrank.pinning.PlacementSettings;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Flags of both commands that compare contenders: {@code bench} and {@code bench blocking}. */
final class LabOptions {

    @Option(
            names = "--contender",
            paramLabel = "NAME",
            split = ",",
            description = "Which contenders, in this order (default: those named above).")
    private List<String> contenders;

    @Option(
            names = "--no-aa",
            description =
                    "Does not run the baseline a second time: the noise stays unknown, and there is more time for the"
                            + " contenders.")
    private boolean withoutControl;

    @Option(
            names = "--threads-per-shard",
            paramLabel = "N",
            description =
                    "Threads of the pools with several threads (default: pools under deferred promotion over epoll"
                            + " find their size, all other pools have " + ServerSettings.DEFAULT_THREADS
                            + "; frameworks, as their makers advise).")
    private Integer threadsPerShard;

    @Option(
            names = "--max-gap",
            paramLabel = "TIME",
            defaultValue = "2ms",
            description = "Of Cabrank's deferred promotion: after how long a follower takes over from a leader that is"
                    + " still in one handler (default ${DEFAULT-VALUE}).")
    private Duration maxGap;

    @Mixin
    private PaceOptions pace;

    @Mixin
    private PlacementOptions placement;

    @Option(
            names = "--profile",
            description =
                    "Afterwards profiles each contender in each cell, in processes and intervals of their own: flame graphs"
                            + " with the stacks of the kernel, and their differences, in the page. Stacks of the kernel need root or"
                            + " kernel.perf_event_paranoid 1 and kernel.kptr_restrict 0; otherwise stacks end at its border.")
    private boolean profile;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Where the page of the report goes (default: beside the raw numbers, under the same name).")
    private Path html;

    /** Returns true if the user names contenders. */
    boolean namesContenders() {
        return contenders != null;
    }

    /**
     * The contenders that the user names, else {@code preset}.
     *
     * @throws IllegalArgumentException if a contender does not exist; the message names those that do
     */
    List<Contender> contenders(List<Contender> preset) {
        return contenders == null ? preset : Contenders.named(contenders);
    }

    /**
     * The contenders that the user names, else {@code preset}.
     *
     * @param flaw predicate of a contender that cannot take part, completed to a sentence by its name
     * @throws IllegalArgumentException if a contender does not exist, or if {@code fits} is false for one
     */
    List<Contender> contenders(List<Contender> preset, Predicate<Contender> fits, String flaw) {
        List<Contender> compared = contenders(preset);
        compared.stream().filter(fits.negate()).findFirst().ifPresent(misfit -> {
            throw new IllegalArgumentException(misfit.name() + " " + flaw + ": leave it out");
        });
        return compared;
    }

    /**
     * Checks the number of connections of a cell.
     *
     * @throws IllegalArgumentException if no load generator can have so many connections on the requested threads
     */
    void checkLoad(int connections) {
        placement.checkLoad(connections);
    }

    /**
     * Checks a number of connections that all cells have.
     *
     * @throws IllegalArgumentException if no load generator can have so many connections on the requested threads
     * @throws Failure if a process may not have so many descriptors
     */
    void checkConnections(int connections) {
        checkLoad(connections);
        Descriptors.check(CommandMachine.kernel(), connections);
    }

    PaceOptions pace() {
        return pace;
    }

    /** Returns true if the baseline runs a second time. */
    boolean control() {
        return !withoutControl;
    }

    /**
     * Settings of the servers.
     *
     * @throws IllegalArgumentException if the number of threads or the gap is out of range; the message states the range
     */
    ServerSettings server(ShardSettings shards, PlacementSettings placed) {
        if (threadsPerShard != null) {
            ServerSettings.checkThreads(threadsPerShard);
        }
        int threads = threadsPerShard == null ? 0 : threadsPerShard;
        return new ServerSettings(SlowRequests.NONE, threads, maxGap.toNanos(), shards, placed);
    }

    /**
     * Makes the settings of a lab whose raw numbers go to {@code output}.
     *
     * @throws Failure if the raw numbers or the page cannot be written
     */
    LabSettings settings(
            LabSettings.Entrants entrants,
            LabSettings.Measurements measurements,
            ServerSettings server,
            Experiment.Output output) {
        Path json = output.jsonFile();
        Path page = html != null ? html : ReportFile.pageOf(json);
        ReportFile.checkWritable(json);
        ReportFile.checkWritable(page, "--html");
        return new LabSettings(entrants, measurements, server, placement.cpus(), page, profile);
    }

    /** @throws IllegalArgumentException if the settings ask for CPUs that this process may not use */
    static Lab lab(LabSettings settings, Experiment.Output output) throws IOException {
        return new Lab(settings, output, CommandMachine.kernel());
    }
}
