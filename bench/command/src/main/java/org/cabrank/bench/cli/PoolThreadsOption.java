package org.cabrank.bench.cli;

import org.cabrank.bench.contender.ServerSettings;
import picocli.CommandLine.Option;

/** Number of threads of the pools that a bench compares. */
final class PoolThreadsOption {

    @Option(
            names = "--threads-per-shard",
            paramLabel = "N",
            description =
                    "Threads of the pools with several threads (default: pools under deferred promotion over epoll"
                            + " find their size, all other pools have " + ServerSettings.DEFAULT_THREADS
                            + "; frameworks, as their makers advise).")
    private Integer threadsPerShard;

    /**
     * Returns the number; 0: each contender's default.
     *
     * @throws IllegalArgumentException if the number is out of range; the message states the range
     */
    int threadsPerShard() {
        if (threadsPerShard == null) {
            return 0;
        }
        ServerSettings.checkThreads(threadsPerShard);
        return threadsPerShard;
    }
}
