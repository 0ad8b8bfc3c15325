package org.cabrank.iouring;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.LongStream;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.transport.Chunk;

/**
 * The bytes of one connection's {@link InboundQueue#COPIED} pieces: a chunk for each, in the order of the pieces.
 *
 * <p>The watcher packs what is in the queue; what has left the queue is the claim holder's. So the two never have the same chunk.
 */
final class CopiedPieces {
    private final ReceiveBuffers buffers;
    private final Deque<Chunk> chunks = new ArrayDeque<>();

    /** True if the shard had no memory for some bytes. Accessed by the watcher only. */
    private boolean lost;

    CopiedPieces(ReceiveBuffers buffers) {
        this.buffers = buffers;
    }

    /** Returns true if the shard had no memory for all bytes, and the connection cannot continue. Called by the watcher. */
    boolean hasLost() {
        return lost;
    }

    static boolean isCopied(long piece) {
        return InboundQueue.bufferId(piece) == InboundQueue.COPIED;
    }

    /** Watcher: whether a queue has pieces that hold buffers. The youngest does if any does. */
    static boolean areNeeded(InboundQueue queue) {
        long youngest = queue.youngest();
        return youngest != InboundQueue.NOTHING && !isCopied(youngest);
    }

    /**
     * Watcher: copies pieces one behind the other, so that a connection that holds many small ones costs hardly more than their
     * bytes; the kernel has their buffers again.
     *
     * @param pieces all that are in the queue
     * @return the pieces that replace those in the queue
     */
    long[] pack(long[] pieces) {
        LongStream.Builder packed = LongStream.builder();
        int toCopy = LongStream.of(pieces)
                .filter(piece -> !isCopied(piece))
                .mapToInt(InboundQueue::bytes)
                .sum();
        long last = InboundQueue.NOTHING;
        for (long piece : pieces) {
            if (isCopied(piece)) {
                add(packed, last);
                last = piece;
                continue;
            }
            int left = InboundQueue.bytes(piece);
            while (left > 0 && !lost) {
                if (last == InboundQueue.NOTHING || room(last) == 0) {
                    Chunk fresh = buffers.takeChunk(toCopy, heldBytes());
                    if (fresh == null) {
                        lost = true;
                        break;
                    }
                    add(packed, last);
                    chunks.addLast(fresh);
                    last = InboundQueue.piece(InboundQueue.COPIED, 0, 0);
                }
                int count = Math.min(left, room(last));
                copy(piece, InboundQueue.bytes(piece) - left, chunks.getLast(), end(last), count);
                last += count; // the bytes are the lowest field
                left -= count;
                toCopy -= count;
            }
            buffers.release(piece);
        }
        add(packed, last);
        return packed.build().toArray();
    }

    private static void add(LongStream.Builder packed, long piece) {
        if (piece != InboundQueue.NOTHING) {
            packed.add(piece);
        }
    }

    private long heldBytes() {
        long held = 0;
        for (Chunk chunk : chunks) {
            held += chunk.bytes.capacity();
        }
        return held;
    }

    private static int end(long piece) {
        return InboundQueue.offset(piece) + InboundQueue.bytes(piece);
    }

    /** Returns the number of bytes that the chunk of the youngest piece has room for; that chunk is the youngest. */
    private int room(long last) {
        return chunks.getLast().bytes.capacity() - end(last);
    }

    private void copy(long piece, int from, Chunk to, int at, int count) {
        ByteBuffer bytes = buffers.whole(piece);
        to.bytes.put(at, bytes, InboundQueue.offset(piece) + from, count);
    }

    /** Claim holder: copies what is left of the piece that it has in its hands, which is older than all other pieces. */
    long keep(long rest) throws ShardMemoryException {
        int bytes = InboundQueue.bytes(rest);
        Chunk copy = buffers.takeChunk(bytes);
        copy(rest, 0, copy, 0, bytes);
        chunks.addFirst(copy);
        buffers.release(rest);
        return InboundQueue.piece(InboundQueue.COPIED, 0, bytes);
    }

    /** Claim holder: the bytes of the oldest copied piece, which has left the queue; at the piece's offset. */
    ByteBuffer oldest() {
        return chunks.element().bytes;
    }

    /** Claim holder: the oldest copied piece is used no more. */
    void releaseOldest() {
        buffers.giveBack(chunks.remove());
    }
}
