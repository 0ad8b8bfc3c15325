package org.cabrank.bench.cli;

import org.cabrank.affinity.CpuList;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.run.LabSettings.RequestedCpus;
import picocli.CommandLine.Option;

/** Flags for the CPUs of an experiment's servers, and for the CPUs and threads of its load generator. */
final class PlacementOptions {

    @Option(
            names = "--server-cpus",
            paramLabel = "LIST",
            converter = Converters.Cpus.class,
            description = "CPUs of each server, such as 2 or 0-3 (default: one CPU).")
    private CpuList serverCpus;

    @Option(
            names = "--load-cpus",
            paramLabel = "LIST",
            converter = Converters.Cpus.class,
            description = "The load generator's CPUs (default: one or two others, where there are any).")
    private CpuList loadCpus;

    @Option(
            names = "--load-threads",
            paramLabel = "N",
            description = "Threads of the load generator (default: one per CPU it has).")
    private Integer loadThreads;

    /** The CPUs and threads that the user chooses. */
    RequestedCpus cpus() {
        return new RequestedCpus(serverCpus, loadCpus, loadThreads == null ? 0 : loadThreads);
    }

    /** @throws IllegalArgumentException when no load generator can have so many connections on that many threads */
    void checkLoad(int connections) {
        LoadSettings.check(connections, 1, loadThreads == null ? 1 : Math.min(loadThreads, connections));
    }
}
