package org.cabrank.framing;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.cabrank.stream.Connection;

final class Delimited extends Framing {
    static final int DELIMITER_MAX = 16;

    private static final byte LINE_FEED = '\n';
    private static final byte CARRIAGE_RETURN = '\r';
    private static final long LOW_SEVEN_BITS = 0x7f7f7f7f7f7f7f7fL;
    private static final long EACH_BYTE = 0x0101010101010101L;

    private static final ThreadLocal<ByteBuffer> ENDS =
            ThreadLocal.withInitial(() -> ByteBuffer.allocate(DELIMITER_MAX));

    private final byte[] delimiter;

    private final long lastInEachByte;

    private final boolean lines;

    private Delimited(byte[] delimiter, boolean lines, int bytesMax) {
        super(bytesMax);
        if (delimiter.length < 1 || delimiter.length > DELIMITER_MAX) {
            throw new IllegalArgumentException(
                    "a delimiter has 1 to " + DELIMITER_MAX + " bytes, not " + delimiter.length);
        }
        if (bytesMax < delimiter.length) {
            throw new IllegalArgumentException("the bound of a frame must be at least the " + delimiter.length
                    + " bytes of its delimiter, but is " + bytesMax);
        }
        this.delimiter = delimiter.clone();
        this.lastInEachByte = EACH_BYTE * (last() & 0xff);
        this.lines = lines;
    }

    static Delimited by(byte[] delimiter, int bytesMax) {
        return new Delimited(delimiter, false, bytesMax);
    }

    static Delimited ofLines(int bytesMax) {
        return new Delimited(new byte[] {LINE_FEED}, true, bytesMax);
    }

    private byte last() {
        return delimiter[delimiter.length - 1];
    }

    @Override
    protected boolean find(ByteBuffer bytes, FrameBounds bounds) throws FrameException {
        int from = bytes.position();
        int end = endOfDelimiter(bytes, from, from + Math.max(bounds.searched(), delimiter.length - 1));
        int total = end - from;
        if (end < 0) {
            bounds.searched(bytes.remaining());
            return false;
        }
        if (total > bytesMax()) {
            throw FrameException.tooLong(total, bytesMax());
        }
        int length = total - delimiter.length;
        boolean strip = lines && length > 0 && bytes.get(end - 2) == CARRIAGE_RETURN;
        bounds.found(0, strip ? length - 1 : length, total);
        return true;
    }

    /** Returns the index after the first delimiter from {@code from} on, or -1. Its last byte is not before {@code searchFrom}. */
    private int endOfDelimiter(ByteBuffer bytes, int from, int searchFrom) {
        int index = indexOfLast(bytes, searchFrom);
        while (index >= 0 && !endsAt(bytes, from, index)) {
            index = indexOfLast(bytes, index + 1);
        }
        return index < 0 ? index : index + 1;
    }

    private int indexOfLast(ByteBuffer bytes, int searchFrom) {
        int index = searchFrom;
        int limit = bytes.limit();
        for (; index <= limit - Long.BYTES; index += Long.BYTES) {
            long word = bytes.getLong(index) ^ lastInEachByte; // bytes equal to the delimiter's last byte are 0 now
            long zeros = ~((word & LOW_SEVEN_BITS) + LOW_SEVEN_BITS | word | LOW_SEVEN_BITS);
            if (zeros != 0) {
                return index + (Long.numberOfLeadingZeros(zeros) >>> 3);
            }
        }
        for (; index < limit; index++) {
            if (bytes.get(index) == last()) {
                return index;
            }
        }
        return -1;
    }

    private boolean endsAt(ByteBuffer bytes, int from, int lastIndex) {
        int start = lastIndex - delimiter.length + 1;
        if (start < from) {
            return false;
        }
        for (int i = 0; i < delimiter.length - 1; i++) {
            if (bytes.get(start + i) != delimiter[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void write(Connection connection, ByteBuffer content) {
        requireFits((long) content.remaining() + delimiter.length);
        ByteBuffer searched = content.order() == java.nio.ByteOrder.BIG_ENDIAN ? content : content.duplicate();
        if (endOfDelimiter(searched, searched.position(), searched.position() + delimiter.length - 1) >= 0
                || endsInDelimiter(content)) {
            throw new IllegalArgumentException("the content has the delimiter in it: the peer would see two frames");
        }
        connection.write(content, ENDS.get().clear().put(delimiter).flip());
    }

    /** Returns true if a delimiter begins in the content and ends in the delimiter behind it, as between "a\n" and "\n\n". */
    private boolean endsInDelimiter(ByteBuffer content) {
        int length = delimiter.length;
        for (int behind = 1; behind < length; behind++) {
            int from = content.limit() - (length - behind);
            if (from >= content.position()
                    && Arrays.equals(delimiter, 0, behind, delimiter, length - behind, length)
                    && beginsDelimiter(content, from)) {
                return true;
            }
        }
        return false;
    }

    private boolean beginsDelimiter(ByteBuffer content, int from) {
        for (int i = from; i < content.limit(); i++) {
            if (content.get(i) != delimiter[i - from]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return lines ? "lines" : "frames that end with " + Arrays.toString(delimiter);
    }
}
