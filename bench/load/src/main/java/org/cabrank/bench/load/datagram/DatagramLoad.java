package org.cabrank.bench.load.datagram;

import java.net.InetSocketAddress;
import org.cabrank.lf.settings.Settings;

/**
 * The datagrams that the generator sends. Immutable.
 * @param sizeBytes payload of each datagram in bytes, from {@value DatagramContent#BYTES_MIN} to {@link #SIZE_BYTES_MAX}
 * @param flows number of connected sockets, each with a source port of its own, from 1
 * @param window maximum number of unanswered datagrams of each flow, from 1 to {@link #WINDOW_MAX}; 0: a fixed rate
 * @param ratePerSecond number of datagrams per second of all flows together, from 1; 0: a window
 * @param burst number of datagrams of one flow that a fixed rate makes due at one instant, from 1 to {@link #BATCH_MAX}
 * @param segmented true to send datagrams as segments of one message (UDP_SEGMENT) and to accept joined answers (UDP_GRO)
 * @param threads number of threads of the generator among which the flows are divided; from 1 to the number of flows
 * @param lossTimeoutNs time in ns after which an unanswered datagram frees its place in the window, and time without any answer after which
 *     the generator stops waiting at the end
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

    /** Longest datagram over IPv4; the limit also applies to IPv6. */
    public static final int SIZE_BYTES_MAX = 65_507;

    /** Named bound: datagrams under way on one flow. */
    public static final int WINDOW_MAX = 16_384;

    /** Minimum number of a flow's last datagrams whose answers the generator remembers. */
    public static final int MEMORY_MIN = 1 << 15;

    static final int MEMORY_MAX = 1 << 22;

    /** Named bound: datagrams of one system call. */
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

    /** Each flow sends the next datagram when an earlier one is answered or lost. One thread. */
    public static DatagramLoad closedLoop(InetSocketAddress target, int sizeBytes, int flows, int window) {
        return new DatagramLoad(target, sizeBytes, flows, window, 0, 1, false, 1, DEFAULT_LOSS_TIMEOUT_NS);
    }

    /** Sends at a fixed rate, whatever the server does. One thread. */
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
