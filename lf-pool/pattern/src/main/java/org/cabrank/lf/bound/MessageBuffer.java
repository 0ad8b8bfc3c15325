package org.cabrank.lf.bound;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Assembles messages from a stream. Used by one thread at a time.
 * <pre>
 *   0          start                 end         capacity
 *   +------------+--------------------+--------------+
 *   | given out  |  messages, partial |     room     |
 *   +------------+--------------------+--------------+
 * </pre>
 */
final class MessageBuffer {
    static final int INITIAL_BYTES = 16 << 10;

    private final int messageMaxBytes;
    private ByteBuffer memory;
    private ByteBuffer view;
    private int start;
    private int end;

    MessageBuffer(int messageMaxBytes) {
        this.messageMaxBytes = messageMaxBytes;
        allocate(Math.min(INITIAL_BYTES, messageMaxBytes));
    }

    private void allocate(int bytes) {
        memory = ByteBuffer.allocateDirect(bytes);
        view = memory.duplicate();
    }

    ByteBuffer room() {
        return memory.limit(memory.capacity()).position(end);
    }

    void received(int bytes) {
        end += bytes;
    }

    /** Returns the next message, or null. It is valid until the next call. Throws IOException if a length is invalid or too big. */
    ByteBuffer next(ReplyParser<?, ?> parser) throws Exception {
        int present = end - start;
        int bytes = present == 0 ? ReplyParser.INCOMPLETE : parser.messageBytes(view(present));
        if (bytes < 0 || bytes > messageMaxBytes || bytes == ReplyParser.INCOMPLETE && present >= messageMaxBytes) {
            throw new IOException("the peer has announced a message of "
                    + (bytes == ReplyParser.INCOMPLETE ? "more than " + present : bytes)
                    + " bytes; the limit is " + messageMaxBytes);
        }
        if (bytes == ReplyParser.INCOMPLETE || bytes > present) {
            makeRoom(Math.max(bytes, present + 1));
            return null;
        }
        ByteBuffer message = view(bytes);
        start += bytes;
        return message;
    }

    private ByteBuffer view(int bytes) {
        return view.limit(start + bytes).position(start).order(ByteOrder.BIG_ENDIAN);
    }

    private void makeRoom(int bytes) {
        ByteBuffer partial = view(end - start);
        if (bytes > memory.capacity()) {
            allocate((int) Math.min(messageMaxBytes, Math.max(bytes, 2L * memory.capacity())));
            memory.put(partial);
        } else if (start > 0) {
            memory.limit(memory.capacity()).put(0, memory, start, end - start);
        }
        end -= start;
        start = 0;
    }
}
