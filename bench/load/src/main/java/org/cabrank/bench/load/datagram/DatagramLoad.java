package org.cabrank.bench.load.datagram;

import java.net.InetSocketAddress;
import org.cabrank.lf.settings.Settings;

/**
 * The datagrams that the generator sends. Immutable.
 * @param sizeBytes payload of each datagram in bytes, from {@value DatagramContent#BYTES_MIN} to {@link #SIZE_BYTES_MAX}
 * @param flows number of connected sockets, at least 1; each has its own source port
 * @param window maximum number of unanswered datagrams of each flow, at most {@link #WINDOW_MAX}; 0 with a fixed rate
 * @param ratePerSecond number of datagrams per second of all flows together; 0 with a window
 * @param burst number of datagrams of one flow that are due at the same instant, 1 to {@link #BATCH_MAX}; 1 with a window
 * @param segmented true to send datagrams as segments of one message (UDP_SEGMENT) and to accept joined answers (UDP_GRO)
 * @param threads number of threads that share the flows, 1 to the number of flows
 * @param lossTimeoutNs time in ns after which an unanswered datagram frees its place in the window. At the end, the generator waits until
 *     no answer has arrived for this time.
 */
public record DatagramLoad(
        InetSocketAddress target,
        int sizeBytes,
        int flows,
        int window,
        long ratePerSecond,
        int burst,
        boolean segmented,
        int threads,
        long lossTimeoutNs) {

    /** Longest datagram over IPv4. The same limit is used for IPv6. */
    public static final int SIZE_BYTES_MAX = 65_507;

    public static final int WINDOW_MAX = 16_384;

    /** Minimum number of datagrams of one flow for which the generator remembers if they were answered. */
    public static final int MEMORY_MIN = 1 << 15;

    static final int MEMORY_MAX = 1 << 22;

    /** Maximum number of datagrams of one system call. */
    public static final int BATCH_MAX = 64;

    public static final int FLOWS_MAX = 16_384;

    public static final long DEFAULT_LOSS_TIMEOUT_NS = 200_000_000L;

    private static final long RATE_MAX = 100_000_000L;
    private static final long LOSS_TIMEOUT_NS_MAX = 60_000_000_000L;

    public DatagramLoad {
        if (target.isUnresolved()) {
            throw new IllegalArgumentException("the address " + target + " is not resolved");
        }
        if (target.getPort() == 0) {
            throw new IllegalArgumentException("port 0 is no target: name the port of the server");
        }
        check("size in bytes", sizeBytes, DatagramContent.BYTES_MIN, SIZE_BYTES_MAX);
        check("flows", flows, 1, FLOWS_MAX);
        check("window", window, 0, WINDOW_MAX);
        check("rate per second", ratePerSecond, 0, RATE_MAX);
        if (window == 0 == (ratePerSecond == 0)) {
            throw new IllegalArgumentException("datagrams need a window or a rate, and not both");
        }
        check("burst", burst, 1, window > 0 ? 1 : BATCH_MAX);
        check("threads", threads, 1, flows);
        check("loss timeout in ns", lossTimeoutNs, 1_000_000, LOSS_TIMEOUT_NS_MAX);
    }

    private static void check(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(what + " is " + value + ", expected " + min + " to " + max);
        }
    }

    /** Returns a load in which each flow sends the next datagram when an earlier datagram is answered or lost. Uses one thread. */
    public static DatagramLoad closedLoop(InetSocketAddress target, int sizeBytes, int flows, int window) {
        return new DatagramLoad(target, sizeBytes, flows, window, 0, 1, false, 1, DEFAULT_LOSS_TIMEOUT_NS);
    }

    /** Returns a load with a fixed rate, which does not depend on the server. Uses one thread. */
    public static DatagramLoad fixedRate(InetSocketAddress target, int sizeBytes, int flows, long ratePerSecond) {
        return new DatagramLoad(target, sizeBytes, flows, 0, ratePerSecond, 1, false, 1, DEFAULT_LOSS_TIMEOUT_NS);
    }

    public DatagramLoad withBurst(int changed) {
        return Settings.with(this, "burst", changed);
    }

    public DatagramLoad withSegments(boolean changed) {
        return Settings.with(this, "segmented", changed);
    }

    public DatagramLoad withThreads(int changed) {
        return Settings.with(this, "threads", changed);
    }

    public DatagramLoad withLossTimeout(long changedNs) {
        return Settings.with(this, "lossTimeoutNs", changedNs);
    }
}
