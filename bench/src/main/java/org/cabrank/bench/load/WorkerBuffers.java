package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import org.cabrank.kernel.Kernel;

/**
 * What a worker sends from and reads into: the same for all its connections, for content is made when it is sent and
 * verified when it comes. So they stay in the cache, and a connection takes no memory for its size or depth.
 */
final class WorkerBuffers {

    /** What one call to the kernel moves at most. */
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
