package org.cabrank.stream.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A chunk comes back to its pool when its queue has left it and nobody has it pinned, whichever is later. */
class PinnedChunkTest {
    private static final int CHUNK_BYTES = 8;

    private final ChunkPool pool = new ChunkPool(CHUNK_BYTES, buffer -> 0);
    private final OutboundQueue queue = new OutboundQueue(pool);

    private Chunk queued(int bytes) {
        try {
            queue.append(ByteBuffer.allocate(bytes));
        } catch (IOException none) {
            throw new AssertionError(none);
        }
        return queue.head();
    }

    @Test
    void sentChunkComesBackWithItsLastPin() {
        Chunk chunk = queued(CHUNK_BYTES);
        chunk.pin();
        chunk.pin();
        queue.sent(CHUNK_BYTES);
        pool.unpin(chunk);
        assertEquals(1, pool.inUse());
        assertNotSame(chunk, queued(1), "somebody reads it still");
        pool.unpin(chunk);
        assertEquals(1, pool.inUse(), "the other one");
        assertSame(chunk, pool.take(CHUNK_BYTES, 0));
    }

    @Test
    void unpinnedChunkComesBackWhenItIsSent() {
        Chunk chunk = queued(CHUNK_BYTES);
        chunk.pin();
        pool.unpin(chunk);
        assertEquals(1, pool.inUse());
        queue.sent(CHUNK_BYTES);
        assertEquals(0, pool.inUse());
        assertSame(chunk, pool.take(CHUNK_BYTES, 0));
    }

    @Test
    void chunkThatCameBackCanBePinnedAgain() {
        Chunk chunk = queued(CHUNK_BYTES);
        chunk.pin();
        queue.sent(CHUNK_BYTES);
        pool.unpin(chunk);
        assertSame(chunk, queued(CHUNK_BYTES));
        chunk.pin();
        queue.discard();
        assertEquals(1, pool.inUse());
        pool.unpin(chunk);
        assertEquals(0, pool.inUse());
    }

    @Test
    void pinsOfOneChunkHoldNoOther() {
        Chunk first = queued(2 * CHUNK_BYTES);
        Chunk second = queue.following(first);
        first.pin();
        queue.sent(2 * CHUNK_BYTES);
        assertEquals(1, pool.inUse());
        assertSame(second, pool.take(CHUNK_BYTES, 0));
    }
}
