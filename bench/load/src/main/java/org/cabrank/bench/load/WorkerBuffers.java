package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import org.cabrank.kernel.Kernel;

/** Buffers for all connections of a worker. No connection needs its own, because content is generated when sent and verified at once. */
final class WorkerBuffers {

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
