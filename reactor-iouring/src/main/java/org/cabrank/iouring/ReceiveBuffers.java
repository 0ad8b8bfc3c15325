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
 * The buffers that the kernel receives into, for all streams of a ring. If the kernel has no buffer, a receive ends with ENOBUFS. The
 * watcher then copies all pieces that connections have not taken yet, and returns their buffers to the kernel. The receive is armed again
 * as soon as there is a buffer. So connections that do not take their bytes do not delay other connections.
 *
 * <p>After an ENOBUFS, buffers count as {@linkplain #areScarce() scarce} for a while. Each receive then fills one buffer and ends. So a
 * peer that sends without a pause gets no more buffers than other peers.
 */
final class ReceiveBuffers {
    static final int GROUP = 0;

    static final int CALM_WAITS = 1_000;

    interface Receiver {
        void starve();

        /** Called by the watcher when a buffer may be free again. Returns true if the receiver has armed a receive. */
        boolean feed();
    }

    private final RingHandleSet set;
    private final BufferRing ring;
    private final ChunkPool chunks;
    private final boolean incremental;
    private final boolean bundlesWanted;

    /** Decided before the first receive. */
    private volatile boolean bundles;

    /** True if the kernel has {@link KnownFault#END_LOST_BEHIND_BYTES}. Decided before the first receive. */
    private volatile boolean endsLost;

    private volatile boolean gapsFeared;

    /** Number of received bytes in each buffer. Used with incremental consumption. */
    private final int[] filled;

    /** For each buffer, the number of its pieces that connections hold. Used with incremental consumption. */
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

    boolean areEndsLost() {
        return endsLost;
    }

    int receiveFlags() {
        return bundles ? IoUring.IORING_RECVSEND_BUNDLE : 0;
    }

    boolean areScarce() {
        return scarce;
    }

    long exhaustedCount() {
        return exhausted.sum();
    }

    // ---- from the kernel to a connection (called by the watcher) ----

    /** Returns 1 if the socket has bytes, 0 at the end of the input, or {@code -errno}. The kernel clears an error that it has reported. */
    int peek(int fd) {
        return set.kernel().recv(fd, peekedAddress, 1, Sockets.MSG_PEEK | Sockets.MSG_DONTWAIT);
    }

    /** If the queue has ended, drops the bytes and returns false. */
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

    // ---- from a connection back to the kernel (called by claim holders) ----

    /** Returns the buffer of a piece. The position of the buffer has no meaning, because a user may have moved it. */
    ByteBuffer view(long piece) {
        return ring.view(InboundQueue.bufferId(piece));
    }

    ByteBuffer whole(long piece) {
        return view(piece).clear();
    }

    /** Returns true if the buffer has only this piece, and the piece begins at the buffer's first byte. */
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

    // ---- no buffer left (called by the watcher) ----

    boolean anyFree() {
        return ring.free() > 0;
    }

    void noteExhausted() {
        exhausted.increment();
        calmWaits = 0;
        scarce = true;
    }

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
     * Called before a wait. If few buffers are free, copies all queued pieces. Then arms a starved receive for each free buffer. Returns
     * true if some receives were armed and others still starve. The watcher must then not wait, because the armed receives may leave their
     * buffers unused.
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

    private static void copyAll(InboundQueue queue, CopiedPieces copies) {
        queue.replaceAll(pieces -> {
            long[] packed = copies.pack(pieces);
            if (copies.hasLost()) {
                queue.end(InboundQueue.NO_MEMORY);
            }
            return packed;
        });
    }

    // ---- chunks for copies (called by any thread) ----

    /** Called before the first request. Makes the ring's owner the owner of the chunks, and tests the kernel for known faults. */
    void ownedByCaller() {
        chunks.ownedByCaller();
        bundles = bundlesWanted && BundleTrial.passes(set.ring());
        gapsFeared = bundlesWanted && !bundles;
        endsLost = !LostEndTrial.passes(set, this);
    }

    /** Takes a chunk of up to {@code bytes}. Returns null if the shard has no memory for a connection with {@code held} bytes. */
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
