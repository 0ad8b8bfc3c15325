package org.cabrank.framing;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.cabrank.stream.Connection;

/**
 * Frames with a length field before the content. By default, the length is at the beginning of the frame, has network byte order and
 * counts only the content, and the handler sees only the content. Immutable. Each method returns a changed copy.
 *
 * <pre>
 *  0         offset      offset + size of the length field
 * +----------+----------+------------------------------------+
 * | header   | length   | length + adjustment bytes          |
 * +----------+----------+------------------------------------+
 * </pre>
 */
public final class LengthPrefixed extends Framing {
    private static final int VARINT_BYTES_MAX = 5;

    private static final int VARINT = 0;

    private static final ThreadLocal<ByteBuffer> PREFIXES =
            ThreadLocal.withInitial(() -> ByteBuffer.allocate(Long.BYTES));

    /** {@link #VARINT}, or the size of the length field in bytes. */
    private final int lengthBytes;

    private final ByteOrder order;
    private final int offset;
    private final int adjustment;
    private final boolean wholeFrames;

    private LengthPrefixed(
            int lengthBytes, ByteOrder order, int offset, int adjustment, boolean wholeFrames, int bytesMax) {
        super(bytesMax);
        this.lengthBytes = lengthBytes;
        this.order = order;
        this.offset = offset;
        this.adjustment = adjustment;
        this.wholeFrames = wholeFrames;
        if (bytesMax < offset + Math.max(1, lengthBytes)) {
            throw new IllegalArgumentException("the bound of " + bytesMax
                    + " bytes has no room for the length, which ends at byte " + (offset + Math.max(1, lengthBytes)));
        }
    }

    static LengthPrefixed ofBytes(int bytes) {
        if (bytes != 1 && bytes != 2 && bytes != 3 && bytes != 4 && bytes != 8) {
            throw new IllegalArgumentException("a length has 1, 2, 3, 4 or 8 bytes, not " + bytes);
        }
        return new LengthPrefixed(bytes, ByteOrder.BIG_ENDIAN, 0, 0, false, BYTES_MAX_DEFAULT);
    }

    static LengthPrefixed ofVarint() {
        return new LengthPrefixed(VARINT, ByteOrder.BIG_ENDIAN, 0, 0, false, BYTES_MAX_DEFAULT);
    }

    /** Sets the byte order of the length. The default is {@link ByteOrder#BIG_ENDIAN}. A varint has no byte order. */
    public LengthPrefixed order(ByteOrder wanted) {
        Objects.requireNonNull(wanted, "order");
        if (lengthBytes == VARINT) {
            throw new IllegalStateException("a varint has one byte order");
        }
        return new LengthPrefixed(lengthBytes, wanted, offset, adjustment, wholeFrames, bytesMax());
    }

    /** Sets the number of header bytes before the length. The default is 0. */
    public LengthPrefixed offset(int bytes) {
        if (bytes < 0 || bytes >= bytesMax()) {
            throw new IllegalArgumentException(
                    "the length stands from 0 to " + (bytesMax() - 1) + " bytes behind the start, not " + bytes);
        }
        return new LengthPrefixed(lengthBytes, order, bytes, adjustment, wholeFrames, bytesMax());
    }

    /** Sets a number that is added to the length. The default is 0. If a length field of 4 bytes counts itself, the number is -4. */
    public LengthPrefixed adjustment(int bytes) {
        return new LengthPrefixed(lengthBytes, order, offset, bytes, wholeFrames, bytesMax());
    }

    /** Lets the handler see the whole frame, with its header and its length. By default, it sees only the bytes after the length. */
    public LengthPrefixed wholeFrames() {
        return new LengthPrefixed(lengthBytes, order, offset, adjustment, true, bytesMax());
    }

    /**
     * Sets the maximum length of a frame in bytes, including its header and its length field. The default is {@link #BYTES_MAX_DEFAULT}.
     * It must not be larger than the reactor's {@link org.cabrank.stream.StreamLimits#unreadLimit}.
     */
    public LengthPrefixed max(int bytes) {
        return new LengthPrefixed(lengthBytes, order, offset, adjustment, wholeFrames, bytes);
    }

