package org.cabrank.bench.cli;

import org.cabrank.affinity.CpuList;
import picocli.CommandLine.Option;

/** CPUs of an experiment's servers and of its load generator. */
final class CpuOptions {

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

    /** Null: the experiment's choice. */
    CpuList serverCpus() {
        return serverCpus;
    }

    /** Null: the experiment's choice. */
    CpuList loadCpus() {
        return loadCpus;
    }
}
