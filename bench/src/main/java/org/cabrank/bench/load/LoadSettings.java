package org.cabrank.bench.load;

import java.net.InetSocketAddress;

/**
 * What the load generator does.
 *
 * @param address where the server is
 * @param connections how many connections, shared out over the threads
 * @param sizeBytes size of a request and of its answer
 * @param threads threads of the generator; no more than connections
 * @param ratePerSecond requests sent per second over all connections; 0 for a closed loop, in which each connection sends
 *     its next request when the last one is answered
 * @param randomChunks ignore size and rate: send random bytes in chunks of random sizes, as fast as they come back
 * @param timeoutNs how long no connection may come while some are missing, before those are given up, and how long
 *     unanswered requests are waited for at the end
 */
public record LoadSettings(
        InetSocketAddress address,
        int connections,
        int sizeBytes,
        int threads,
        long ratePerSecond,
        boolean randomChunks,
        long timeoutNs) {

    public static final int CONNECTIONS_MAX = 65_536;
    public static final int SIZE_BYTES_MAX = 1 << 20;
    public static final long DEFAULT_TIMEOUT_NS = 5_000_000_000L;

    public LoadSettings {
        check(connections, sizeBytes, threads);
        within("rate", ratePerSecond, 0, 100_000_000);
        within("timeout in ns", timeoutNs, 1, Long.MAX_VALUE / 4);
    }

    /**
     * Checks the three that need no address.
     *
     * @throws IllegalArgumentException with words that say what is expected
     */
    public static void check(int connections, int sizeBytes, int threads) {
        within("connections", connections, 1, CONNECTIONS_MAX);
        within("size", sizeBytes, 1, SIZE_BYTES_MAX);
        within("threads", threads, 1, connections);
    }

    private static void within(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " is " + value + ", expected " + least + " to " + most);
        }
    }
}