    @Override
    protected boolean find(ByteBuffer bytes, FrameBounds bounds) throws FrameException {
        int size = lengthBytes == VARINT ? varintBytes(bytes) : lengthBytes;
        int prefix = offset + size;
        if (size == 0 || bytes.remaining() < prefix) {
            return false;
        }
        long length = lengthBytes == VARINT ? varint(bytes, size) : length(bytes, bytes.position() + offset);
        long total = length < 0 ? -1 : Math.addExact(Math.min(length, Long.MAX_VALUE >> 1), (long) prefix + adjustment);
        if (length >= 0 && total < prefix) {
            throw new FrameException("a length of " + length + " stands for fewer than no bytes behind it");
        }
        if (total < 0 || total > bytesMax()) {
            throw FrameException.tooLong(total, bytesMax());
        }
        if (bytes.remaining() < total) {
            return false;
        }
        int start = wholeFrames ? 0 : prefix;
        bounds.found(start, (int) total - start, (int) total);
        return true;
    }

    /** Returns the length. If the unsigned length is 2^63 or more, the result is negative. */
    private long length(ByteBuffer bytes, int at) {
        long bigEndian = 0;
        for (int i = 0; i < lengthBytes; i++) {
            bigEndian = bigEndian << 8 | bytes.get(at + i) & 0xff;
        }
        return order == ByteOrder.BIG_ENDIAN
                ? bigEndian
                : Long.reverseBytes(bigEndian) >>> (Long.BYTES - lengthBytes) * 8;
    }

    /** Returns the size of the varint at {@link #offset}. Returns 0 if its last byte has not arrived. */
    private int varintBytes(ByteBuffer bytes) throws FrameException {
        int at = bytes.position() + offset;
        for (int i = 0; i < VARINT_BYTES_MAX; i++) {
            if (at + i >= bytes.limit()) {
                return 0;
            }
            if (bytes.get(at + i) >= 0) {
                return i + 1;
            }
        }
        throw new FrameException("a length is a varint of more than " + VARINT_BYTES_MAX + " bytes");
    }

    private long varint(ByteBuffer bytes, int size) {
        int at = bytes.position() + offset;
        long value = 0;
        for (int i = 0; i < size; i++) {
            value |= (bytes.get(at + i) & 0x7fL) << 7 * i;
        }
        return value;
    }

    /** @throws IllegalStateException if frames have a header before the length. Write such frames by {@link Connection#write}. */
    @Override
    public void write(Connection connection, ByteBuffer content) {
        if (offset != 0) {
            throw new IllegalStateException("a frame of this framing has " + offset
                    + " header bytes in front of its length: write the whole frame with Connection.write");
        }
        long length = (long) content.remaining() - adjustment;
        if (length < 0 || lengthBytes != VARINT && lengthBytes < Integer.BYTES && length >>> 8 * lengthBytes != 0) {
            throw new IllegalArgumentException("a length of " + lengthBytes + " bytes cannot be " + length + ", for "
                    + content.remaining() + " bytes");
        }
        ByteBuffer prefix = PREFIXES.get().clear();
        if (lengthBytes == VARINT) {
            putVarint(prefix, length);
        } else {
            for (int i = 0; i < lengthBytes; i++) {
                int shift = 8 * (order == ByteOrder.BIG_ENDIAN ? lengthBytes - 1 - i : i);
                prefix.put((byte) (length >>> shift));
            }
        }
        prefix.flip();
        requireFits((long) prefix.remaining() + content.remaining());
        connection.write(prefix, content);
    }

    private static void putVarint(ByteBuffer to, long value) {
        long rest = value;
        while (rest >= 0x80) {
            to.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        to.put((byte) rest);
    }

    @Override
    public String toString() {
        String size = lengthBytes == VARINT ? "a varint" : lengthBytes + " bytes";
        return "frames behind a length of " + size + ", " + bytesMax() + " bytes at most";
    }
}
