package org.cabrank.socket.source;

import java.nio.ByteBuffer;

/**
 * Records that wait to be written, each by its own system call. Not thread-safe. The memory is twice the limit, so the records rarely move.
 *
 * <pre>
 *     head                                    tail
 *      |                                        |
 * -----+--------+-----------+--------+----------+--------
 *      | length |   bytes   | length |   bytes  |  free
 * -----+--------+-----------+--------+----------+--------
 * </pre>
 */
final class RecordQueue {
    static final int HEADER_BYTES = Integer.BYTES;

    private final int bytesMax;
    private final ByteBuffer memory;
    private int head;
    private int tail;

    private int written;

    RecordQueue(int bytesMax) {
        this.bytesMax = bytesMax;
        this.memory = Endpoint.direct(Math.multiplyExact(2, bytesMax));
    }

    ByteBuffer memory() {
        return memory;
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** Number of bytes in use, including headers and the written part of the first record. */
    int bytes() {
        return tail - head;
    }

    /** Copies the rest of {@code bytes} as one record, without changing its position. Returns false if there is not enough room. */
    boolean offer(ByteBuffer bytes) {
        int length = bytes.remaining();
        if (length > bytesMax - HEADER_BYTES - bytes()) {
            return false;
        }
        if (memory.capacity() - tail < HEADER_BYTES + length) {
            memory.put(0, memory, head, bytes());
            tail -= head;
            head = 0;
        }
        memory.putInt(tail, length);
        memory.put(tail + HEADER_BYTES, bytes, bytes.position(), length);
        tail += HEADER_BYTES + length;
        return true;
    }

    int firstOffset() {
        return head + HEADER_BYTES + written;
    }

    int firstLength() {
        return memory.getInt(head) - written;
    }

    void written(int count) {
        written += count;
        if (firstLength() > 0) {
            return;
        }
        head += HEADER_BYTES + memory.getInt(head);
        written = 0;
        if (head == tail) {
            head = 0;
            tail = 0;
        }
    }
}
