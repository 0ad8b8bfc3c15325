package org.cabrank.bench.contender;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Direct buffers of connections that have ended, for connections to come. Any thread. */
final class BufferPool {

    private final int bytes;
    private final Queue<ByteBuffer> free = new ConcurrentLinkedQueue<>();

    /** @param bytes of each buffer */
    BufferPool(int bytes) {
        this.bytes = bytes;
    }

    ByteBuffer take() {
        ByteBuffer used = free.poll();
        return used == null ? ByteBuffer.allocateDirect(bytes) : used.clear();
    }

    void giveBack(ByteBuffer buffer) {
        free.add(buffer);
    }
}
