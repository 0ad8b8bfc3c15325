package org.cabrank.bench.cli;

import java.io.IOException;
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

/** Flags of all commands that compare contenders: {@code bench}, {@code bench blocking} and {@code bench load-curve}. */
final class LabOptions {

    @Option(
            names = "--contender",
            paramLabel = "NAME",
            split = ",",
            description = "Which contenders, in this order (default: those named above).")
    private List<String> contenders;

    @Mixin
    private MaxGapOption maxGap;

    @Mixin
    private PaceOptions pace;

    @Mixin
    private PlacementOptions placement;

    @Mixin
    private ProfileOption profile;

    @Mixin
    private PageOption page;

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

    /** Settings of the servers; {@code threadsPerShard} is 0 where the contender decides. */
    ServerSettings server(int threadsPerShard, ShardSettings shards, PlacementSettings threads) {
        return new ServerSettings(0, SlowRequests.NONE, threadsPerShard, maxGap.ns(), shards, threads);
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
        return new LabSettings(
                entrants, measurements, server, placement.cpus(), page.checked(output.jsonFile()), profile.wanted());
    }

    /** @throws IllegalArgumentException if the settings ask for CPUs that this process may not use */
    static Lab lab(LabSettings settings, Experiment.Output output) throws IOException {
        return new Lab(settings, output, CommandMachine.kernel());
    }
}
