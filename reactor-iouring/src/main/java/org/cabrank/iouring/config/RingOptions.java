package org.cabrank.iouring.config;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Options of the rings of a backend: io_uring_setup(2), io_uring_register(2) and io_uring_enter(2). Immutable, so any thread
 * may use it. Where an option names a Linux version and the kernel is older or refuses it, the backend does not open
 * ({@link org.cabrank.stream.BackendUnavailableException}), unless the option says otherwise.
 *
 * @param submissionEntries the submission queue, from 1 to 32768; the kernel rounds up to a power of two. More are
 *     submitted as soon as it is full
 * @param completionEntries the completion queue, from {@code submissionEntries} to 65536; the kernel rounds up to a power of
 *     two, and keeps what finds no room until there is some
 * @param completionsAtStart the completion queue starts with so many entries, from {@code submissionEntries} to
 *     {@code completionEntries}, and doubles up to these whenever a wait finds it more than half full, or overflowed (Linux 6.13);
 *     0: it has all of them from the start, 16 bytes each. A wait that does not block calls the kernel each time then, since
 *     kernels before 7.0 cannot both resize a ring and flag that completions are due. It is an optimisation: a ring of an
 *     older kernel has all entries from the start, and that is logged. Not with {@code sqPollIdle}
 * @param receiveBuffers number of buffers that the kernel receives into, of each ring; a power of two from 1 to 32768
 * @param receiveBufferBytes the size of each, from 64 bytes to 1 MiB
 * @param incremental the kernel fills a buffer piece by piece (Linux 6.12), instead of taking one for each receive
 * @param bundles one completion may tell of several buffers that were filled, unless they are filled piece by piece. It is an
 *     optimisation: a kernel before Linux 6.17 does without, because some kernels since 6.13 left gaps in the received bytes
 * @param registeredFiles requests of stream sockets name a place in a table of files that the kernel keeps for the ring, instead
 *     of a descriptor that it has to look up for each. A connection costs two requests more. It is an optimisation: where it is
 *     unavailable, that is logged. A kernel before Linux 6.13 does without, because it keeps sockets open after their close
 * @param zeroCopyBytes sends of at least so many bytes are not copied, from 1; {@link Integer#MAX_VALUE}: none is. A connection
 *     for which the kernel copies all the same, as it does on loopback, goes back to ordinary sends. A peer with a receive
 *     buffer of a few KiB gets what was sent before that at a crawl
 * @param sqPollIdle time that a kernel thread of the ring looks for submissions before it sleeps, from 1 ms to 1 h;
 *     {@link Duration#ZERO}: there is none
 * @param sqPollCpu the CPU that this thread stays on, from 0; -1: any
 * @param sqPollShared the rings of all shards share one such thread, on the CPU of the first, instead of one for each; it sleeps
 *     when none of them has had a submission for {@code sqPollIdle}. With one shard there is nothing to share
 * @param napiBusyPoll for how long a wait looks at the network devices before it sleeps (Linux 6.9), from 1 us to 1 s;
 *     {@link Duration#ZERO}: not at all. It is an optimisation: if it is unavailable, that is logged
 * @param napiPrefer while a thread looks at the devices in this way often enough, they raise no interrupts ({@code
 *     prefer_busy_poll}); only with a {@code napiBusyPoll}. It takes effect on devices whose {@code napi_defer_hard_irqs} and
 *     {@code gro_flush_timeout} are set
 * @param napiStatic a ring looks at the receive queues that its connections came through, each looked up once per connection,
 *     and at no more than 64 queues (Linux 6.13); otherwise the kernel looks up the queue for each request that it arms, and
 *     forgets it after 60 s without one. Only with a {@code napiBusyPoll}
 * @param batch number of completions that a wait is for, from 1 to {@code completionEntries}
 * @param batchWait time to wait for that many before one is enough (Linux 6.12), up to 1 s; {@link Duration#ZERO} with a
 *     batch of 1, and only with that. A thread that wakes the ring may wait so long as well
 * @param ioWait a thread that waits counts as one that waits for a disk (iowait, PSI), as before Linux 6.15, so that an idle server
 *     looks busy; some frequency governors raise a CPU's clock for that. Otherwise it does not, where the kernel can leave it out
 * @param boundedWorkersMax kernel threads ({@code iou-wrk}) that each thread of the ring may have at a time for requests on
 *     regular files and block devices, which would block it, from 1 to 32768; 0: the kernel's limit, the lesser of {@code
 *     submissionEntries} and four for each CPU. More requests wait. With {@code sqPollIdle} they are the threads of the kernel's
 *     submitting thread. The thread that opens the ring is limited as well, if it uses rings itself
 * @param unboundedWorkersMax likewise for requests on sockets, pipes and other files, which may take indefinitely; 0: the kernel's
 *     limit, that of the user's processes (ulimit -u)
 * @param restricted the kernel refuses every operation of a ring that this reactor does not use with these options
 *     (IORING_REGISTER_RESTRICTIONS), with EACCES: a ring is then no way around a filter of system calls
 * @param datagramBuffers number of buffers that the kernel receives datagrams into, for each {@code bytesMax} of the ring's datagram
 *     sockets, made with the first of these sockets; a power of two up to 32768. There are fewer if they would have more than 4 MiB. 0:
 *     datagram sockets are watched for readiness, and receive by recvmmsg(2). So do sockets with an error queue ({@code errors},
 *     {@code sendTimes}), sockets of sets with one-shot handles, and all sockets where the kernel refuses the receives
 */
public record RingOptions(
        int submissionEntries,
        int completionEntries,
        int completionsAtStart,
        int receiveBuffers,
        int receiveBufferBytes,
        boolean incremental,
        boolean bundles,
        boolean registeredFiles,
        int zeroCopyBytes,
        Duration sqPollIdle,
        int sqPollCpu,
        boolean sqPollShared,
        Duration napiBusyPoll,
        boolean napiPrefer,
        boolean napiStatic,
        int batch,
        Duration batchWait,
        boolean ioWait,
        int boundedWorkersMax,
        int unboundedWorkersMax,
        boolean restricted,
        int datagramBuffers) {

    /** IORING_MAX_ENTRIES of the kernel. */
    private static final int SUBMISSIONS_MAX = 32_768;
    /** IORING_MAX_CQ_ENTRIES of the kernel. */
    private static final int COMPLETIONS_MAX = 65_536;
    /** A buffer's number has 16 bits, and a ring that is full must differ from one that is empty. */
    private static final int BUFFERS_MAX = 32_768;

    /** Maximum number of threads of a system, by default. */
    private static final int WORKERS_MAX = 32_768;

    private static final int BUFFER_BYTES_MIN = 64;
    private static final int BUFFER_BYTES_MAX = 1 << 20;
    /** Maximum size of all receive buffers of a ring, which are one direct ByteBuffer. */
    private static final long BUFFER_AREA_BYTES_MAX = 1L << 30;

    private static final Duration SQ_POLL_IDLE_MIN = Duration.ofMillis(1);
    private static final Duration SQ_POLL_IDLE_MAX = Duration.ofHours(1);
    private static final Duration MICROSECOND = Duration.ofNanos(1_000);
    private static final Duration WAIT_MAX = Duration.ofSeconds(1);

    /**
     * 1,024 submissions, 16,384 completions, 4,096 receive buffers of 4 KiB, bundles of them, no zero copy, and nothing else
     * that has to be asked for. 256 buffers for datagrams of one size.
     */
    public static final RingOptions DEFAULT = new RingOptions(
            1_024,
            16_384,
            0,
            4_096,
            4 << 10,
            false,
            true,
            false,
            Integer.MAX_VALUE,
            Duration.ZERO,
            -1,
            false,
            Duration.ZERO,
            false,
            false,
            1,
            Duration.ZERO,
            false,
            0,
            0,
            false,
            256);

    /** @throws IllegalArgumentException for a value out of its range, or two that do not go together */
    public RingOptions {
        inRange("submissionEntries", submissionEntries, 1, SUBMISSIONS_MAX, "");
        inRange("completionEntries", completionEntries, submissionEntries, COMPLETIONS_MAX, "");
        require(
                completionsAtStart == 0
                        || completionsAtStart >= submissionEntries && completionsAtStart <= completionEntries,
                "completionsAtStart must be 0, or from " + submissionEntries + " to " + completionEntries + ", but is "
                        + completionsAtStart);
        require(
                completionsAtStart == 0 || sqPollIdle.isZero(),
                "completionsAtStart and a sqPollIdle exclude each other: the kernel does not resize the ring of its thread");
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
        inRange("zeroCopyBytes", zeroCopyBytes, 1, Integer.MAX_VALUE, " bytes");
        zeroOrInRange("sqPollIdle", sqPollIdle, SQ_POLL_IDLE_MIN, SQ_POLL_IDLE_MAX);
        require(sqPollCpu >= -1, "sqPollCpu must be a CPU's number or -1 for any, but is " + sqPollCpu);
        require(
                sqPollCpu == -1 || !sqPollIdle.isZero(),
                "sqPollCpu is " + sqPollCpu + ", but without a sqPollIdle there is no thread that could stay there");
        require(
                !sqPollShared || !sqPollIdle.isZero(),
                "sqPollShared needs a sqPollIdle: without one there is no thread to share");
        zeroOrInRange("napiBusyPoll", napiBusyPoll, MICROSECOND, WAIT_MAX);
        require(
                !napiPrefer || !napiBusyPoll.isZero(),
                "napiPrefer needs a napiBusyPoll: without one no thread looks at the devices");
        require(
                !napiStatic || !napiBusyPoll.isZero(),
                "napiStatic needs a napiBusyPoll: without one no thread looks at the devices");
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

    public boolean sqPoll() {
        return !sqPollIdle.isZero();
    }

    public boolean zeroCopy() {
        return zeroCopyBytes != Integer.MAX_VALUE;
    }

    /**
     * Returns a copy with these two queue lengths. This and the other methods of this kind throw {@link
     * IllegalArgumentException} as the constructor does.
     */
    public RingOptions withEntries(int submissions, int completions) {
        return with(draft -> {
            draft.submissionEntries = submissions;
            draft.completionEntries = completions;
        });
    }

    /** @param count for each ring; together at most 1 GiB */
    public RingOptions withReceiveBuffers(int count, int bytesOfEach) {
        return with(draft -> {
            draft.receiveBuffers = count;
            draft.receiveBufferBytes = bytesOfEach;
        });
    }

    public RingOptions withIncremental(boolean wanted) {
        return with(draft -> draft.incremental = wanted);
    }

    public RingOptions withBundles(boolean wanted) {
        return with(draft -> draft.bundles = wanted);
    }

    public RingOptions withRegisteredFiles(boolean wanted) {
        return with(draft -> draft.registeredFiles = wanted);
    }

    public RingOptions withZeroCopyBytes(int bytes) {
        return with(draft -> draft.zeroCopyBytes = bytes);
    }

    /**
     * @param idle from 1 ms to 1 h, or zero: no thread of the kernel
     * @param cpu from 0; -1: any, and the only one that goes with a zero {@code idle}
     */
    public RingOptions withSqPoll(Duration idle, int cpu) {
        return with(draft -> {
            draft.sqPollIdle = idle;
            draft.sqPollCpu = cpu;
        });
    }

    public RingOptions withNapiBusyPoll(Duration busyPoll) {
        return with(draft -> draft.napiBusyPoll = busyPoll);
    }

    public RingOptions withNapiPrefer(boolean wanted) {
        return with(draft -> draft.napiPrefer = wanted);
    }

    public RingOptions withNapiStatic(boolean wanted) {
        return with(draft -> draft.napiStatic = wanted);
    }

    /** @param wait zero with 1 completion, and only with that */
    public RingOptions withBatch(int completions, Duration wait) {
        return with(draft -> {
            draft.batch = completions;
            draft.batchWait = wait;
        });
    }

    public RingOptions withIoWait(boolean wanted) {
        return with(draft -> draft.ioWait = wanted);
    }

    public RingOptions withSqPollShared(boolean wanted) {
        return with(draft -> draft.sqPollShared = wanted);
    }

    /** @param bounded of regular files, and {@code unbounded} of all else; from 1 to 32768, or 0 for the kernel's limit */
    public RingOptions withWorkersMax(int bounded, int unbounded) {
        return with(draft -> {
            draft.boundedWorkersMax = bounded;
            draft.unboundedWorkersMax = unbounded;
        });
    }

    public RingOptions withRestricted(boolean wanted) {
        return with(draft -> draft.restricted = wanted);
    }

    /** @param count from {@code submissionEntries} to {@code completionEntries}, or 0 for all of these */
    public RingOptions withCompletionsAtStart(int count) {
        return with(draft -> draft.completionsAtStart = count);
    }

    /** @param count for datagrams of one size; 0: no receives of datagrams by the ring */
    public RingOptions withDatagramBuffers(int count) {
        return with(draft -> draft.datagramBuffers = count);
    }

    private RingOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /** The components while some of them change: one place lists them all. */
    private static final class Draft {
        private int submissionEntries;
        private int completionEntries;
        private int completionsAtStart;
        private int receiveBuffers;
        private int receiveBufferBytes;
        private boolean incremental;
        private boolean bundles;
        private boolean registeredFiles;
        private int zeroCopyBytes;
        private Duration sqPollIdle;
        private int sqPollCpu;
        private boolean sqPollShared;
        private Duration napiBusyPoll;
        private boolean napiPrefer;
        private boolean napiStatic;
        private int batch;
        private Duration batchWait;
        private boolean ioWait;
        private int boundedWorkersMax;
        private int unboundedWorkersMax;
        private boolean restricted;
        private int datagramBuffers;

        Draft(RingOptions from) {
            submissionEntries = from.submissionEntries;
            completionEntries = from.completionEntries;
            completionsAtStart = from.completionsAtStart;
            receiveBuffers = from.receiveBuffers;
            receiveBufferBytes = from.receiveBufferBytes;
            incremental = from.incremental;
            bundles = from.bundles;
            registeredFiles = from.registeredFiles;
            zeroCopyBytes = from.zeroCopyBytes;
            sqPollIdle = from.sqPollIdle;
            sqPollCpu = from.sqPollCpu;
            sqPollShared = from.sqPollShared;
            napiBusyPoll = from.napiBusyPoll;
            napiPrefer = from.napiPrefer;
            napiStatic = from.napiStatic;
            batch = from.batch;
            batchWait = from.batchWait;
            ioWait = from.ioWait;
            boundedWorkersMax = from.boundedWorkersMax;
            unboundedWorkersMax = from.unboundedWorkersMax;
            restricted = from.restricted;
            datagramBuffers = from.datagramBuffers;
        }

        RingOptions options() {
            return new RingOptions(
                    submissionEntries,
                    completionEntries,
                    completionsAtStart,
                    receiveBuffers,
                    receiveBufferBytes,
                    incremental,
                    bundles,
                    registeredFiles,
                    zeroCopyBytes,
                    sqPollIdle,
                    sqPollCpu,
                    sqPollShared,
                    napiBusyPoll,
                    napiPrefer,
                    napiStatic,
                    batch,
                    batchWait,
                    ioWait,
                    boundedWorkersMax,
                    unboundedWorkersMax,
                    restricted,
                    datagramBuffers);
        }
    }
}
