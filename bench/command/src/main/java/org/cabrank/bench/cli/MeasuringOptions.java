package org.cabrank.bench.cli;

import java.time.Duration;
import picocli.CommandLine.Option;

/** Flags for the rounds of an experiment and the times of each run. Their defaults are those of the command. */
final class MeasuringOptions {

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "How often each variant is measured; fewer than 3 decide nothing.")
    private Integer rounds;

    @Option(names = "--warmup", paramLabel = "TIME", description = "Load before each measured interval.")
    private Duration warmup;

    @Option(names = "--duration", paramLabel = "TIME", description = "The measured interval.")
    private Duration duration;

    int rounds(int standard) {
        return rounds == null ? standard : rounds;
    }

    Duration warmup(Duration standard) {
        return warmup == null ? standard : warmup;
    }

    Duration duration(Duration standard) {
        return duration == null ? standard : duration;
    }
}
