package org.cabrank.iouring;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.LongAdder;
import org.cabrank.iouring.ring.BufferRing;
import org.cabrank.iouring.ring.KnownFault;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.handle.Ready;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.transport.Chunk;
import org.cabrank.stream.transport.ChunkPool;

/**
 * The buffers that the kernel receives into, for all streams of a ring.
 *
 * <p>A buffer is with the kernel, or connections have pieces of it until the last piece is released. When a receive ends because the kernel
 * has no buffer (ENOBUFS), the untaken pieces of connections are copied, which returns all buffers except those that handlers use. The
 * receive is armed again as soon as there is a buffer. So connections that do not take their bytes do not delay others.
 *
 * <p>After an ENOBUFS buffers are {@linkplain #areScarce() scarce} for a while: each receive fills one buffer and ends. So peers that send
 * without a pause get no more buffers than other peers, even while their connections are paused.
 */
final class ReceiveBuffers {
    static final int GROUP = 0;

    static final int CALM_WAITS = 1_000;

    interface Receiver {
        /** Watcher. Called when the kernel has no buffer for the receive. */
        void starve();

        /** Watcher, when a buffer may be free again. Returns true if the receiver has armed a receive, false if it needs no buffer. */
        boolean feed();
    }

    private final RingHandleSet set;
    private final BufferRing ring;
    private final ChunkPool chunks;
    private final boolean incremental;
    private final boolean bundlesWanted;

    /** Decided before the first receive. */
    private volatile boolean bundles;

    /** True with {@link KnownFault#END_LOST_BEHIND_BYTES}. Decided before the first receive. */
    private volatile boolean endsLost;

    private volatile boolean gapsFeared;

    /** Number of received bytes in each buffer. Used with incremental consumption. */
    private final int[] filled;

    /** Number of pieces of each buffer that connections hold. Used with incremental consumption. */
    private final int[] pieces;

    private final boolean[] complete;

    /** Receives that have ended for lack of a buffer. Used by the watcher. */
    private final Queue<Receiver> starved = new ArrayDeque<>();

    private volatile boolean starving;
    private volatile boolean scarce;

    /** Number of consecutive waits that found at least half of the buffers free. Used by the watcher. */
    private int calmWaits;

    private final LongAdder exhausted = new LongAdder();
    private final ByteBuffer peeked = ByteBuffer.allocateDirect(1);
    private final long peekedAddress;

    /** @param bundles true if one completion may bring several buffers, provided that the kernel fills them without gaps */
    ReceiveBuffers(RingHandleSet set, BufferRing ring, ChunkPool chunks, boolean incremental, boolean bundles) {
        this.set = set;
        this.ring = ring;
        this.chunks = chunks;
        this.incremental = incremental;
        this.peekedAddress = set.kernel().addressOf(peeked);
        this.bundlesWanted = bundles;
        this.filled = new int[incremental ? ring.buffers() : 0];
        this.pieces = new int[filled.length];
        this.complete = new boolean[filled.length];
    }

    BufferRing ring() {
        return ring;
    }

    int group() {
        return GROUP;
    }

    String faults() {
        return (gapsFeared ? "; " + KnownFault.BUNDLE_GAPS.remedy() : "")
                + (endsLost ? "; " + KnownFault.END_LOST_BEHIND_BYTES.remedy() : "");
    }

    /** Any thread. */
    boolean areEndsLost() {
        return endsLost;
    }

    int receiveFlags() {
        return bundles ? IoUring.IORING_RECVSEND_BUNDLE : 0;
    }

    /** Any thread. Returns true if a new receive must fill only one buffer. */
    boolean areScarce() {
        return scarce;
    }

    long exhaustedCount() {
        return exhausted.sum();
    }

    // ---- from the kernel to a connection; by the watcher ----

    /** Returns 1 if the socket has bytes, without taking any; 0 at the end of the input; else {@code -errno}. Clears a pending error. */
    int peek(int fd) {
        return set.kernel().recv(fd, peekedAddress, 1, Sockets.MSG_PEEK | Sockets.MSG_DONTWAIT);
    }

    /** Adds the {@code bytes} of a receive to the connection's queue. Returns false if the queue has ended: the bytes are dropped. */
    boolean received(InboundQueue queue, int bytes, int flags) {
        boolean taken = true;
        int buffer = flags >>> IoUring.IORING_CQE_BUFFER_SHIFT;
        int left = bytes;
        while (left > 0) {
            int here = Math.min(left, ring.bufferBytes());
            left -= here;
            int following = left > 0 ? ring.following(buffer) : buffer; // next buffer of the bundle
            long piece = InboundQueue.piece(buffer, place(buffer, here, flags), here);
            taken = queue.add(piece);
            if (!taken) {
                release(piece);
            }
            buffer = following;
        }
        return taken;
    }

