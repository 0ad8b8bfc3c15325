package org.cabrank.lf.stream.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.function.ToLongFunction;

/**
 * Chunks of one size for outbound queues, used again. Any thread. Chunks beyond the bound are left to the garbage collector
 * when they come back, so a burst does not stay for ever.
 *
 * <p>Where one thread does nearly everything, it is the pool's owner, and keeps some chunks aside: those it takes and gives back
 * without the lock that others need.
 */
public final class ChunkPool {
    /** Named bound: bytes kept for the next queue. */
    static final int IDLE_BYTES_MAX = 16 << 20;

    /** Named bound: chunks that an owner keeps aside. */
    static final int OWN_IDLE_MAX = 64;

    private static final VarHandle OWN_IN_USE;

    static {
        try {
            OWN_IN_USE = MethodHandles.lookup().findVarHandle(ChunkPool.class, "ownInUse", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int chunkBytes;
    private final ToLongFunction<ByteBuffer> addressOf;
    private Chunk idle;
    private int idleBytes;
    private int inUse;

    /** Null: there is none. Written by itself, so that no other thread finds itself here. */
    private Thread owner;

    // By the owner.

    private Chunk ownIdle;
    private int ownIdleCount;

    /** Taken by the owner and not given back by it: less than 0 when others take what it gives back. Others look. */
    private int ownInUse;

    public ChunkPool(int chunkBytes, ToLongFunction<ByteBuffer> addressOf) {
        this.chunkBytes = chunkBytes;
        this.addressOf = addressOf;
    }

    /**
     * The calling thread is the owner from now on.
     *
     * @throws IllegalStateException when another thread is
     */
    public synchronized void ownedByCaller() {
        if (owner != null && owner != Thread.currentThread()) {
            throw new IllegalStateException("these chunks are " + owner + "'s");
        }
        owner = Thread.currentThread();
    }

    public Chunk take() {
        if (Thread.currentThread() != owner) {
            return takeShared(1);
        }
        OWN_IN_USE.setOpaque(this, ownInUse + 1);
        Chunk chunk = ownIdle;
        if (chunk == null) {
            return takeShared(0);
        }
        ownIdle = chunk.next;
        ownIdleCount--;
        chunk.next = null;
        return chunk;
    }

    private Chunk takeShared(int counted) {
        synchronized (this) {
            inUse += counted;
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

    public void giveBack(Chunk chunk) {
        chunk.bytes.clear();
        if (Thread.currentThread() != owner) {
            giveBackShared(chunk, 1);
            return;
        }
        OWN_IN_USE.setOpaque(this, ownInUse - 1);
        if (ownIdleCount == OWN_IDLE_MAX) {
            giveBackShared(chunk, 0);
            return;
        }
        chunk.next = ownIdle;
        ownIdle = chunk;
        ownIdleCount++;
    }

    private synchronized void giveBackShared(Chunk chunk, int counted) {
        inUse -= counted;
        if (idleBytes + chunkBytes <= IDLE_BYTES_MAX) {
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
        return inUse + (int) OWN_IN_USE.getOpaque(this);
    }
}
