package org.cabrank.stream.transport;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * Memory of a {@link ChunkPool}, used under the lock of the pool. A slab of 64 KiB is divided into chunks of one size class. A larger chunk
 * is a slab by itself. If unused slabs exceed {@link #IDLE_BYTES_MAX}, further ones are left to the garbage collector.
 */
final class Slabs {
    static final int IDLE_BYTES_MAX = 16 << 20;

    /** Time until the next request after the JVM had no direct memory. A failed request takes half a second. */
    private static final long RETRY_AFTER_NS = TimeUnit.SECONDS.toNanos(1);

    private final ChunkPool pool;
    private final ToLongFunction<ByteBuffer> addressOf;

    /** Slabs with a free chunk, by size class. Idle chunks of the pool's owner are not free. */
    private final Slab[] withRoom;

    private long slabBytes;
    private long emptyBytes;
    private boolean noMemory;
    private long noMemoryNs;

    Slabs(ChunkPool pool, int classes, ToLongFunction<ByteBuffer> addressOf) {
        this.pool = pool;
        this.addressOf = addressOf;
        this.withRoom = new Slab[classes];
    }

    /** Returns null if the JVM has no direct memory. */
    Chunk take(int sizeClass, int bytes) {
        Slab slab = withRoom[sizeClass];
        if (slab == null) {
            slab = newSlab(sizeClass, bytes);
            if (slab == null) {
                return null;
            }
            link(slab);
        } else if (slab.used == 0) {
            emptyBytes -= slab.memory.capacity();
        }
        Chunk chunk = slab.free;
        if (chunk != null) {
            slab.free = chunk.next;
            chunk.next = null;
        } else {
            chunk = slab.carve();
        }
        slab.used++;
        if (slab.isExhausted()) {
            unlink(slab);
        }
        return chunk;
    }

    private Slab newSlab(int sizeClass, int bytes) {
        ByteBuffer memory = slabMemory(Math.max(bytes, Slab.BYTES));
        return memory == null ? null : new Slab(pool, memory, addressOf.applyAsLong(memory), sizeClass, bytes);
    }

    private ByteBuffer slabMemory(int bytes) {
        boolean beyondBound = slabBytes + bytes > pool.boundBytes();
        if (!beyondBound) {
            ByteBuffer fresh = allocateOrNull(bytes);
            if (fresh != null) {
                slabBytes += bytes;
                return fresh;
            }
        }
        ByteBuffer again = takeEmpty(bytes);
        if (again == null && pool.giveUpIdleOfCaller()) {
            again = takeEmpty(bytes);
        }
        if (again != null || !beyondBound) {
            return again;
        }
        dropEmpty(); // so that the garbage collector finds it
        ByteBuffer fresh = allocateOrNull(bytes);
        slabBytes += fresh == null ? 0 : bytes;
        return fresh;
    }

    private ByteBuffer allocateOrNull(int bytes) {
        if (noMemory && System.nanoTime() - noMemoryNs < RETRY_AFTER_NS) {
            return null;
        }
        try {
            ByteBuffer memory = ByteBuffer.allocateDirect(bytes);
            noMemory = false;
            return memory;
        } catch (OutOfMemoryError none) {
            noMemory = true;
            noMemoryNs = System.nanoTime();
            return null;
        }
    }

    private ByteBuffer takeEmpty(int bytes) {
        if (emptyBytes < bytes) {
            return null;
        }
        for (Slab first : withRoom) {
            for (Slab slab = first; slab != null; slab = slab.next) {
                if (slab.used == 0 && slab.memory.capacity() == bytes) {
                    unlink(slab);
                    emptyBytes -= bytes;
                    return slab.memory;
                }
            }
        }
        return null;
    }

    private void dropEmpty() {
        for (Slab first : withRoom) {
            Slab slab = first;
            while (slab != null && emptyBytes > 0) {
                Slab next = slab.next;
                if (slab.used == 0) {
                    unlink(slab);
                    emptyBytes -= slab.memory.capacity();
                    slabBytes -= slab.memory.capacity();
                }
                slab = next;
            }
        }
    }

    void giveBack(Chunk chunk) {
        Slab slab = chunk.slab;
        if (slab.retired) {
            return;
        }
        if (slab.isExhausted()) {
            link(slab);
        }
        chunk.next = slab.free;
        slab.free = chunk;
        slab.used--;
        if (slab.used == 0) {
            int bytes = slab.memory.capacity();
            if (emptyBytes + bytes <= IDLE_BYTES_MAX) {
                emptyBytes += bytes;
            } else {
                unlink(slab);
                slabBytes -= bytes;
            }
        }
    }

    /** Never uses a chunk of the slab again, because some code may still read its memory. */
    void retire(Slab slab) {
        if (!slab.retired) {
            if (!slab.isExhausted()) {
                unlink(slab);
            }
            slab.retired = true;
            slabBytes -= slab.memory.capacity();
        }
    }

    private void link(Slab slab) {
        slab.next = withRoom[slab.sizeClass];
        if (slab.next != null) {
            slab.next.previous = slab;
        }
        withRoom[slab.sizeClass] = slab;
    }

    private void unlink(Slab slab) {
        if (slab.previous == null) {
            withRoom[slab.sizeClass] = slab.next;
        } else {
            slab.previous.next = slab.next;
        }
        if (slab.next != null) {
            slab.next.previous = slab.previous;
        }
        slab.next = null;
        slab.previous = null;
    }

    static final class Slab {
        private static final int BYTES = 64 << 10;

        final ChunkPool pool;
        private final ByteBuffer memory;
        private final long address;
        final int sizeClass;
        final int chunkBytes;

        private Slab next;
        private Slab previous;
        private Chunk free;
        private int carved;

        private int used;

        private boolean retired;

        private Slab(ChunkPool pool, ByteBuffer memory, long address, int sizeClass, int chunkBytes) {
            this.pool = pool;
            this.memory = memory;
            this.address = address;
            this.sizeClass = sizeClass;
            this.chunkBytes = chunkBytes;
        }

        private boolean isExhausted() {
            return free == null && carved + chunkBytes > memory.capacity();
        }

        private Chunk carve() {
            Chunk chunk = new Chunk(memory.slice(carved, chunkBytes), address + carved, this);
            carved += chunkBytes;
            return chunk;
        }
    }
}
