package org.cabrank.stream.transport;

import java.nio.ByteBuffer;
import org.cabrank.stream.ShardMemoryException;

/** Bytes that a handler has left unread; the next ones are received right behind them. Used by the claim holder. */
public final class UnreadBytes {
    /** Bytes that do not fit are moved to a chunk so many times as large: each growth costs a receive. */
    private static final long GROWTH = 4;

    /** A rest of this part of its chunk moves to a smaller one. */
    private static final int SHRINKAGE = 8;

    private ChunkPool pool;
    private final int limitBytes;

    /** Null when nothing is kept; else its position is the number of bytes kept. */
    private Chunk kept;

    UnreadBytes(ChunkPool pool, int limitBytes) {
        this.pool = pool;
        this.limitBytes = limitBytes;
    }

    public boolean isEmpty() {
        return kept == null;
    }

    /** Nothing more can be received before the handler reads some. */
    public boolean isFull() {
        return kept != null && kept.bytes.position() >= limitBytes;
    }

    /**
     * Returns the chunk to receive into, from its position to its limit. Not when {@link #isEmpty} or {@link #isFull}.
     *
     * @param wanted bytes that are there to be received, at least 1: there is room for as many where the limits allow
     * @throws ShardMemoryException when the shard has no larger chunk for this connection
     */
    public Chunk room(int wanted) throws ShardMemoryException {
        int bytes = kept.bytes.position();
        if (!kept.bytes.hasRemaining()
                || bytes + wanted > kept.bytes.capacity() && kept.bytes.capacity() < limitBytes) {
            Chunk larger = takeFor(bytes + 1, Math.max(bytes + (long) wanted, GROWTH * bytes));
            larger.bytes.put(kept.bytes.flip());
            discard();
            kept = larger;
        }
        kept.bytes.limit(Math.min(kept.bytes.capacity(), limitBytes));
        return kept;
    }

    /** With room for {@code least} bytes, and for {@code wanted} where the shard has them for this connection. */
    private Chunk takeFor(int least, long wanted) throws ShardMemoryException {
        int bytes = (int) Math.max(least, Math.min(limitBytes, wanted));
        Chunk chunk = pool.take(bytes, 0);
        if (chunk == null && bytes > least) {
            chunk = pool.take(least, 0);
        }
        if (chunk == null) {
            throw new ShardMemoryException(
                    "no memory for " + least + " unread bytes: " + pool.usedBytes() + " of " + pool.boundBytes()
                            + " bytes are in use in this shard, or the JVM has no direct memory; raise"
                            + " StreamLimits.shardMemory and -XX:MaxDirectMemorySize");
        }
        return chunk;
    }

    /** Returns the unread bytes, ready to be read. Not when {@link #isEmpty}. */
    ByteBuffer flip() {
        return kept.bytes.flip();
    }

    /** The buffer that the handler is given: with what is kept, or {@code received} if nothing is. */
    ByteBuffer inHand(ByteBuffer received) {
        return kept == null ? received : kept.bytes;
    }

    /** After the handler has seen {@code data}, which was this memory's or the receive buffer: keeps the rest. */
    void keepRest(ByteBuffer data) throws ShardMemoryException {
        if (kept != null && data == kept.bytes) {
            if (data.position() == 0) {
                data.position(
                        data.limit()); // nothing was read: a large message would be copied onto itself again and again
            } else if (data.hasRemaining()) {
                compact();
            } else {
                discard();
            }
        } else if (data.hasRemaining()) {
            int rest = data.remaining();
            kept = takeFor(rest, 2L * rest);
            kept.bytes.put(data);
        }
    }

    /** A small rest moves to a smaller chunk where there is one. */
    private void compact() {
        int rest = kept.bytes.remaining();
        Chunk smaller = rest <= kept.bytes.capacity() / SHRINKAGE ? pool.take(rest, 0) : null;
        if (smaller == null) {
            kept.bytes.compact();
        } else {
            smaller.bytes.put(kept.bytes);
            discard();
            kept = smaller;
        }
    }

    /**
     * The handler that is given bytes lets go of the connection: what it has not read of {@code received}, or of what is kept if
     * there is something, is kept for the next, and its buffer is empty.
     */
    void takeBack(ByteBuffer received) throws ShardMemoryException {
        ByteBuffer data = inHand(received);
        leaveToHandler();
        keepRest(data);
    }

    /** Nothing is kept any more; the buffer stays with the handler that was given it, and serves no other. */
    void leaveToHandler() {
        if (kept != null) {
            pool.forget(kept);
            kept = null;
        }
    }

    /** Moves the unread bytes to memory of another pool, which serves from now on; they stay where they are if it has none. */
    void moveTo(ChunkPool other) {
        Chunk copy = kept == null ? null : other.take(kept.bytes.capacity(), 0);
        if (copy != null) {
            copy.bytes.put(kept.bytes.flip());
            pool.giveBack(kept);
            kept = copy;
        }
        pool = other;
    }

    void discard() {
        if (kept != null) {
            pool.giveBack(kept);
            kept = null;
        }
    }
}
