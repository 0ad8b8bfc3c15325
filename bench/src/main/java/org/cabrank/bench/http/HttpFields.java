package org.cabrank.bench.http;

/**
 * Reads the fields of one request that decide how the connection goes on; skips the others. One value at a time: {@link
 * #begin}, {@link #add} per byte, {@link #end}.
 */
final class HttpFields {

    private static final byte[] CONNECTION = Word.known("connection");
    private static final byte[] CONTENT_LENGTH = Word.known("content-length");
    private static final byte[] EXPECT = Word.known("expect");
    private static final byte[] HOST = Word.known("host");
    private static final byte[] TRANSFER_ENCODING = Word.known("transfer-encoding");
    private static final byte[] CLOSE = Word.known("close");
    private static final byte[] KEEP_ALIVE = Word.known("keep-alive");

    private static final long LENGTH_MAX = Long.MAX_VALUE / 10 - 10;

    private enum Kind {
        SKIPPED,
        CONNECTION,
        CONTENT_LENGTH
    }

    private final Word option = new Word();
    private Kind kind = Kind.SKIPPED;
    private boolean close;
    private boolean keepAlive;
    private boolean transferEncoding;
    private boolean expect;
    private int hosts;
    private long contentLength;
    private long number;
    private boolean numberEnded;

    /** A new request: nothing has been seen. */
    void clear() {
        close = false;
        keepAlive = false;
        transferEncoding = false;
        expect = false;
        hosts = 0;
        contentLength = -1;
    }

    /** The value of the field {@code name} begins. False when it may be skipped. */
    boolean begin(Word name) {
        kind = Kind.SKIPPED;
        if (name.is(HOST)) {
            hosts++;
        } else if (name.is(CONNECTION)) {
            kind = Kind.CONNECTION;
            option.clear();
        } else if (name.is(CONTENT_LENGTH)) {
            kind = Kind.CONTENT_LENGTH;
            number = -1;
            numberEnded = false;
        } else if (name.is(TRANSFER_ENCODING)) {
            transferEncoding = true;
        } else if (name.is(EXPECT)) {
            expect = true;
        }
        return kind != Kind.SKIPPED;
    }

    /** The next byte of the value; false when it makes no sense there. */
    boolean add(int c) {
        if (kind == Kind.CONNECTION) {
            addOption(c);
            return true;
        }
        return kind == Kind.SKIPPED || addDigit(c);
    }

    private void addOption(int c) {
        if (c == ',') {
            endOption();
        } else if (!HttpChars.space(c)) {
            option.add(c);
        }
    }

    private void endOption() {
        close |= option.is(CLOSE);
        keepAlive |= option.is(KEEP_ALIVE);
        option.clear();
    }

    private boolean addDigit(int c) {
        if (HttpChars.space(c)) {
            numberEnded = number >= 0;
            return true;
        }
        if (c < '0' || c > '9' || numberEnded || number > LENGTH_MAX) {
            return false;
        }
        number = Math.max(0, number) * 10 + (c - '0');
        return true;
    }

    /** The value has ended; false when it makes no sense, or contradicts an earlier one. */
    boolean end() {
        if (kind == Kind.CONNECTION) {
            endOption();
        } else if (kind == Kind.CONTENT_LENGTH) {
            if (number < 0 || contentLength >= 0 && contentLength != number) {
                return false;
            }
            contentLength = number;
        }
        kind = Kind.SKIPPED;
        return true;
    }

    boolean close() {
        return close;
    }

    boolean keepAlive() {
        return keepAlive;
    }

    boolean transferEncoding() {
        return transferEncoding;
    }

    boolean expect() {
        return expect;
    }

    /** How many Host fields there were. */
    int hosts() {
        return hosts;
    }

    /** The length of the body; 0 when no field tells. */
    long contentLength() {
        return Math.max(0, contentLength);
    }

    boolean contentLengthGiven() {
        return contentLength >= 0;
    }
}
