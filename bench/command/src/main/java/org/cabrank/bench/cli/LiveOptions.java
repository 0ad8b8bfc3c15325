package org.cabrank.bench.cli;

import java.time.Duration;
import org.cabrank.bench.text.Durations;
import picocli.CommandLine.Option;

/** Flags of the live view of a running server. */
final class LiveOptions {
    private static final Duration INTERVAL_MIN = Duration.ofMillis(100);
    private static final Duration INTERVAL_MAX = Duration.ofMinutes(1);

    @Option(
            names = "--live",
            paramLabel = "INTERVAL",
            arity = "0..1",
            fallbackValue = "1s",
            description =
                    "Prints a line on standard error in each interval, 100ms to 1min (default 1s): requests/s, latencies,"
                            + " connections, takeovers, leaders. Measures latencies as --latency does.")
    private Duration live;

    @Option(
            names = "--latency",
            description = "Measures how long events take, from when the kernel has reported them to the end of their"
                    + " handler; for --jmx, and part of --live.")
    private boolean latency;

    @Option(names = "--jmx", description = "Shows the pools' counters over JMX, as org.cabrank:type=Pool,*.")
    private boolean jmx;

    /** Throws an IllegalArgumentException if the flags contradict each other or are out of range. */
    void check() {
        if (live != null && (live.compareTo(INTERVAL_MIN) < 0 || live.compareTo(INTERVAL_MAX) > 0)) {
            throw new IllegalArgumentException(
                    "--live must be from 100ms to 1min, but is " + Durations.format(live.toNanos()));
        }
        if (latency && !jmx && live == null) {
            throw new IllegalArgumentException("--latency is for --jmx, which shows it: add that, or --live instead");
        }
    }

    /** Returns the interval of the lines; null if there is no live view. */
    Duration live() {
        return live;
    }

    boolean latencyMeasured() {
        return latency || live != null;
    }

    boolean jmx() {
        return jmx;
    }
}
