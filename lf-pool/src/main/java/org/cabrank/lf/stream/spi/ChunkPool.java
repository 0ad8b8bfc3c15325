package org.cabrank.lf.stream.spi;

import java.nio.ByteBuffer;
import java.util.function.ToLongFunction;

/**
 * Chunks of one size for outbound queues, used again. Any thread. Chunks beyond the bound are left to the garbage collector
 * when they come back, so a burst does not stay for ever.
 */
public final class ChunkPool {
    /** Named bound: bytes kept for the next queue. */
    static final int IDLE_BYTES_MAX = 16 << 20;

    private final int chunkBytes;
    private final ToLongFunction<ByteBuffer> addressOf;
    private Chunk idle;
    private int idleBytes;
    private int inUse;

    public ChunkPool(int chunkBytes, ToLongFunction<ByteBuffer> addressOf) {
        this.chunkBytes = chunkBytes;
        this.addressOf = addressOf;
    }

    public Chunk take() {
        synchronized (this) {
            inUse++;
            if (idle != null) {
                Chunk chunk = idle;
                idle = chunk.next;
                chunk.next = null;
                idleBytes -= chunkBytes;
                return chunk;
            }
        }
        return allocate(chunkBytes, true);
    }

    public synchronized void giveBack(Chunk chunk) {
        inUse--;
        if (idleBytes + chunkBytes <= IDLE_BYTES_MAX) {
            chunk.bytes.clear();
            chunk.next = idle;
            idle = chunk;
            idleBytes += chunkBytes;
        }
    }

    /** Any thread: what has pinned the chunk reads it no more. It comes back if its queue has left it. */
    public void unpin(Chunk chunk) {
        if (chunk.unpin()) {
            giveBack(chunk);
        }
    }

    /** A chunk that was taken does not come back: somebody may still look at it. */
    synchronized void forget() {
        inUse--;
    }

    /** A chunk of any size that does not come back. */
    public Chunk allocate(int bytes) {
        return allocate(bytes, false);
    }

    private Chunk allocate(int bytes, boolean pooled) {
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes);
        return new Chunk(memory, addressOf.applyAsLong(memory), pooled);
    }

    public int chunkBytes() {
        return chunkBytes;
    }

    /** The address of the first byte of a direct buffer. */
    public long addressOf(ByteBuffer direct) {
        return addressOf.applyAsLong(direct);
    }

    /** Chunks that queues hold now: 0 when no connection has anything queued. */
    public synchronized int inUse() {
        return inUse;
    }
}
