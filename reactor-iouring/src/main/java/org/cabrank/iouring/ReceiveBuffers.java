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
 * The buffers that the kernel receives into, for all streams of a ring; and what is done when there is none left.
 *
 * <p>A buffer is with the kernel, or pieces of it are with connections, until the last of them is released. When a receive ends
 * because the kernel has none left (ENOBUFS), what connections have and have not taken yet is copied, which gives all buffers
 * back but those that handlers have in their hands, and the receive is armed again as soon as there is a buffer: so connections
 * that do not take their bytes (paused, or with a slow handler) hold up no other connection.
 *
 * <p>From then on buffers are {@linkplain #areScarce() scarce}: a receive fills one and ends. So peers that send without a pause
 * get no more of them than other peers, and hold no more when their connections are paused.
 */
final class ReceiveBuffers {
    static final int GROUP = 0;

    /** Named bound: waits, one after the other, before which half of the buffers were free, until they are scarce no more. */
    static final int CALM_WAITS = 1_000;

    /** A descriptor that receives. */
    interface Receiver {
        /** Watcher: there is no buffer to receive into. */
        void starve();

        /**
         * Called by the watcher when a buffer may be free again. Returns true if the receiver asked for it; false if it needs
         * none.
         */
        boolean feed();
    }

    private final RingHandleSet set;
    private final BufferRing ring;
    private final ChunkPool chunks;
    private final boolean incremental;
    private final boolean bundlesWanted;

    /** Decided by the ring's thread before the first receive. */
    private volatile boolean bundles;

    /** True if the kernel loses ends. Decided like bundles. */
    private volatile boolean endsLost;

    /** True if the kernel may leave gaps in a bundle. */
    private volatile boolean gapsFeared;

    /** Number of received bytes in each buffer. Used with incremental consumption only. */
    private final int[] filled;

    /** Number of pieces of each buffer that connections hold. Used with incremental consumption only. */
    private final int[] pieces;

    private final boolean[] complete;

    /** Receives that have ended for want of a buffer. Accessed by the watcher only. */
    private final Queue<Receiver> starved = new ArrayDeque<>();

    private volatile boolean starving;
    private volatile boolean scarce;

    /** Number of waits in a row that have found at least half of the buffers free. Accessed by the watcher only. */
    private int calmWaits;

    private final LongAdder exhausted = new LongAdder();
    private final ByteBuffer peeked = ByteBuffer.allocateDirect(1);
    private final long peekedAddress;

    /** @param bundles one completion may bring several buffers, if the kernel fills them without gaps */
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

    /** Any thread: returns what is done about faults of the kernel, for people. */
    String faults() {
        return (gapsFeared ? "; " + KnownFault.BUNDLE_GAPS.remedy() : "")
                + (endsLost ? "; " + KnownFault.END_LOST_BEHIND_BYTES.remedy() : "");
    }

    /** Any thread: returns true if a multishot receive may lose the end of a stream: {@link KnownFault#END_LOST_BEHIND_BYTES}. */
    boolean areEndsLost() {
        return endsLost;
    }

    /** Returns the flags of a multishot receive: {@code IORING_RECVSEND_BUNDLE} or 0. */
    int receiveFlags() {
        return bundles ? IoUring.IORING_RECVSEND_BUNDLE : 0;
    }

    /** Any thread: a receive that is asked for now is to fill one buffer, and not many. */
    boolean areScarce() {
        return scarce;
    }

    /** Number of receives that have ended because all buffers were in use. */
    long exhaustedCount() {
        return exhausted.sum();
    }

    // ---- from the kernel to a connection; by the watcher ----

    /**
     * Looks at the next byte of a socket and leaves it there: 1; 0: the peer has ended its output; or {@code -errno}, EAGAIN if
     * there is none yet. A pending error of the socket is cleared.
     */
    int peek(int fd) {
        return set.kernel().recv(fd, peekedAddress, 1, Sockets.MSG_PEEK | Sockets.MSG_DONTWAIT);
    }

    /**
     * A receive has brought {@code bytes}: gives them to the connection's queue.
     *
     * @return false: the queue has ended, and the bytes are dropped
     */
    boolean received(InboundQueue queue, int bytes, int flags) {
        boolean taken = true;
        int buffer = flags >>> IoUring.IORING_CQE_BUFFER_SHIFT;
        int left = bytes;
        while (left > 0) {
            int here = Math.min(left, ring.bufferBytes());
            left -= here;
            int following = left > 0 ? ring.following(buffer) : buffer; // of a bundle
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

    /** The bytes of a piece are at its offset, whatever the buffer's position. Its user may move the position of a whole piece. */
    ByteBuffer view(long piece) {
        return ring.view(InboundQueue.bufferId(piece));
    }

    /** All of its buffer, wherever a handler has left position and limit: for copying. */
    ByteBuffer whole(long piece) {
        return view(piece).clear();
    }

    /** Returns true if a piece has its buffer to itself. */
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

    // ---- none left; by the watcher ----

    /** Returns true if the kernel may have a buffer, as far as its completions were read. */
    boolean anyFree() {
        return ring.free() > 0;
    }

    /** A receive has ended with ENOBUFS. */
    void noteExhausted() {
        exhausted.increment();
        calmWaits = 0;
        scarce = true;
    }

    /** The same, and it is to go on as soon as there is a buffer. */
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
     * Before a wait: receives that have ended for want of a buffer go on, no more than there are buffers. If there are few now
     * that handlers have had what was harvested, connections hold them back, and are relieved of them.
     *
     * @return true if the watcher must not wait, because idle receives do not use their buffers, and connections still starve
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

    /** A loss replaces an orderly end, which would stand behind the gap. */
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

    /** The ring is the calling thread's, and so are the chunks that its connections send from. Before its first request. */
    void ownedByCaller() {
        chunks.ownedByCaller();
        bundles = bundlesWanted && BundleTrial.passes(set.ring());
        gapsFeared = bundlesWanted && !bundles;
        endsLost = !LostEndTrial.passes(set, this);
    }

    /**
     * For so many bytes, or a part of them.
     *
     * @param held bytes of chunks that the connection has already
     * @return null: the shard has no memory, or none for one that has so much
     */
    Chunk takeChunk(int bytes, long held) {
        return chunks.take(Math.min(bytes, chunks.chunkBytes()), held);
    }

    /** Takes a chunk of at least {@code bytes} bytes. */
    Chunk takeChunk(int bytes) throws ShardMemoryException {
        Chunk chunk = chunks.take(bytes, 0);
        if (chunk == null) {
            throw exhausted(bytes + " received bytes");
        }
        return chunk;
    }

    /** Returns the failure of a connection for whose bytes there is no memory. */
    ShardMemoryException exhausted(String what) {
        return chunks.exhausted("no memory to keep " + what);
    }

    /** A copy was taken by its connection. */
    void giveBack(Chunk copy) {
        chunks.giveBack(copy);
    }
}
