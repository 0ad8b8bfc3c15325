package org.cabrank.resp;

import java.nio.ByteBuffer;

/** The bytes of a command that is too long to be left unread: on the heap, as many as have arrived and at most twice the room. */
final class PendingCommand {
    /** Positioned at the first byte; the limit is behind the last one. */
    private ByteBuffer bytes;

    PendingCommand(int expectedBytes) {
        bytes = ByteBuffer.allocate(expectedBytes).limit(0);
    }

    /** Moves all remaining bytes of {@code data} behind those that have arrived. */
    void append(ByteBuffer data) {
        int size = bytes.limit();
        int total = size + data.remaining();
        if (total > bytes.capacity()) {
            bytes = ByteBuffer.allocate(Math.max(total, 2 * bytes.capacity())).put(bytes);
        }
        bytes.limit(total).position(size);
        bytes.put(data).position(0);
    }

    /** The bytes that have arrived, from position 0 to the limit. */
    ByteBuffer bytes() {
        return bytes;
    }
}
