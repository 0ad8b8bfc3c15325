package org.cabrank.stream.transport;

import java.nio.ByteBuffer;

/** Memory outside of the heap, with its address. Used by one thread at a time. */
public final class Chunk {
    private static final ByteBuffer NO_BYTES = ByteBuffer.allocateDirect(0);

    public final ByteBuffer bytes;
    public final long address;

    /** The file range that this chunk stands for in a queue. Null if the chunk has memory. */
    final FileRange file;

    Chunk next;

    /** The slab of the memory. Null if the memory belongs to no pool. */
    final Slabs.Slab slab;

    /** True if the chunk was taken for an outbound queue. False if it was taken for unread bytes. */
    boolean outbound;

    Chunk(ByteBuffer bytes, long address, Slabs.Slab slab) {
        this.bytes = bytes;
        this.address = address;
        this.slab = slab;
        this.file = null;
    }

    Chunk(FileRange file) {
        this.bytes = NO_BYTES;
        this.address = 0;
        this.slab = null;
        this.file = file;
    }
}
