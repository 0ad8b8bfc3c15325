package org.cabrank.bench.load;

import java.net.InetSocketAddress;

/**
 * @param threads number of threads that share the connections; at most the number of active connections
 * @param timeoutNs time limit in ns. At the start, if no further connection is ready within this time, the missing connections are given
 *     up. At the end, the generator waits at most this time for answers.
 * @param tls TLS of the connections; null for plain text
 */
public record LoadSettings(InetSocketAddress address, LoadTraffic traffic, int threads, long timeoutNs, ClientTls tls) {

    public static final long DEFAULT_TIMEOUT_NS = 5_000_000_000L;

    public LoadSettings {
        checkThreads(threads, traffic.connections());
        if (timeoutNs < 1 || timeoutNs > Long.MAX_VALUE / 4) {
            throw new IllegalArgumentException(
                    "timeout in ns is " + timeoutNs + ", expected 1 to " + Long.MAX_VALUE / 4);
        }
    }

    public LoadSettings(InetSocketAddress address, LoadTraffic traffic, int threads, long timeoutNs) {
        this(address, traffic, threads, timeoutNs, null);
    }

    public LoadSettings(InetSocketAddress address, LoadTraffic traffic) {
        this(address, traffic, 1, DEFAULT_TIMEOUT_NS);
    }

    /** Throws an IllegalArgumentException with the expected range if a setting is out of range. */
    public static void check(int connections, int sizeBytes, int threads) {
        checkThreads(threads, LoadTraffic.pingPong(connections, sizeBytes).connections());
    }

    private static void checkThreads(int threads, int connections) {
        if (threads < 1 || threads > connections) {
            throw new IllegalArgumentException("threads is " + threads + ", expected 1 to " + connections);
        }
    }
}
