package org.cabrank.lf.stream.spi;

/** What a pool thread needs while it processes a connection: where to receive, and where small writes are gathered. */
public final class ThreadBuffers {
    /** Named bound: small writes of one callback that are sent together. */
    public static final int GATHER_BYTES = 64 << 10;

    /** Whose they are. */
    final long threadId = Thread.currentThread().getId();

    public final Chunk receive;
    public final Chunk gather;

    public ThreadBuffers(ChunkPool memory, int receiveBytes) {
        receive = memory.allocate(receiveBytes);
        gather = memory.allocate(GATHER_BYTES);
    }
}
