package org.cabrank.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Detects a run that the generator limited. The result of such a run is below the server's capacity. */
public final class GeneratorLimit {

    /** A thread that is busy for this share of the time counts as always busy. The calls that wait for events take the rest. */
    private static final double BUSY = 0.95;

    private static final double SERVER_BUSY = 0.9;
    /** Tolerated share of late sends. A larger share changes the 99.9th percentile of the latency. */
    private static final double LATE_SHARE = 0.001;

    private GeneratorLimit() {}

    /** CPU use of the server. {@code busiestThread} is the share of the time, 0 to 1, that the busiest thread spent on a CPU. */
    public record Server(double cpusBusy, double busiestThread, int cpus) {
        boolean busy() {
            return cpusBusy >= SERVER_BUSY * cpus || busiestThread >= SERVER_BUSY;
        }
    }

    /** Returns the reasons to consider the generator the bottleneck, or null. {@code server} is null if its CPU use is unknown. */
    public static String text(GeneratorEffort effort, int cpus, Server server) {
        List<String> words = new ArrayList<>();
        int usable = Math.min(cpus, effort.threads());
        boolean paced = effort.timedSends() > 0; // a worker about to send spins, and counts as busy
        if (!paced && effort.cpusBusy() >= BUSY * usable && (server == null || !server.busy())) {
            words.add(busy(effort, usable, server));
        }
        if (effort.lateSends() > LATE_SHARE * effort.timedSends()) {
            words.add(String.format(
                    Locale.ROOT,
                    "%,d of %,d requests (%.1f %%) were sent more than 1 ms after their time though a connection had room:"
                            + " latencies contain the load generator's own delay",
                    effort.lateSends(),
                    effort.timedSends(),
                    100.0 * effort.lateSends() / effort.timedSends()));
        }
        if (effort.portWaits() > 0) {
            words.add(String.format(
                    Locale.ROOT,
                    "%,d attempts to connect found no free port: connections per second are limited by the ports of this"
                            + " side, not by the server",
                    effort.portWaits()));
        }
        return words.isEmpty() ? null : String.join("; ", words);
    }

    private static String busy(GeneratorEffort effort, int usable, Server server) {
        String generator = "the load generator kept " + cpus(effort.cpusBusy(), usable) + " busy";
        return server == null
                ? generator + ": the server may be able to do more"
                : generator + ", the server " + cpus(server.cpusBusy(), server.cpus())
                        + ": it could do more than this shows";
    }

    private static String cpus(double busy, int of) {
        return String.format(Locale.ROOT, "%.2f of its %d CPU%s", busy, of, of == 1 ? "" : "s");
    }
}
