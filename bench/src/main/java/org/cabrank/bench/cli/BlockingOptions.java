package org.cabrank.bench.cli;

import java.time.Duration;
import org.cabrank.bench.serve.SlowRequests;
import picocli.CommandLine.Option;

/** Requests that block their thread, and for how long a leader in one of them goes unrelieved. */
final class BlockingOptions {

    @Option(
            names = "--slow-permille",
            paramLabel = "N",
            defaultValue = "0",
            description = "That many of 1,000 requests, at random, also block their thread (default 0).")
    private int slowPermille;

    @Option(
            names = "--slow-time",
            paramLabel = "TIME",
            defaultValue = "5ms",
            description = "How long each of those blocks (default ${DEFAULT-VALUE}).")
    private Duration slowTime;

    @Option(
            names = "--max-gap",
            paramLabel = "TIME",
            defaultValue = "2ms",
            description = "Of deferred promotion (default ${DEFAULT-VALUE}).")
    private Duration maxGap;

    /** @throws IllegalArgumentException if the number is not in 0 to 1,000; the message states the range */
    SlowRequests slow() {
        return new SlowRequests(slowPermille, slowTime.toNanos());
    }

    /** The value of the flag, unchecked; {@link org.cabrank.lf.Promotion#deferred} checks the range. */
    Duration maxGap() {
        return maxGap;
    }
}
