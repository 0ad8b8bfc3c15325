package org.cabrank.bench.cli;

import java.time.Duration;
import org.cabrank.bench.handler.SlowRequests;
import picocli.CommandLine.Option;

/** Flags for requests that block their thread. */
final class SlowOptions {

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

    /** @throws IllegalArgumentException if the number is not in 0 to 1,000; the message states the range */
    SlowRequests slow() {
        return new SlowRequests(slowPermille, slowTime.toNanos());
    }
}
