package org.cabrank.stream.transport;

/** Buffers of a pool thread: one into which it receives, and one in which it gathers small writes. */
public final class ThreadBuffers {
    /** Maximum number of bytes of small writes of one callback that are sent together. */
    public static final int GATHER_BYTES = 64 << 10;

    final long threadId = Thread.currentThread().getId();
    public final Chunk receive;
    final GatherBuffer gather;
    private final ChunkPool memory;
    private final int receiveBytes;
    private final Traffic traffic;

    /** True if a callback of this thread uses the buffers. The callback may be waiting for a reply ({@link org.cabrank.lf.Reply}). */
    boolean inUse;

    private ThreadBuffers inner;

    ThreadBuffers(ChunkPool memory, int receiveBytes, Traffic traffic) {
        this.memory = memory;
        this.traffic = traffic;
        this.receiveBytes = receiveBytes;
        receive = memory.allocate(receiveBytes);
        gather = new GatherBuffer(memory, GATHER_BYTES);
    }

    public void noteReceived(int bytes) {
        traffic.addReceived(bytes);
    }

    void noteSent(int bytes) {
        traffic.addSent(bytes);
    }

    /** Returns the first free buffers of this thread. Each callback of the thread that waits for a reply uses other buffers. */
    ThreadBuffers free() {
        ThreadBuffers free = this;
        while (free.inUse) {
            if (free.inner == null) {
                free.inner = new ThreadBuffers(memory, receiveBytes, traffic);
            }
            free = free.inner;
        }
        return free;
    }
}
