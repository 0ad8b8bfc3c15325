package org.cabrank.resp;

import java.nio.ByteBuffer;

/**
 * Finds the first command in bytes: an array of bulk strings, or an inline command. Keeps its place in a command that is incomplete, so
 * that no byte is looked at twice. Accessed by one thread at a time.
 *
 * <pre>
 * *2\r\n  $3\r\nGET\r\n  $3\r\nkey\r\n      an array
 * GET key\r\n                               inline
 *        ^ offsets count from the first byte of the command
 * </pre>
 */
final class CommandParser {
    private static final int NONE = -1;

    /** A line is incomplete. */
    private static final long INCOMPLETE = Long.MIN_VALUE;

    private static final short LINE_END = (short) ('\r' << Byte.SIZE | '\n');
    private static final int LINE_END_BYTES = 2;

    /** Digits of a length that fits into an int whatever they are. */
    private static final int DIGITS_FAST = 9;

    private static final String INVALID_COUNT = "invalid multibulk length";
    private static final String INVALID_LENGTH = "invalid bulk length";

    private final RespLimits limits;

    /** Number of arguments of the present command, or {@link #NONE} before its count is known. */
    private int expected = NONE;

    /** Length of the argument that is being received, or {@link #NONE} before its length is known. */
    private int length = NONE;

    /** Offset behind the bytes that were parsed. */
    private int parsed;

    /** Offset behind the bytes that were searched for the end of the present line. */
    private int searched;

    CommandParser(RespLimits limits) {
        this.limits = limits;
    }

    /**
     * Parses the bytes from the position of {@code bytes}, which is unchanged, to its limit. Called again with more bytes if the command
     * is incomplete: the bytes must begin with the same ones.
     *
     * @param bytes at least one, in network byte order
     * @param into cleared before the first call for a command
     * @return number of bytes of the command; {@code into} has its arguments, or none for an empty line or array. 0: it is incomplete
     */
    int parse(ByteBuffer bytes, RespCommand into) throws RespException {
        int base = bytes.position();
        if (expected == NONE) {
            if (bytes.get(base) != '*') {
                return inline(bytes, into);
            }
            long count = line(bytes, 1, INVALID_COUNT, "too big mbulk count string");
            if (count == INCOMPLETE) {
                return 0;
            }
            if (count > limits.elementsMax()) {
                throw new RespException(INVALID_COUNT);
            }
            expected = Math.max(0, (int) count);
        }
        while (into.count() < expected) {
            if (!argument(bytes, base, into)) {
                return 0;
            }
        }
        into.show(bytes, base);
        return done();
    }

    /** Returns true if the next argument is complete. */
    private boolean argument(ByteBuffer bytes, int base, RespCommand into) throws RespException {
        if (length == NONE) {
            if (base + parsed >= bytes.limit()) {
                return false;
            }
            byte type = bytes.get(base + parsed);
            if (type != '$') {
                throw new RespException("expected '$', got '" + (char) (type & 0xff) + "'");
            }
            long value = line(bytes, parsed + 1, INVALID_LENGTH, "too big bulk count string");
            if (value == INCOMPLETE) {
                return false;
            }
            if (value < 0 || value > limits.stringBytesMax()) {
                throw new RespException(INVALID_LENGTH);
            }
            if (parsed + value + LINE_END_BYTES > limits.totalBytesMax()) {
                throw new RespException("too big request");
            }
            length = (int) value;
        }
        int end = base + parsed + length;
        if (end + LINE_END_BYTES > bytes.limit()) {
            return false;
        }
        if (bytes.getShort(end) != LINE_END) {
            throw new RespException(INVALID_LENGTH);
        }
        into.add(parsed, length);
        parsed += length + LINE_END_BYTES;
        length = NONE;
        return true;
    }

    /** Least number of bytes of the present command, as far as is known. */
    int needed() {
        return parsed + Math.max(0, length) + LINE_END_BYTES;
    }

    private int done() {
        int total = parsed;
        reset();
        return total;
    }

    private void reset() {
        expected = NONE;
        length = NONE;
        parsed = 0;
        searched = 0;
    }

    // ---- lines with a number ----

    /** Returns the number of the line whose text begins at an offset, and moves behind the line; or {@link #INCOMPLETE}. */
    private long line(ByteBuffer bytes, int offset, String invalid, String tooBig) throws RespException {
        int base = bytes.position();
        int from = base + offset;
        int most = Math.min(bytes.limit() - 1, from + DIGITS_FAST);
        int at = from;
        int value = 0;
        while (at < most) {
            int digit = bytes.get(at) - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            value = value * 10 + digit;
            at++;
        }
        boolean plain = at > from && at + 1 < bytes.limit() && (at == from + 1 || bytes.get(from) != '0');
        if (plain && bytes.getShort(at) == LINE_END) {
            parsed = at + LINE_END_BYTES - base;
            searched = parsed;
            return value;
        }
        return anyLine(bytes, offset, invalid, tooBig);
    }

    /** Handles what {@link #line} does not: incomplete, signed, long and malformed numbers. */
    private long anyLine(ByteBuffer bytes, int offset, String invalid, String tooBig) throws RespException {
        int end = find(bytes, (byte) '\r', offset, tooBig);
        int base = bytes.position();
        if (end < 0 || base + end + 1 >= bytes.limit()) {
            return INCOMPLETE;
        }
        if (bytes.get(base + end + 1) != '\n') {
            throw new RespException(invalid);
        }
        long value = number(bytes, base + offset, base + end, invalid);
        parsed = end + LINE_END_BYTES;
        searched = parsed;
        return value;
    }

    /** Returns the offset of a byte in the line that begins at an offset; negative: it has not arrived. */
    private int find(ByteBuffer bytes, byte wanted, int lineOffset, String tooBig) throws RespException {
        int base = bytes.position();
        int at = base + Math.max(searched, lineOffset);
        while (at < bytes.limit() && bytes.get(at) != wanted) {
            at++;
        }
        searched = at - base;
        if (searched - lineOffset > limits.lineBytesMax()) {
            throw new RespException(tooBig);
        }
        return at < bytes.limit() ? searched : -1;
    }

    private static long number(ByteBuffer bytes, int from, int to, String invalid) throws RespException {
        boolean negative = from < to && bytes.get(from) == '-';
        int first = negative ? from + 1 : from;
        int digits = to - first;
        boolean leadingZero = digits > 0 && bytes.get(first) == '0' && (digits > 1 || negative);
        if (digits < 1 || digits > 2 * DIGITS_FAST || leadingZero) {
            throw new RespException(invalid);
        }
        long value = 0;
        for (int i = first; i < to; i++) {
            int digit = bytes.get(i) - '0';
            if (digit < 0 || digit > 9) {
                throw new RespException(invalid);
            }
            value = value * 10 + digit;
        }
        return negative ? -value : value;
    }

    // ---- inline commands ----

    private int inline(ByteBuffer bytes, RespCommand into) throws RespException {
        int end = find(bytes, (byte) '\n', 0, "too big inline request");
        if (end < 0) {
            return 0;
        }
        InlineArguments.split(bytes, end, into);
        if (into.count() > limits.elementsMax()) {
            throw new RespException(INVALID_COUNT);
        }
        parsed = end + 1;
        return done();
    }
}
