package org.cabrank.bench.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.experiment.ServerLayout;
import org.cabrank.bench.experiment.ServerLayouts;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Flags for the measurement of an experiment's layouts. */
final class LayoutsOptions {

    private static final int ROUNDS = 5;
    private static final Duration WARMUP = Duration.ofSeconds(2);
    private static final Duration DURATION = Duration.ofSeconds(3);
    private static final int QUICK_ROUNDS = 3;
    private static final Duration QUICK_TIME = Duration.ofSeconds(1);
    private static final int LOAD_CPUS = 2;

    @Option(names = "--quick", description = "3 rounds, 1s warm-up, 1s measured (else 5 rounds, 2s, 3s).")
    private boolean quick;

    @Mixin
    private MeasuringOptions measuring;

    @Mixin
    private BackendsOption backends;

    @Option(
            names = "--cpus",
            paramLabel = "N",
            description = "How many CPUs the server gets (default: all but the load generator's two; where that leaves"
                    + " fewer than two, all, and the load generator shares them).")
    private Integer cpus;

    @Mixin
    private PlacementOptions placement;

    @Mixin
    private RequestOptions requests;

    @Mixin
    private WorkOption work;

    @Mixin
    private SlowOptions slow;

    @Mixin
    private MaxGapOption maxGap;

    /** @throws IllegalArgumentException if one does not exist; the message names it */
    List<String> backends() {
        return backends.backends();
    }

    /**
     * Number of CPUs for the server.
     *
     * @throws IllegalArgumentException if the number is given twice, is 0, or exceeds the CPUs that this process may use
     */
    int serverCount() throws IOException {
        if (placement.serverCpus() != null) {
            if (cpus != null) {
                throw new IllegalArgumentException("--cpus and --server-cpus exclude each other: leave one out");
            }
            return placement.serverCpus().size();
        }
        CpuList allowed = new Affinity(CommandMachine.kernel()).current();
        if (cpus == null) {
            return ownChoice(allowed);
        }
        if (cpus < 1 || cpus > allowed.size()) {
            throw new IllegalArgumentException("--cpus is " + cpus + ", expected 1 to " + allowed.size()
                    + ": this process may use only CPU " + allowed);
        }
        return cpus;
    }

    private int ownChoice(CpuList allowed) {
        int left = placement.loadCpus() == null
                ? allowed.size() - LOAD_CPUS
                : allowed.without(placement.loadCpus()).size();
        return left < 2 ? allowed.size() : left;
    }

    /** @throws IllegalArgumentException when a flag is wrong, saying how */
    ServerLayouts.Settings settings(List<ServerLayout> layouts) throws IOException {
        return new ServerLayouts.Settings(
                layouts,
                placement.runs(
                        requests,
                        measuring.rounds(quick ? QUICK_ROUNDS : ROUNDS),
                        measuring.warmup(quick ? QUICK_TIME : WARMUP),
                        measuring.duration(quick ? QUICK_TIME : DURATION)),
                work.ns(Duration.ZERO),
                slow.slow(),
                maxGap.ns(),
                serverCount());
    }
}
