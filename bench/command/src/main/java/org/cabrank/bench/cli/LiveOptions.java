package org.cabrank.bench.cli;

import java.time.Duration;
import org.cabrank.bench.text.Durations;
import picocli.CommandLine.Option;

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
                            + " connections, takeovers, leaders.")
    private Duration live;

    @Option(
            names = "--jmx",
            description = "Shows the pools' counters and the latencies of events over JMX, as org.cabrank:type=Pool,*.")
    private boolean jmx;

    void check() {
        if (live != null && (live.compareTo(INTERVAL_MIN) < 0 || live.compareTo(INTERVAL_MAX) > 0)) {
            throw new IllegalArgumentException(
                    "--live must be from 100ms to 1min, but is " + Durations.format(live.toNanos()));
        }
    }

    Duration live() {
        return live;
    }

    /** Returns true if the server measures latency, the time from the kernel's report of an event to the end of its handler. */
    boolean latencyMeasured() {
        return jmx || live != null;
    }

    boolean jmx() {
        return jmx;
    }
}
