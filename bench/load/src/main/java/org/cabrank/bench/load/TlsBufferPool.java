package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.cabrank.kernel.Kernel;

/** Buffers for the TLS of a worker's connections. A connection holds a buffer only while the buffer contains bytes. */
final class TlsBufferPool {

    /** Room for four records of 16 KiB, so that one system call moves several records. */
    private static final int SIZE_BYTES = 80 * 1_024;

    private final Kernel kernel;
    private final Deque<PooledBuffer> free = new ArrayDeque<>();
    private final ByteBuffer outgoing;

    static final class PooledBuffer {
        final ByteBuffer bytes = LoadConnection.buffer(SIZE_BYTES);
        final long address;

        private PooledBuffer(Kernel kernel) {
            address = kernel.addressOf(bytes);
        }
    }

    TlsBufferPool(Kernel kernel, WorkerBuffers buffers) {
        this.kernel = kernel;
        outgoing = buffers.outgoing().duplicate();
    }

    PooledBuffer take() {
        PooledBuffer buffer = free.pollLast();
        if (buffer == null) {
            return new PooledBuffer(kernel);
        }
        buffer.bytes.clear();
        return buffer;
    }

    void give(PooledBuffer buffer) {
        free.addLast(buffer);
    }

    /** Returns a view of the worker's send buffer. It is valid until the next call. */
    ByteBuffer outgoing(int count) {
        return outgoing.clear().limit(count);
    }
}
