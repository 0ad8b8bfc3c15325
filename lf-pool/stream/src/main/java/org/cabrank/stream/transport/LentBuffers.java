package org.cabrank.stream.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Buffers of a reactor that a handler has for the time of one callback: in network byte order (big-endian), without a mark, and with the
 * unread bytes from the position to the limit. With {@code -Dcabrank.checkBuffers=true} a handler is given a copy, whose memory is
 * overwritten by {@link #EXPIRED} after the callback: code that has kept the buffer, a duplicate or a slice fails each time.
 */
public final class LentBuffers {
    public static final boolean CHECKED = Boolean.getBoolean("cabrank.checkBuffers");

    public static final byte EXPIRED = (byte) 0xdb;

    /** Memory that several copies share, because direct memory is slow to allocate. No byte is used twice. */
    private static final int SHARED_BYTES = 256 << 10;

    private static ByteBuffer shared = ByteBuffer.allocateDirect(0);

    private LentBuffers() {}

    /** Returns the buffer for a handler: {@code own}, or a copy of its remaining bytes if {@link #CHECKED}. */
    public static ByteBuffer lend(ByteBuffer own) {
        own.order(ByteOrder.BIG_ENDIAN);
        return CHECKED ? copy(own) : own;
    }

    private static ByteBuffer copy(ByteBuffer own) {
        int count = own.remaining();
        return memory(count).put(0, own, own.position(), count);
    }

    private static synchronized ByteBuffer memory(int bytes) {
        if (bytes > SHARED_BYTES / 4) {
            return ByteBuffer.allocateDirect(bytes);
        }
        if (shared.remaining() < bytes) {
            shared = ByteBuffer.allocateDirect(SHARED_BYTES);
        }
        ByteBuffer memory = shared.slice(shared.position(), bytes);
        shared.position(shared.position() + bytes);
        return memory;
    }

    /**
     * Moves the position of {@code own} behind the bytes that the handler has read, and restores its former {@code limit}: bytes behind a
     * limit that the handler has lowered are unread, and memory behind a limit that it has raised is not the connection's.
     */
    public static void reclaim(ByteBuffer own, ByteBuffer lent, int limit) {
        own.limit(limit);
        if (CHECKED) {
            int read = lent.position();
            int rest = lent.capacity() - read;
            own.put(limit - rest, lent.limit(lent.capacity()), read, rest); // the handler may have changed them
            own.position(limit - rest);
        }
    }

    /** Called after the callback. Idempotent. */
    public static void expire(ByteBuffer lent) {
        if (CHECKED) {
            lent.clear();
            while (lent.hasRemaining()) {
                lent.put(EXPIRED);
            }
            lent.limit(0);
        }
    }
}
