package org.cabrank.bench.cli;

import org.cabrank.affinity.CpuList;
import org.cabrank.bench.load.LoadSettings;
import picocli.CommandLine.Option;

/** Where an experiment's servers run, and where and on how many threads its load generator does. */
final class PlacementOptions {

    @Option(
            names = "--server-cpus",
            paramLabel = "LIST",
            converter = CpuListConverter.class,
            description = "The servers' CPUs, such as 2 or 0-3 (default: one CPU).")
    private CpuList serverCpus;

    @Option(
            names = "--load-cpus",
            paramLabel = "LIST",
            converter = CpuListConverter.class,
            description = "The load generator's CPUs (default: one or two others, where there are any).")
    private CpuList loadCpus;

    @Option(
            names = "--load-threads",
            paramLabel = "N",
            description = "Threads of the load generator (default: one per CPU it has).")
    private Integer loadThreads;

    /** Null: the experiment's choice. */
    CpuList serverCpus() {
        return serverCpus;
    }

    /** Null: the experiment's choice. */
    CpuList loadCpus() {
        return loadCpus;
    }

    /** 0: one per CPU. */
    int loadThreads() {
        return loadThreads == null ? 0 : loadThreads;
    }

    /** @throws IllegalArgumentException when no load generator can send {@code requests} on that many threads */
    void checkLoad(RequestOptions requests) {
        LoadSettings.check(requests.connections(), requests.sizeBytes(), loadThreads == null ? 1 : loadThreads);
    }
}