    private int place(int buffer, int bytes, int flags) {
        if (!incremental) {
            ring.taken(buffer);
            return 0;
        }
        int offset = filled[buffer];
        filled[buffer] = offset + bytes;
        pieces[buffer]++;
        if ((flags & IoUring.IORING_CQE_F_BUF_MORE) == 0) {
            complete[buffer] = true;
            ring.taken(buffer);
        }
        return offset;
    }

    // ---- from a connection back to the kernel; by claim holders ----

    /** Returns the buffer of a piece. The piece's bytes begin at its offset, not at the buffer's position, which a user may have moved. */
    ByteBuffer view(long piece) {
        return ring.view(InboundQueue.bufferId(piece));
    }

    /** Returns the buffer of a piece for copying, with position and limit reset. */
    ByteBuffer whole(long piece) {
        return view(piece).clear();
    }

    /** Returns true if the buffer of the piece has no other piece. */
    boolean isWhole(long piece) {
        return !incremental && InboundQueue.offset(piece) == 0;
    }

    void release(long piece) {
        int buffer = InboundQueue.bufferId(piece);
        if (incremental && !isFree(buffer)) {
            return;
        }
        ring.recycle(buffer);
        if (starving) {
            set.wakeup();
        }
    }

    private boolean isFree(int buffer) {
        if (--pieces[buffer] > 0 || !complete[buffer]) {
            return false;
        }
        filled[buffer] = 0;
        complete[buffer] = false;
        return true;
    }

    // ---- no buffer left; by the watcher ----

    boolean anyFree() {
        return ring.free() > 0;
    }

    void noteExhausted() {
        exhausted.increment();
        calmWaits = 0;
        scarce = true;
    }

    /** Called when a receive has ended with ENOBUFS and must continue as soon as there is a buffer. */
    void exhausted(Receiver receiver) {
        noteExhausted();
        await(receiver);
    }

    private void await(Receiver receiver) {
        receiver.starve();
        starved.add(receiver);
        starving = true;
    }

    /**
     * Called before a wait. Continues as many starved receives as there are free buffers. If few are free, first copies the pieces that
     * connections hold. Returns true if the watcher must not wait: continued receives may leave their buffers unused while other
     * connections starve.
     */
    boolean rearmStarved() {
        if (!starving) {
            noteCalm();
            return false;
        }
        if (ring.free() <= ring.buffers() / 8) {
            copyAll();
        }
        int before = ring.free();
        int free = before;
        while (free > 0 && !starved.isEmpty()) {
            free -= starved.remove().feed() ? 1 : 0;
        }
        starving = !starved.isEmpty();
        return starving && free < before;
    }

    private void noteCalm() {
        if (scarce) {
            calmWaits = ring.free() >= ring.buffers() / 2 ? calmWaits + 1 : 0;
            scarce = calmWaits < CALM_WAITS;
        }
    }

    private void copyAll() {
        for (HandleRequests requests : set.table().all()) {
            if (requests instanceof StreamRequests stream && CopiedPieces.areNeeded(stream.inbound())) {
                copyAll(stream.inbound(), stream.copies());
                if (stream.copies().hasLost()) {
                    stream.handle().post(Ready.ERROR);
                }
            }
        }
    }

    /** Copies all pieces of a queue. If bytes are lost, that error replaces an orderly end of the queue. */
    private static void copyAll(InboundQueue queue, CopiedPieces copies) {
        queue.replaceAll(pieces -> {
            long[] packed = copies.pack(pieces);
            if (copies.hasLost()) {
                queue.end(InboundQueue.NO_MEMORY);
            }
            return packed;
        });
    }

    // ---- chunks for copies; any thread ----

    /** Called before the first request by the ring's owner, which now also owns the chunks from which its connections send. */
    void ownedByCaller() {
        chunks.ownedByCaller();
        bundles = bundlesWanted && BundleTrial.passes(set.ring());
        gapsFeared = bundlesWanted && !bundles;
        endsLost = !LostEndTrial.passes(set, this);
    }

    /** Takes a chunk for all or a part of the bytes; null if the shard has no memory for a connection that has {@code held} bytes. */
    Chunk takeChunk(int bytes, long held) {
        return chunks.take(Math.min(bytes, chunks.chunkBytes()), held);
    }

    Chunk takeChunk(int bytes) throws ShardMemoryException {
        Chunk chunk = chunks.take(bytes, 0);
        if (chunk == null) {
            throw exhausted(bytes + " received bytes");
        }
        return chunk;
    }

    ShardMemoryException exhausted(String what) {
        return chunks.exhausted("no memory to keep " + what);
    }

    void giveBack(Chunk copy) {
        chunks.giveBack(copy);
    }
}
