package org.cabrank.iouring;

import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.RingFeatures;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.IoUring;
import org.cabrank.stream.transport.Chunk;
import org.cabrank.stream.transport.ChunkPool;

/**
 * Shared state of the sends without a copy of a ring's streams (io_uring_enter(2), IORING_OP_SEND_ZC), and their benefit
 * it was worth it. Any thread.
 */
final class ZeroCopy {
    /** Chunks that are never given back, see {@link #keep}; referenced so that no garbage collector frees them. */
    private static final Queue<Chunk> KEPT = new ConcurrentLinkedQueue<>();

    private final int leastBytes;
    private final boolean severalPieces;
    private final int reportFlag;
    private final ChunkPool chunks;
    private final LongAdder sends = new LongAdder();
    private final LongAdder copied = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder memoryFree = new LongAdder();

    /** @param chunks the pool of the chunks */
    ZeroCopy(RingOptions options, RingFeatures features, ChunkPool chunks) {
        this.leastBytes = options.zeroCopyBytes();
        this.severalPieces = features.zeroCopySendOfSeveral();
        this.reportFlag = features.zeroCopyReport() ? IoUring.IORING_SEND_ZC_REPORT_USAGE : 0;
        this.chunks = chunks;
    }

    /** Sends of so many bytes and more go without a copy; {@link Integer#MAX_VALUE}: none. */
    int leastBytes() {
        return leastBytes;
    }

    /** Returns true if a sendmsg can also go without a copy. */
    boolean severalPieces() {
        return severalPieces;
    }

    /** Returns the flag in ioprio of a request that asks for a report of copies, or 0. */
    int reportFlag() {
        return reportFlag;
    }

    ChunkPool chunks() {
        return chunks;
    }

    /**
     * Returns true if the kernel has sent nothing because it cannot without a copy: sockets of this kind have no such thing
     * (AF_UNIX), or it may pin no more memory of this user (RLIMIT_MEMLOCK).
     */
    static boolean isRefusal(int result) {
        return result == -Errno.EOPNOTSUPP || result == -Errno.ENOMEM || result == -Errno.ENOBUFS;
    }

    void noteSend() {
        sends.increment();
    }

    void noteCopied() {
        copied.increment();
    }

    void noteRefused() {
        refused.increment();
    }

    void noteMemoryFree() {
        memoryFree.increment();
    }

    /** Sends that were begun and whose memory the network may still be reading. */
    long outstanding() {
        return sends.sum() - memoryFree.sum();
    }

    /** Keeps chunks from being used again or freed: the network may still be reading them, and no notification will come. */
    void keep(Chunk[] pinned, int count) {
        KEPT.addAll(Arrays.asList(pinned).subList(0, count));
    }

    /** Chunks that are kept so, of all rings of this process. */
    static int keptCount() {
        return KEPT.size();
    }

    /** Sends that were asked for without a copy. */
    long sends() {
        return sends.sum();
    }

    /** Those of them that the kernel has copied all the same. */
    long copied() {
        return copied.sum();
    }

    /** Those of them that it has refused, and that went again with a copy. */
    long refused() {
        return refused.sum();
    }
}
