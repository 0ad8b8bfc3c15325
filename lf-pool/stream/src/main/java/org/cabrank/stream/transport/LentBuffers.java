package org.cabrank.stream.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Lends buffers of a reactor to a handler for one callback, in network byte order and without a mark. The unread bytes are between position
 * and limit. With {@code -Dcabrank.checkBuffers=true} the handler gets a copy, which is overwritten after the callback.
 */
public final class LentBuffers {
    public static final boolean CHECKED = Boolean.getBoolean("cabrank.checkBuffers");

    public static final byte EXPIRED = (byte) 0xdb;

    /** Size of the memory that is divided among several copies, because it is slow to allocate direct memory. No byte is used twice. */
    private static final int SHARED_BYTES = 256 << 10;

    private static ByteBuffer shared = ByteBuffer.allocateDirect(0);

    private LentBuffers() {}

    /** Returns {@code own}, or a copy of its remaining bytes if {@link #CHECKED} is true. */
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

    /** Moves the position of {@code own} behind the bytes that were read. Restores the limit, which the handler may have changed. */
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
