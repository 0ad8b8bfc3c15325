package org.cabrank.stream.transport;

import java.nio.ByteBuffer;

/**
 * Memory where a thread gathers the small writes of one callback. By that thread.
 *
 * <p>A backend that sends at once sends from here. For a backend that sends from the queue, the memory is a chunk of the pool if
 * possible, and the queue {@linkplain #handOver takes the chunk over}: so the bytes are copied once. Chunks are set aside by size
 * class, where the stack has room, and the one that fits the last callback of the thread is ready for the next. What is gathered in
 * a chunk that turns out too large is copied, so that a queue never holds more memory than its bytes need.
 */
final class GatherBuffer {
    private final ChunkPool pool;

    /** One chunk for each size class, or null, and behind them the largest, which never changes. */
    private final Chunk[] chunks;

    private final int largest;
    private int present;

    /** @param bytesMax bytes that can be gathered */
    GatherBuffer(ChunkPool pool, int bytesMax) {
        this.pool = pool;
        this.largest = pool.sizeClass(pool.chunkBytes()) + 1;
        this.chunks = new Chunk[largest + 1];
        this.present = largest;
        chunks[largest] = pool.allocate(bytesMax);
    }

    /** The gathered bytes, up to the position. */
    ByteBuffer bytes() {
        return chunks[present].bytes;
    }

    long address() {
        return chunks[present].address;
    }

    /**
     * Goes on in a larger chunk, with what is gathered, and takes no memory of the pool: a handler may call from where the stack
     * ends.
     *
     * @return false: so much more cannot be gathered, and nothing has changed
     */
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

    /**
     * Makes the queue, which is empty, take over the chunk in use.
     *
     * @return false: the chunk is larger than the bytes need, or memory is scarce; nothing has changed, and the bytes are to be copied
     */
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

    /** Drops what is gathered, if anything, and makes ready for another callback that writes so many bytes. */
    void prepareFor(int count) {
        int next = count <= pool.chunkBytes() ? pool.sizeClass(count) : largest;
        if (chunks[next] == null) {
            chunks[next] = pool.setAside(count);
        }
        present = chunks[next] == null ? largest : next;
        chunks[present].bytes.clear();
    }
}
