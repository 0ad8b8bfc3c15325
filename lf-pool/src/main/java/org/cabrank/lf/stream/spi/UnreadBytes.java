package org.cabrank.lf.stream.spi;

import java.nio.ByteBuffer;

/** Bytes that a handler has left unread; the next ones are received right behind them. Used by the claim holder. */
public final class UnreadBytes {
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

    /** Where to receive, from its position to its limit. Not when {@link #isEmpty} or {@link #isFull}. */
    public Chunk room() {
        if (!kept.bytes.hasRemaining()) {
            moveTo(pool.allocate((int) Math.min(limitBytes, 2L * kept.bytes.position())));
        }
        kept.bytes.limit(Math.min(kept.bytes.capacity(), limitBytes));
        return kept;
    }

    private void moveTo(Chunk larger) {
        larger.bytes.put(kept.bytes.flip());
        discard();
        kept = larger;
    }

    /** What is kept, ready to be read. Not when {@link #isEmpty}. */
    ByteBuffer flip() {
        return kept.bytes.flip();
    }

    /** The buffer that the handler is given: with what is kept, or {@code received} if nothing is. */
    ByteBuffer inHand(ByteBuffer received) {
        return kept == null ? received : kept.bytes;
    }

    /** After the handler has seen {@code data}, which was this memory's or the receive buffer: keeps the rest. */
    void keepRest(ByteBuffer data) {
        if (kept != null && data == kept.bytes) {
            if (data.position() == 0) {
                data.position(
                        data.limit()); // nothing was read: a large message would be copied onto itself again and again
            } else if (data.hasRemaining()) {
                data.compact();
            } else {
                discard();
            }
        } else if (data.hasRemaining()) {
            int rest = data.remaining();
            kept = rest <= pool.chunkBytes() ? pool.take() : pool.allocate(Math.max(rest, limitBytes));
            kept.bytes.put(data);
        }
    }

    /**
     * The handler that is given bytes lets go of the connection: what it has not read of {@code received}, or of what is kept if
     * there is something, is kept for the next, and its buffer is empty.
     */
    void takeBack(ByteBuffer received) {
        ByteBuffer data = inHand(received);
        leaveToHandler();
        keepRest(data);
    }

    /** Nothing is kept any more; the buffer stays with the handler that was given it, and serves no other. */
    void leaveToHandler() {
        if (kept != null) {
            if (kept.pooled) {
                pool.forget();
            }
            kept = null;
        }
    }

    /** What is kept, and will be, is in memory of another pool, whose chunks are as large. */
    void moveTo(ChunkPool other) {
        if (kept != null && kept.pooled) {
            Chunk copy = other.take();
            copy.bytes.put(kept.bytes.flip());
            pool.giveBack(kept);
            kept = copy;
        }
        pool = other;
    }

    void discard() {
        if (kept != null) {
            if (kept.pooled) {
                pool.giveBack(kept);
            }
            kept = null;
        }
    }
}
