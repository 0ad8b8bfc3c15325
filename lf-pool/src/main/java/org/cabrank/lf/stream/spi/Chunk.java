package org.cabrank.lf.stream.spi;

import java.nio.ByteBuffer;

/** Memory outside the heap and its address. One thread at a time. */
public final class Chunk {
    public final ByteBuffer bytes;
    public final long address;

    /** The next chunk of the queue or the pool that holds this one. */
    Chunk next;

    /** Whether it goes back to its pool. */
    final boolean pooled;

    Chunk(ByteBuffer bytes, long address, boolean pooled) {
        this.bytes = bytes;
        this.address = address;
        this.pooled = pooled;
    }
}
