package org.cabrank.bench.http;

/**
 * Reads the fields of one request that decide its body and the end of the connection; skips the others. One value at a time:
 * {@link #begin}, {@link #add} per byte, {@link #end}.
 */
final class HttpFields {

    private static final byte[] CONNECTION = Word.known("connection");
    private static final byte[] CONTENT_LENGTH = Word.known("content-length");
    private static final byte[] EXPECT = Word.known("expect");
    private static final byte[] HOST = Word.known("host");
    private static final byte[] TRANSFER_ENCODING = Word.known("transfer-encoding");
    private static final byte[] CLOSE = Word.known("close");
    private static final byte[] KEEP_ALIVE = Word.known("keep-alive");
    private static final byte[] CHUNKED = Word.known("chunked");
    private static final byte[] CONTINUE = Word.known("100-continue");

    /** Larger lengths are read as this one: all are too large for a body. */
    private static final long LENGTH_MAX = Long.MAX_VALUE / 10 - 10;

    private static final long NOT_GIVEN = -1;

    private enum Kind {
        SKIPPED,
        HOST,
        CONNECTION,
        CONTENT_LENGTH,
        TRANSFER_ENCODING,
        EXPECT
    }

    private final Word word = new Word();
    private final HttpAuthority host = new HttpAuthority();
    private Kind kind = Kind.SKIPPED;
    /** The value has begun, and white space has come behind its last byte. */
    private boolean valueBegun;

    private boolean space;

    private boolean close;
    private boolean keepAlive;
    private boolean expect;
    private boolean expectUnknown;
    private boolean transferEncoding;
    private boolean chunked;
    private boolean otherCoding;
    private int hosts;
    private long contentLength;

    /** A new request: nothing has been seen. */
    void clear() {
        kind = Kind.SKIPPED;
        close = false;
        keepAlive = false;
        expect = false;
        expectUnknown = false;
        transferEncoding = false;
        chunked = false;
        otherCoding = false;
        hosts = 0;
        contentLength = NOT_GIVEN;
    }

    /** The value of the field {@code name} begins. Returns false if it may be skipped. */
    boolean begin(Word name) {
        kind = kindOf(name);
        valueBegun = false;
        space = false;
        word.clear();
        if (kind == Kind.HOST) {
            hosts++;
            host.clear();
        }
        return kind != Kind.SKIPPED;
    }

    private static Kind kindOf(Word name) {
        if (name.is(HOST)) {
            return Kind.HOST;
        }
        if (name.is(CONNECTION)) {
            return Kind.CONNECTION;
        }
        if (name.is(CONTENT_LENGTH)) {
            return Kind.CONTENT_LENGTH;
        }
        if (name.is(TRANSFER_ENCODING)) {
            return Kind.TRANSFER_ENCODING;
        }
        return name.is(EXPECT) ? Kind.EXPECT : Kind.SKIPPED;
    }

    /** Takes the next byte of the value; returns false if it cannot stand there. */
    boolean add(int c) {
        if (HttpChars.space(c)) {
            space = valueBegun;
            return true;
        }
        boolean first = !valueBegun;
        boolean behindSpace = space;
        valueBegun = true;
        space = false;
        switch (kind) {
            case HOST:
                return !behindSpace && host.add(c);
            case CONTENT_LENGTH:
                return !behindSpace && addDigit(c, first);
            case CONNECTION:
                if (c == ',') {
                    endOption();
                } else {
                    addToWord(c, behindSpace);
                }
                return true;
            case TRANSFER_ENCODING:
                if (c == ',') {
                    return endCoding();
                }
                addToWord(c, behindSpace);
                return true;
            case EXPECT:
                addToWord(c, behindSpace);
                return true;
            default:
                return true;
        }
    }

    private boolean addDigit(int c, boolean first) {
        if (c < '0' || c > '9' || first && contentLength != NOT_GIVEN) {
            return false; // a second length is refused even if it is equal: intermediaries may have used another one
        }
        contentLength = Math.min(LENGTH_MAX, Math.max(0, contentLength) * 10 + (c - '0'));
        return true;
    }

    private void addToWord(int c, boolean behindSpace) {
        if (behindSpace && !word.empty()) {
            word.add(' '); // two words are no known one
        }
        word.add(c);
    }

    private void endOption() {
        close |= word.is(CLOSE);
        keepAlive |= word.is(KEEP_ALIVE);
        word.clear();
    }

    private boolean endCoding() {
        if (word.empty()) {
            return true;
        }
        boolean last = !chunked; // nothing may follow the chunked coding (RFC 9112 section 6.1)
        boolean named = word.is(CHUNKED);
        chunked |= named;
        otherCoding |= !named;
        word.clear();
        return last;
    }

    /** The value has ended; returns false if it makes no sense, or contradicts an earlier one. */
    boolean end() {
        Kind ended = kind;
        kind = Kind.SKIPPED;
        switch (ended) {
            case HOST:
                return host.end();
            case CONTENT_LENGTH:
                return valueBegun;
            case CONNECTION:
                endOption();
                return true;
            case TRANSFER_ENCODING:
                transferEncoding = true;
                return endCoding();
            case EXPECT:
                expect = true;
                expectUnknown |= !word.is(CONTINUE);
                return true;
            default:
                return true;
        }
    }

    boolean close() {
        return close;
    }

    boolean keepAlive() {
        return keepAlive;
    }

    /** The client waits for a permission to send the body. */
    boolean expect() {
        return expect;
    }

    /** The client expects something that this server does not know. */
    boolean expectUnknown() {
        return expectUnknown;
    }

    boolean transferEncoding() {
        return transferEncoding;
    }

    /** The last transfer coding is the chunked one. */
    boolean chunked() {
        return chunked;
    }

    /** A transfer coding that this server does not implement. */
    boolean otherCoding() {
        return otherCoding;
    }

    /** Number of Host fields. */
    int hosts() {
        return hosts;
    }

    /** The length of the body in bytes; 0 if no field gives one. */
    long contentLength() {
        return Math.max(0, contentLength);
    }

    boolean contentLengthGiven() {
        return contentLength != NOT_GIVEN;
    }
}
