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
 * @param completionEntries size of the completion queue, {@code submissionEntries} to 65536, rounded up by the kernel to a power of two;
 *     the kernel keeps completions without room until there is some
 * @param receiveBuffers number of receive buffers of each ring, a power of two from 1 to 32768
 * @param receiveBufferBytes size of each, 64 bytes to 1 MiB
 * @param incremental the kernel fills a buffer piece by piece (Linux 6.12), instead of taking one for each receive
 * @param bundles one completion may report several filled buffers, unless they are filled piece by piece. Has no effect before Linux 6.17,
 *     because some kernels since 6.13 left gaps in the received bytes
 * @param batch number of completions that a wait is for, 1 to {@code completionEntries}
 * @param batchWait time to wait for that many before one is enough (Linux 6.12), up to 1 s; {@link Duration#ZERO} with a batch of 1, and
 *     only with that. A thread that wakes the ring may wait so long as well
 * @param ioWait a waiting thread counts as waiting for a disk (iowait, PSI), as before Linux 6.15: an idle server looks busy, and some
 *     frequency governors raise a CPU's clock for that. If false, it does not where the kernel can leave it out
 * @param boundedWorkersMax kernel threads ({@code iou-wrk}) that each thread of the ring may have at a time for requests on regular files
 *     and block devices, which would block it, from 1 to 32768; 0: the kernel's limit, the lesser of {@code submissionEntries} and four for
 *     each CPU. More requests wait. Also limits the thread that opens the ring, if it uses rings itself
 * @param unboundedWorkersMax likewise for requests on sockets, pipes and other files, which may take indefinitely; 0: the kernel's limit,
 *     that of the user's processes (ulimit -u)
 * @param datagramBuffers number of receive buffers for each {@code bytesMax} of the ring's datagram sockets, made with the first of these
 *     sockets; a power of two up to 32768; fewer if they would exceed 4 MiB. 0: datagram sockets are watched for readiness, and receive by
 *     recvmmsg(2). So do sockets with an error queue ({@code errors}, {@code sendTimes}), sockets of sets with one-shot handles, and all
 *     sockets where the kernel refuses the receives
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
    /** A buffer's number has 16 bits, and a ring that is full must differ from one that is empty. */
    private static final int BUFFERS_MAX = 32_768;

    private static final int WORKERS_MAX = 32_768;

    private static final int BUFFER_BYTES_MIN = 64;
    private static final int BUFFER_BYTES_MAX = 1 << 20;
    /** Maximum size of all receive buffers of a ring, which are one direct ByteBuffer. */
    private static final long BUFFER_AREA_BYTES_MAX = 1L << 30;

    private static final Duration MICROSECOND = Duration.ofNanos(1_000);
    private static final Duration WAIT_MAX = Duration.ofSeconds(1);

    /** 1,024 submissions, 16,384 completions, 4,096 receive buffers of 4 KiB, bundles, 256 datagram buffers; all other options off. */
    public static final RingOptions DEFAULT =
            new RingOptions(1_024, 16_384, 4_096, 4 << 10, false, true, 1, Duration.ZERO, false, 0, 0, 256);

    /** @throws IllegalArgumentException for a value out of its range, or two that do not go together */
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

    /** Returns a copy. Like the other methods of this kind, throws {@link IllegalArgumentException} as the constructor does. */
    public RingOptions withEntries(int submissions, int completions) {
        return Settings.with(this, Map.of("submissionEntries", submissions, "completionEntries", completions));
    }

    /** @param count for each ring; together at most 1 GiB */
    public RingOptions withReceiveBuffers(int count, int bytesOfEach) {
        return Settings.with(this, Map.of("receiveBuffers", count, "receiveBufferBytes", bytesOfEach));
    }

    public RingOptions withIncremental(boolean wanted) {
        return Settings.with(this, "incremental", wanted);
    }

    public RingOptions withBundles(boolean wanted) {
        return Settings.with(this, "bundles", wanted);
    }

    /** @param wait zero with 1 completion, and only with that */
    public RingOptions withBatch(int completions, Duration wait) {
        return Settings.with(this, Map.of("batch", completions, "batchWait", wait));
    }

    public RingOptions withIoWait(boolean wanted) {
        return Settings.with(this, "ioWait", wanted);
    }

    /** @param bounded of regular files, and {@code unbounded} of all else; from 1 to 32768, or 0 for the kernel's limit */
    public RingOptions withWorkersMax(int bounded, int unbounded) {
        return Settings.with(this, Map.of("boundedWorkersMax", bounded, "unboundedWorkersMax", unbounded));
    }

    /** @param count for datagrams of one size; 0: no receives of datagrams by the ring */
    public RingOptions withDatagramBuffers(int count) {
        return Settings.with(this, "datagramBuffers", count);
    }
}
