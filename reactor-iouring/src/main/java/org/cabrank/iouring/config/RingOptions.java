package org.cabrank.iouring.config;

import java.time.Duration;
import java.util.Map;
import org.cabrank.lf.settings.Settings;

/**
 * Options of the rings of a backend: io_uring_setup(2), io_uring_register(2) and io_uring_enter(2). Immutable. If the kernel is older than
 * the Linux version that an option names, or refuses the option, the backend does not open ({@link
 * org.cabrank.stream.BackendUnavailableException}), unless the option says otherwise.
 *
 * @param submissionEntries size of the submission queue, 1 to 32768, rounded up by the kernel to a power of two; a full queue is submitted
 * @param completionEntries size of the completion queue, {@code submissionEntries} to 65536, rounded up by the kernel to a power of two; if
 *     it is full, the kernel keeps further completions until there is room
 * @param receiveBuffers number of receive buffers of each ring, a power of two from 1 to 32768
 * @param receiveBufferBytes size of each receive buffer, 64 bytes to 1 MiB
 * @param incremental true if several receives fill a buffer (Linux 6.12), instead of one buffer for each receive
 * @param bundles true if one completion may report several filled buffers. Has no effect with {@code incremental}, nor before Linux 6.17,
 *     because some kernels since 6.13 left gaps in the received bytes
 * @param batch number of completions for which a thread waits, 1 to {@code completionEntries}
 * @param batchWait time after which one completion ends the wait (Linux 6.12), up to 1 s; {@link Duration#ZERO} if and only if {@code
 *     batch} is 1. A wake-up of the ring may be late by the same time
 * @param ioWait true if a waiting thread counts as waiting for a disk (iowait, PSI), as before Linux 6.15: an idle server looks busy, and
 *     some frequency governors raise a CPU's clock for that. False has an effect only where the kernel supports it
 * @param boundedWorkersMax maximum number of kernel threads ({@code iou-wrk}) of each thread of the ring, 1 to 32768, that run blocking
 *     requests on regular files and block devices. Further requests wait. 0: the kernel's limit, the lesser of {@code submissionEntries}
 *     and four for each CPU. Also limits the thread that opens the ring, if it uses rings itself
 * @param unboundedWorkersMax likewise for requests on sockets, pipes and other files, which may take any time; 0: the kernel's limit, the
 *     maximum number of the user's processes (ulimit -u)
 * @param datagramBuffers number of receive buffers for each {@code bytesMax} of the ring's datagram sockets, made with the first socket; a
 *     power of two up to 32768; fewer if they would exceed 4 MiB. 0: datagram sockets are watched for readiness, and receive by
 *     recvmmsg(2). This also applies to sockets with an error queue ({@code errors}, {@code sendTimes}), to sets with one-shot handles, and
 *     to kernels that refuse the receives
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
    /** A buffer's number has 16 bits, and a full ring must differ from an empty ring. */
    private static final int BUFFERS_MAX = 32_768;

    private static final int WORKERS_MAX = 32_768;

    private static final int BUFFER_BYTES_MIN = 64;
    private static final int BUFFER_BYTES_MAX = 1 << 20;
    /** Maximum size of all receive buffers of a ring together: they are one direct ByteBuffer. */
    private static final long BUFFER_AREA_BYTES_MAX = 1L << 30;

    private static final Duration MICROSECOND = Duration.ofNanos(1_000);
    private static final Duration WAIT_MAX = Duration.ofSeconds(1);

    /** 1,024 submissions, 16,384 completions, 4,096 receive buffers of 4 KiB, bundles, 256 datagram buffers; all other options off. */
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

    /** Returns a copy. All {@code with} methods throw {@link IllegalArgumentException} as the constructor does. */
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

    /** @param bounded for regular files; {@code unbounded} for all other requests. Each 1 to 32768, or 0 for the kernel's limit */
    public RingOptions withWorkersMax(int bounded, int unbounded) {
        return Settings.with(this, Map.of("boundedWorkersMax", bounded, "unboundedWorkersMax", unbounded));
    }

    /** @param count number of buffers for datagrams of one size; 0 if the ring must not receive datagrams */
    public RingOptions withDatagramBuffers(int count) {
        return Settings.with(this, "datagramBuffers", count);
    }
}
