package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import org.cabrank.kernel.Kernel;

/**
 * Buffers of a worker, shared by its connections: content is generated when it is sent and verified when it arrives. The buffers stay in
 * the cache, and a connection needs no memory of its own for requests.
 */
final class WorkerBuffers {

    /** Maximum number of bytes of one system call. */
    static final int SIZE_BYTES = 256 * 1_024;

    private final ByteBuffer outgoing = LoadConnection.buffer(SIZE_BYTES);
    private final ByteBuffer incoming = LoadConnection.buffer(SIZE_BYTES);
    private final long outgoingAddress;
    private final long incomingAddress;

    WorkerBuffers(Kernel kernel) {
        outgoingAddress = kernel.addressOf(outgoing);
        incomingAddress = kernel.addressOf(incoming);
    }

    ByteBuffer outgoing() {
        return outgoing;
    }

    ByteBuffer incoming() {
        return incoming;
    }

    long outgoingAddress() {
        return outgoingAddress;
    }

    long incomingAddress() {
        return incomingAddress;
    }
}
