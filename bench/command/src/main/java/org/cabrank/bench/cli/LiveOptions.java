package org.cabrank.bench.cli;

import java.time.Duration;
import org.cabrank.bench.text.Durations;
import picocli.CommandLine.Option;

/** Flags of the live view of a running server. */
final class LiveOptions {
    private static final Duration INTERVAL_DEFAULT = Duration.ofSeconds(1);
    private static final Duration INTERVAL_MIN = Duration.ofMillis(100);
    private static final Duration INTERVAL_MAX = Duration.ofMinutes(1);

    @Option(
            names = "--live",
            description = "Shows requests per second, latencies (as --latency), each thread's state and more on the"
                    + " terminal while it serves; q ends it. Where standard output is no terminal: a line for each"
                    + " interval on standard error.")
    private boolean live;

    @Option(names = "--live-interval", paramLabel = "TIME", description = "How often, 100ms to 1min (default 1s).")
    private Duration interval;

    @Option(
            names = "--latency",
            description = "Measures how long events take, from when the kernel has reported them to the end of their"
                    + " handler; for --jmx, and part of --live.")
    private boolean latency;

    @Option(names = "--jmx", description = "Shows the pools' counters over JMX, as org.cabrank:type=Pool,*.")
    private boolean jmx;

    /** Throws an IllegalArgumentException if the flags contradict each other or are out of range. */
    void check() {
        if (interval != null && !live) {
            throw new IllegalArgumentException("--live-interval is for --live: leave it out, or add that");
        }
        if (interval != null && (interval.compareTo(INTERVAL_MIN) < 0 || interval.compareTo(INTERVAL_MAX) > 0)) {
            throw new IllegalArgumentException(
                    "--live-interval must be from 100ms to 1min, but is " + Durations.format(interval.toNanos()));
        }
        if (latency && !jmx && !live) {
            throw new IllegalArgumentException("--latency is for --jmx, which shows it: add that, or --live instead");
        }
    }

    boolean live() {
        return live;
    }

    Duration interval() {
        return interval == null ? INTERVAL_DEFAULT : interval;
    }

    boolean latencyMeasured() {
        return latency || live;
    }

    boolean jmx() {
        return jmx;
    }
}
