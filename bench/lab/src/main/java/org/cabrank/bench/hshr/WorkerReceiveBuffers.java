package org.cabrank.bench.hshr;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.ToLongFunction;

/** Buffers for requests that are under way: a connection that has none needs none. Any thread. */
final class WorkerReceiveBuffers {

    /** Size of a buffer in bytes: as much as a thread of a Cabrank pool reads at once. */
    static final int BYTES = 64 << 10;

    private final ToLongFunction<ByteBuffer> addressOf;
    private final ArrayDeque<Buffer> free = new ArrayDeque<>();

    /** @param bytes kept, because the kernel uses them */
    record Buffer(ByteBuffer bytes, long address) {}

    WorkerReceiveBuffers(ToLongFunction<ByteBuffer> addressOf) {
        this.addressOf = addressOf;
    }

    Buffer take() {
        Buffer recent = recent();
        if (recent != null) {
            return recent;
        }
        ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
        return new Buffer(bytes, addressOf.applyAsLong(bytes));
    }

    private synchronized Buffer recent() {
        return free.pollFirst();
    }

    synchronized void giveBack(Buffer buffer) {
        free.addFirst(buffer);
    }
}
