package org.cabrank.iouring.config;

import java.time.Duration;
import java.util.Map;
import org.cabrank.lf.settings.Settings;

/**
 * Options of the rings of a backend. See io_uring_setup(2), io_uring_register(2) and io_uring_enter(2). Immutable. If the kernel refuses an
 * option, or is older than the Linux version that the option names, the backend does not open ({@link
 * org.cabrank.stream.BackendUnavailableException}), unless the option says otherwise.
 *
 * @param submissionEntries size of the submission queue, 1 to 32768. The kernel rounds it up to a power of two. When the queue is full, its
 *     requests are submitted
 * @param completionEntries size of the completion queue, {@code submissionEntries} to 65536. The kernel rounds it up to a power of two. If
 *     the queue is full, the kernel keeps further completions until there is room
 * @param receiveBuffers number of receive buffers of each ring, a power of two from 1 to 32768
 * @param receiveBufferBytes size of each receive buffer, 64 bytes to 1 MiB
 * @param incremental true if several receives may fill one buffer (Linux 6.12). Otherwise each receive takes its own buffer
 * @param bundles true if one completion may report several filled buffers. It has no effect with {@code incremental}. It has no effect
 *     before Linux 6.17, because some kernels since 6.13 left gaps in the received bytes
 * @param batch number of completions for which a thread waits, 1 to {@code completionEntries}
 * @param batchWait time after which one completion ends the wait (Linux 6.12), from 1 microsecond to 1 s. It must be {@link Duration#ZERO}
 *     if and only if {@code batch} is 1. A wake-up of the ring may be late by this time
 * @param ioWait true if a waiting thread counts as waiting for a disk (iowait, PSI). An idle server then looks busy, and some frequency
 *     governors raise the clock of a CPU. Before Linux 6.15, a waiting thread always counts
 * @param boundedWorkersMax maximum number of kernel threads ({@code iou-wrk}) that run blocking requests on regular files and block
 *     devices, for each thread of the ring, 1 to 32768. Further requests wait. With 0, the limit of the kernel applies: {@code
 *     submissionEntries}, but at most four for each CPU. If the thread that opens the ring uses other rings, the same limit applies there
 * @param unboundedWorkersMax maximum number of kernel threads for requests on sockets, pipes and other files, for each thread of the ring,
 *     1 to 32768. With 0, the limit of the kernel applies: the maximum number of the user's processes (ulimit -u)
 * @param datagramBuffers number of receive buffers for datagram sockets with the same {@code bytesMax}, a power of two up to 32768. The
 *     first such socket allocates the buffers. If they would exceed 4 MiB, their number is lower. With 0, datagram sockets are polled, and
 *     receive by recvmmsg(2). Sockets with an error queue ({@code errors}, {@code sendTimes}), sets with one-shot handles, and kernels that
 *     refuse multishot receives of datagrams always use recvmmsg(2)
 */
