package org.cabrank.bench.cli;

import java.time.Duration;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.run.LabSettings.RequestedCpus;
import org.cabrank.bench.run.RunnerSettings;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Flags for the CPUs of an experiment's servers, and for the CPUs and threads of its load generator. */
final class PlacementOptions {

    @Mixin
    private CpuOptions cpus;

    @Option(
            names = "--load-threads",
            paramLabel = "N",
            description = "Threads of the load generator (default: one per CPU it has).")
    private Integer loadThreads;

    /** Null: the experiment's choice. */
    CpuList serverCpus() {
        return cpus.serverCpus();
    }

    /** Null: the experiment's choice. */
    CpuList loadCpus() {
        return cpus.loadCpus();
    }

    /** The CPUs and threads that the user chooses. */
    RequestedCpus cpus() {
        return new RequestedCpus(cpus.serverCpus(), cpus.loadCpus(), loadThreads());
    }

    /** 0: one per CPU. */
    private int loadThreads() {
        return loadThreads == null ? 0 : loadThreads;
    }

    /**
     * Runs that load their servers with {@code requests}.
     *
     * @throws IllegalArgumentException when no load generator can send them on that many threads, or nothing would be measured
     * @throws Failure when a process may not hold their connections
     */
    RunnerSettings runs(RequestOptions requests, int rounds, Duration warmup, Duration duration) {
        LoadSettings.check(requests.connections(), requests.sizeBytes(), loadThreads == null ? 1 : loadThreads);
        Descriptors.check(CommandMachine.kernel(), requests.connections());
        return new RunnerSettings(
                rounds,
                warmup.toNanos(),
                duration.toNanos(),
                requests.connections(),
                requests.sizeBytes(),
                cpus.serverCpus(),
                cpus.loadCpus(),
                loadThreads());
    }

    /** @throws IllegalArgumentException when no load generator can have so many connections on that many threads */
    void checkLoad(int connections) {
        LoadSettings.check(connections, 1, loadThreads == null ? 1 : Math.min(loadThreads, connections));
    }
}
