package org.cabrank.http.wire;

import org.cabrank.http.message.HttpStatus;

/**
 * Parses the line in front of a chunk byte by byte (RFC 9112 section 7.1), and ignores valid extensions. A quoted value cannot contain a
 * line end, so every intermediary finds the same end of the line. Allocates nothing. Not thread-safe.
 *
 * <pre>
 *   chunk-size  *( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )  CR LF
 * </pre>
 */
final class ChunkLine {
    /** Largest number of digits of a size, including leading zeros. */
    static final int DIGITS_MAX = 64;

    /** Largest number of digits of a size, without leading zeros; more digits would overflow. */
    private static final int SIGNIFICANT_MAX = 15;

    private static final byte WRONG = 0;
    private static final byte START = 1;
    private static final byte SIZE = 2;
    private static final byte SEMICOLON = 3;

    private static final byte NAME_START = 4;
    private static final byte NAME = 5;
    private static final byte NAME_END = 6;

    private static final byte VALUE_START = 7;
    private static final byte VALUE = 8;
    private static final byte QUOTED = 9;
    private static final byte ESCAPED = 10;
    private static final byte QUOTED_END = 11;
    private static final byte LINE_END = 12;
    private static final byte COMPLETE = 13;
    private static final int STATES = 14;
    private static final int BYTES = 256;

    private static final byte[] NEXT = new byte[STATES * BYTES];

    private static final byte[] DIGIT = new byte[BYTES];

    static {
        for (int c = 0; c < BYTES; c++) {
            DIGIT[c] = (byte) Character.digit(c, 16);
            if (DIGIT[c] >= 0) {
                allow(START, c, SIZE);
                allow(SIZE, c, SIZE);
            }
            if (HttpChars.token(c)) {
                allow(NAME_START, c, NAME);
                allow(NAME, c, NAME);
                allow(VALUE_START, c, VALUE);
                allow(VALUE, c, VALUE);
            }
            if (HttpChars.value(c)) {
                allow(QUOTED, c, QUOTED);
                allow(ESCAPED, c, QUOTED);
            }
        }
        for (char space : new char[] {' ', '\t'}) {
            allow(SIZE, space, SEMICOLON);
            allow(SEMICOLON, space, SEMICOLON);
            allow(NAME_START, space, NAME_START);
            allow(NAME, space, NAME_END);
            allow(NAME_END, space, NAME_END);
            allow(VALUE_START, space, VALUE_START);
            allow(VALUE, space, SEMICOLON);
            allow(QUOTED_END, space, SEMICOLON);
        }
        for (byte state : new byte[] {SIZE, SEMICOLON, NAME, NAME_END, VALUE, QUOTED_END}) {
            allow(state, ';', NAME_START);
        }
        for (byte state : new byte[] {SIZE, NAME, VALUE, QUOTED_END}) {
            allow(state, '\r', LINE_END);
        }
        allow(NAME, '=', VALUE_START);
        allow(NAME_END, '=', VALUE_START);
        allow(VALUE_START, '"', QUOTED);
        allow(QUOTED, '\\', ESCAPED);
        allow(QUOTED, '"', QUOTED_END);
        allow(LINE_END, '\n', COMPLETE);
    }

    private static void allow(byte state, int c, byte next) {
        NEXT[state * BYTES + c] = next;
    }

    private final int extensionBytesMax;
    private byte state = START;
    private int digits;
    private int significant;
    private long size;
    private int extensionBytes;

    /** @param extensionBytesMax largest number of bytes of extensions in all chunks of a body together, including white space */
    ChunkLine(int extensionBytesMax) {
        this.extensionBytesMax = extensionBytesMax;
    }

    void beginBody() {
        extensionBytes = 0;
        begin();
    }

    void begin() {
        state = START;
        digits = 0;
        significant = 0;
        size = 0;
    }

    /** Takes the next byte of a line. Refuses a size above {@code sizeMax}. Has the same results as {@link FieldLines#parse}. */
    int add(byte c, long sizeMax) {
        byte next = NEXT[state * BYTES + (c & 0xff)];
        state = next;
        if (next == SIZE) {
            return digit(DIGIT[c & 0xff], sizeMax);
        }
        if (next >= LINE_END) {
            return next == COMPLETE ? FieldLines.COMPLETE : FieldLines.INCOMPLETE;
        }
        if (next == WRONG) {
            return HttpStatus.BAD_REQUEST;
        }
        return ++extensionBytes > extensionBytesMax ? HttpStatus.HEAD_TOO_LONG : FieldLines.INCOMPLETE;
    }

    private int digit(int digit, long sizeMax) {
        if (size > 0 || digit > 0) {
            significant++;
        }
        if (++digits > DIGITS_MAX || significant > SIGNIFICANT_MAX) {
            return HttpStatus.BAD_REQUEST;
        }
        size = size << 4 | digit;
        return size > sizeMax ? HttpStatus.CONTENT_TOO_LARGE : FieldLines.INCOMPLETE;
    }

    long size() {
        return size;
    }
}
