package org.cabrank.stream.transport;

import java.nio.ByteBuffer;

/**
 * Memory in which a thread gathers the small writes of one callback. A backend that sends at once sends from here. For a backend that sends
 * from the queue, the memory is a chunk of the pool if possible, and the queue {@linkplain #handOver takes the chunk over}, so that bytes
 * are copied once. Chunks are set aside by size class while the stack has room; the chunk that fitted the thread's last callback is ready
 * for the next callback. Bytes in a chunk that turns out too large are copied, so that a queue holds no more memory than it needs.
 */
final class GatherBuffer {
    private final ChunkPool pool;

    /** One chunk for each size class, or null, followed by the largest, which never changes. */
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

    /** Continues in a larger chunk that is set aside; false if none is. Asks no pool: a handler may have little stack left. */
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

    /** Gives the chunk in use to the empty queue. False, without a change: the chunk is too large for the bytes, or memory is scarce. */
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
