package org.cabrank.stream.transport;

import java.nio.ByteBuffer;

/**
 * Memory in which a thread gathers the small writes of one callback. If a backend sends from the queue, the memory is a chunk of the pool
 * if possible. The queue then {@linkplain #handOver takes the chunk over} without a copy, unless the chunk is too large. Before a
 * callback the thread sets aside a chunk of the size that its last callback needed, because a handler may have little stack left.
 */
final class GatherBuffer {
    private final ChunkPool pool;

    /** One chunk, or null, for each size class. The last element is the largest chunk, which never changes. */
    private final Chunk[] chunks;

    private final int largest;
    private int present;

    GatherBuffer(ChunkPool pool, int bytesMax) {
        this.pool = pool;
        this.largest = pool.sizeClass(pool.chunkBytes()) + 1;
        this.chunks = new Chunk[largest + 1];
        this.present = largest;
        chunks[largest] = pool.allocate(bytesMax);
    }

    ByteBuffer bytes() {
        return chunks[present].bytes;
    }

    long address() {
        return chunks[present].address;
    }

    /** Continues in a larger chunk that was set aside before. Returns false if there is none. */
    boolean makeRoom(int more) {
        ByteBuffer gathered = chunks[present].bytes;
        int count = gathered.position();
        int needed = count + more;
        int next = needed <= pool.chunkBytes() ? pool.sizeClass(needed) : largest;
        if (next <= present || chunks[next] == null) {
            next = largest;
        }
        ByteBuffer larger = chunks[next].bytes;
        if (next == present || needed > larger.capacity()) {
            return false;
        }
        larger.clear().put(0, gathered, 0, count).position(count);
        present = next;
        return true;
    }

    /** Gives the chunk to the queue, which must be empty. Returns false if the chunk is too large for the bytes, or memory is scarce. */
    boolean handOver(OutboundQueue queue) {
        Chunk full = chunks[present];
        if (present == largest || present != pool.sizeClass(full.bytes.position())) {
            return false;
        }
        Chunk empty = pool.exchange(full);
        if (empty == null) {
            return false;
        }
        chunks[present] = empty;
        queue.adopt(full);
        return true;
    }

    /** Drops gathered bytes, and prepares for a callback that writes {@code count} bytes. */
    void prepareFor(int count) {
        int next = count <= pool.chunkBytes() ? pool.sizeClass(count) : largest;
        if (chunks[next] == null) {
            chunks[next] = pool.setAside(count);
        }
        present = chunks[next] == null ? largest : next;
        chunks[present].bytes.clear();
    }
}
