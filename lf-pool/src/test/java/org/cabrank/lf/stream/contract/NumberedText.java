package org.cabrank.lf.stream.contract;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.cabrank.lf.ReplyParser;

/**
 * Messages of a number and a text.
 *
 * <pre>
 *   0         4         8
 *   +---------+---------+----------
 *   | length  | number  | text
 *   +---------+---------+----------
 * </pre>
 */
public final class NumberedText implements ReplyParser<Integer, String> {
    public static final int HEADER_BYTES = 8;

    /** A message whose text stands in this one cannot be read. */
    public static final String UNREADABLE = "unreadable";

    public NumberedText() {}

    public static ByteBuffer message(int number, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocate(HEADER_BYTES + bytes.length)
                .putInt(HEADER_BYTES + bytes.length)
                .putInt(number)
                .put(bytes)
                .flip();
    }

    @Override
    public int messageBytes(ByteBuffer received) {
        return received.remaining() < Integer.BYTES ? INCOMPLETE : received.getInt();
    }

    /** Number 0 is none. */
    @Override
    public Integer requestId(ByteBuffer message) {
        int number = message.getInt(message.position() + Integer.BYTES);
        return number == 0 ? null : number;
    }

    @Override
    public String reply(ByteBuffer message) {
        message.position(message.position() + HEADER_BYTES);
        String text = StandardCharsets.ISO_8859_1.decode(message).toString();
        if (text.equals(UNREADABLE)) {
            throw new IllegalArgumentException("unreadable on purpose");
        }
        return text;
    }
}