public record RingOptions(
        int submissionEntries,
        int completionEntries,
        int receiveBuffers,
        int receiveBufferBytes,
        boolean incremental,
        boolean bundles,
        int batch,
        Duration batchWait,
        boolean ioWait,
        int boundedWorkersMax,
        int unboundedWorkersMax,
        int datagramBuffers) {

    /** IORING_MAX_ENTRIES of the kernel. */
    private static final int SUBMISSIONS_MAX = 32_768;
    /** IORING_MAX_CQ_ENTRIES of the kernel. */
    private static final int COMPLETIONS_MAX = 65_536;
    /** Limit of the kernel. The tail of a buffer ring has 16 bits, and a full ring must differ from an empty ring. */
    private static final int BUFFERS_MAX = 32_768;

    private static final int WORKERS_MAX = 32_768;

    private static final int BUFFER_BYTES_MIN = 64;
    private static final int BUFFER_BYTES_MAX = 1 << 20;
    /** Maximum size of all receive buffers of a ring together, because they share one direct ByteBuffer. */
    private static final long BUFFER_AREA_BYTES_MAX = 1L << 30;

    private static final Duration MICROSECOND = Duration.ofNanos(1_000);
    private static final Duration WAIT_MAX = Duration.ofSeconds(1);

    /** 1,024 submissions, 16,384 completions, 4,096 receive buffers of 4 KiB, bundles, and 256 datagram buffers. Other options are off. */
    public static final RingOptions DEFAULT =
            new RingOptions(1_024, 16_384, 4_096, 4 << 10, false, true, 1, Duration.ZERO, false, 0, 0, 256);

    /** @throws IllegalArgumentException if a value is out of its range, or if two values contradict each other */
    public RingOptions {
        inRange("submissionEntries", submissionEntries, 1, SUBMISSIONS_MAX, "");
        inRange("completionEntries", completionEntries, submissionEntries, COMPLETIONS_MAX, "");
        inRange("receiveBuffers", receiveBuffers, 1, BUFFERS_MAX, "");
        require(
                Integer.bitCount(receiveBuffers) == 1,
                "receiveBuffers must be a power of two, but is " + receiveBuffers);
        inRange("receiveBufferBytes", receiveBufferBytes, BUFFER_BYTES_MIN, BUFFER_BYTES_MAX, " bytes");
        require(
                (long) receiveBuffers * receiveBufferBytes <= BUFFER_AREA_BYTES_MAX,
                "receiveBuffers * receiveBufferBytes must be at most 1 GiB, but is "
                        + (long) receiveBuffers * receiveBufferBytes + " bytes");
        inRange("datagramBuffers", datagramBuffers, 0, BUFFERS_MAX, "");
        require(
                Integer.bitCount(datagramBuffers) <= 1,
                "datagramBuffers must be 0 or a power of two, but is " + datagramBuffers);
        inRange("batch", batch, 1, completionEntries, "");
        zeroOrInRange("batchWait", batchWait, MICROSECOND, WAIT_MAX);
        require(
                batch == 1 == batchWait.isZero(),
                "a batch of more than 1 and a batchWait go together, but they are " + batch + " and " + batchWait);
        inRange("boundedWorkersMax", boundedWorkersMax, 0, WORKERS_MAX, "");
        inRange("unboundedWorkersMax", unboundedWorkersMax, 0, WORKERS_MAX, "");
    }

    private static void inRange(String name, int value, int min, int max, String unit) {
        require(
                value >= min && value <= max,
                name + " must be from " + min + " to " + max + unit + ", but is " + value);
    }

    private static void zeroOrInRange(String name, Duration value, Duration min, Duration max) {
        require(
                value.isZero() || value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
                name + " must be zero, or from " + min + " to " + max + ", but is " + value);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** Returns a copy with other queue sizes. Like the constructor, all {@code with} methods throw {@link IllegalArgumentException}. */
    public RingOptions withEntries(int submissions, int completions) {
        return Settings.with(this, Map.of("submissionEntries", submissions, "completionEntries", completions));
    }

    /** @param count number of buffers of each ring, with at most 1 GiB in total */
    public RingOptions withReceiveBuffers(int count, int bytesOfEach) {
        return Settings.with(this, Map.of("receiveBuffers", count, "receiveBufferBytes", bytesOfEach));
    }

    public RingOptions withIncremental(boolean wanted) {
        return Settings.with(this, "incremental", wanted);
    }

    public RingOptions withBundles(boolean wanted) {
        return Settings.with(this, "bundles", wanted);
    }

    /** @param wait zero if and only if {@code completions} is 1 */
    public RingOptions withBatch(int completions, Duration wait) {
        return Settings.with(this, Map.of("batch", completions, "batchWait", wait));
    }

    public RingOptions withIoWait(boolean wanted) {
        return Settings.with(this, "ioWait", wanted);
    }

    /**
     * @param bounded maximum for requests on regular files, 1 to 32768, or 0 for the kernel's limit
     * @param unbounded maximum for all other requests, 1 to 32768, or 0 for the kernel's limit
     */
    public RingOptions withWorkersMax(int bounded, int unbounded) {
        return Settings.with(this, Map.of("boundedWorkersMax", bounded, "unboundedWorkersMax", unbounded));
    }

    /** @param count number of buffers for datagrams of one size. With 0, datagram sockets are polled */
    public RingOptions withDatagramBuffers(int count) {
        return Settings.with(this, "datagramBuffers", count);
    }
}
