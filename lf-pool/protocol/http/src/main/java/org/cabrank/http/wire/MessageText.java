package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Memory and texts for composing messages. In a callback, the memory belongs to the thread. Outside of callbacks, it is new. */
public final class MessageText {
    /** Size in bytes of the largest message that is composed in memory of the thread. */
    public static final int ROOM_BYTES = 16 << 10;

    private static final ThreadLocal<ByteBuffer> ROOM =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(ROOM_BYTES));
    private static final byte[] LINE_END = bytes("\r\n");

    private MessageText() {}

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns an empty buffer. In a callback, it may be the thread's own buffer, so write it before the next call. */
    public static ByteBuffer room(int bytes, boolean inCallback) {
        return inCallback && bytes <= ROOM_BYTES ? ROOM.get().clear() : ByteBuffer.allocate(bytes);
    }

    public static ByteBuffer lineEnd(ByteBuffer to) {
        return to.put(LINE_END);
    }

    public static void number(ByteBuffer to, long value, int radix) {
        int digits = 1;
        for (long rest = value / radix; rest > 0; rest /= radix) {
            digits++;
        }
        int at = to.position() + digits;
        to.position(at);
        long rest = value;
        do {
            to.put(--at, (byte) Character.forDigit((int) (rest % radix), radix));
            rest /= radix;
        } while (rest > 0);
    }
}
