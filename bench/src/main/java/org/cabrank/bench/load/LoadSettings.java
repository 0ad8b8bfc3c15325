package org.cabrank.bench.load;

import java.net.InetSocketAddress;

/**
 * What the load generator does.
 *
 * @param address where the server is
 * @param traffic what it sends
 * @param threads threads of the generator, over which the connections are shared out; no more than active connections
 * @param timeoutNs how long no connection may come while some are missing, before those are given up, and how long
 *     unanswered requests are waited for at the end
 */
public record LoadSettings(InetSocketAddress address, Traffic traffic, int threads, long timeoutNs) {

    public static final long DEFAULT_TIMEOUT_NS = 5_000_000_000L;

    /** @throws IllegalArgumentException with words that say what is expected */
    public LoadSettings {
        checkThreads(threads, traffic.connections());
        if (timeoutNs < 1 || timeoutNs > Long.MAX_VALUE / 4) {
            throw new IllegalArgumentException(
                    "timeout in ns is " + timeoutNs + ", expected 1 to " + Long.MAX_VALUE / 4);
        }
    }

    /** One thread and the usual time-out. */
    public LoadSettings(InetSocketAddress address, Traffic traffic) {
        this(address, traffic, 1, DEFAULT_TIMEOUT_NS);
    }

    /**
     * Checks the three that every load has.
     *
     * @throws IllegalArgumentException with words that say what is expected
     */
    public static void check(int connections, int sizeBytes, int threads) {
        checkThreads(threads, Traffic.pingPong(connections, sizeBytes).connections());
    }

    private static void checkThreads(int threads, int connections) {
        if (threads < 1 || threads > connections) {
            throw new IllegalArgumentException("threads is " + threads + ", expected 1 to " + connections);
        }
    }
}
