package org.cabrank.iouring;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.LongStream;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.transport.Chunk;

/**
 * The bytes of one connection's {@link InboundQueue#COPIED} pieces, with one chunk for each piece, in the order of the pieces.
 *
 * <p>The watcher packs only queued pieces. The claim holder uses only pieces that have left the queue. So they never use the same chunk.
 */
final class CopiedPieces {
    private final ReceiveBuffers buffers;
    private final Deque<Chunk> chunks = new ArrayDeque<>();

    /** True if the shard had no memory for some bytes. */
    private boolean lost;

    CopiedPieces(ReceiveBuffers buffers) {
        this.buffers = buffers;
    }

    boolean hasLost() {
        return lost;
    }

    static boolean isCopied(long piece) {
        return InboundQueue.bufferId(piece) == InboundQueue.COPIED;
    }

    /** Checks only the youngest piece, because all pieces before a copied piece are copied. */
    static boolean areNeeded(InboundQueue queue) {
        long youngest = queue.youngest();
        return youngest != InboundQueue.NOTHING && !isCopied(youngest);
    }

    /** Copies the pieces of a queue into as few chunks as possible, and frees their buffers. Returns one piece for each chunk. */
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
                last += count; // the number of bytes is the lowest field
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

    private int room(long last) {
        return chunks.getLast().bytes.capacity() - end(last);
    }

    private void copy(long piece, int from, Chunk to, int at, int count) {
        ByteBuffer bytes = buffers.whole(piece);
        to.bytes.put(at, bytes, InboundQueue.offset(piece) + from, count);
    }

    /** Copies the rest of the oldest piece, which has left the queue. */
    long keep(long rest) throws ShardMemoryException {
        int bytes = InboundQueue.bytes(rest);
        Chunk copy = buffers.takeChunk(bytes);
        copy(rest, 0, copy, 0, bytes);
        chunks.addFirst(copy);
        buffers.release(rest);
        return InboundQueue.piece(InboundQueue.COPIED, 0, bytes);
    }

    /** Returns the chunk of the oldest copied piece, which has left the queue. The bytes begin at the piece's offset. */
    ByteBuffer oldest() {
        return chunks.element().bytes;
    }

    void releaseOldest() {
        buffers.giveBack(chunks.remove());
    }
}
