package org.cabrank.stream.transport;

import java.nio.ByteBuffer;

/** Memory outside of the heap and its address. Used by one thread at a time. */
public final class Chunk {
    private static final ByteBuffer NO_BYTES = ByteBuffer.allocateDirect(0);

    public final ByteBuffer bytes;
    public final long address;

    /** The file range that stands in a queue in the place of memory; null: this is memory. */
    final FileRange file;

    Chunk next;

    /** The memory that it was carved from; null: it belongs to no pool. */
    final Slabs.Slab slab;

    /** It was taken for an outbound queue, and not for unread bytes. Set by whoever takes it. */
    boolean outbound;

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
}
