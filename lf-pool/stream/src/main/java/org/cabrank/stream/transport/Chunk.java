package org.cabrank.stream.transport;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Memory outside the heap and its address. One thread at a time, but for the pins: a kernel that sends without a copy reads a
 * chunk for longer than its bytes are in a queue, and whoever learns that it does not any more is another thread.
 *
 * <pre>
 *  31   30   29            0
 * +---+------+--------------+
 * | 0 | LEFT |     pins     |
 * +---+------+--------------+
 * </pre>
 *
 * <p>Whoever comes last, the queue or a pin, has the chunk to itself. Only the queue's user pins, so a chunk without pins stays
 * so while the queue leaves it.
 */
public final class Chunk {
    private static final int LEFT = 1 << 30;

    private static final ByteBuffer NO_BYTES = ByteBuffer.allocateDirect(0);

    private static final AtomicIntegerFieldUpdater<Chunk> STATE =
            AtomicIntegerFieldUpdater.newUpdater(Chunk.class, "state");

    public final ByteBuffer bytes;
    public final long address;

    /** The file range that stands in a queue in the place of memory; null: this is memory. */
    final FileRange file;

    Chunk next;

    /** The memory that it was carved from; null: it belongs to no pool. */
    final Slabs.Slab slab;

    /** It was taken for an outbound queue, and not for unread bytes. Set by whoever takes it. */
    boolean outbound;

    private volatile int state;

    Chunk(ByteBuffer bytes, long address, Slabs.Slab slab) {
        this.bytes = bytes;
        this.address = address;
        this.slab = slab;
        this.file = null;
    }

    /** The place of a file range in a queue: no memory. */
    Chunk(FileRange file) {
        this.bytes = NO_BYTES;
        this.address = 0;
        this.slab = null;
        this.file = file;
    }

    /** User of the queue that holds it: it stays as it is until {@link ChunkPool#unpin}, though its bytes are sent before. */
    public void pin() {
        STATE.incrementAndGet(this);
    }

    /** Any thread: one pin less. True: it was the last, of a chunk that its queue has left. */
    boolean unpin() {
        return isLast(STATE.decrementAndGet(this) == LEFT);
    }

    /** The queue that holds it does so no more. True: nobody has pinned it. */
    boolean leave() {
        return state == 0 || isLast(STATE.getAndAdd(this, LEFT) == 0);
    }

    private boolean isLast(boolean last) {
        if (last) {
            state = 0;
        }
        return last;
    }
}
