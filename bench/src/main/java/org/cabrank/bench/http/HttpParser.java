package org.cabrank.bench.http;

import java.nio.ByteBuffer;

/**
 * Finds the requests in the bytes of one connection (RFC 9112), however they are cut into reads. Keeps a few numbers
 * between reads, never bytes, and allocates nothing. Bodies are skipped by their Content-Length.
 *
 * <p>One thread at a time. After an error the rest of the connection cannot be understood.
 */
final class HttpParser {

    /** Request line and fields of one request together. */
    static final int HEAD_BYTES_MAX = 8 * 1_024;

    /** No more bytes: the request goes on in the next read. */
    static final int INCOMPLETE = 0;

    /** A request is complete; its body, if it has one, is skipped by the next call. */
    static final int REQUEST = 1;

    static final int BAD_REQUEST = 400;
    static final int TARGET_TOO_LONG = 414;
    static final int HEAD_TOO_LONG = 431;
    static final int VERSION_NOT_SUPPORTED = 505;

    private static final int VERSION_BYTES = 8;
    private static final long VERSION_1_0 = 0x485454502f312e30L; // "HTTP/1.0"
    private static final int MAJOR_SHIFT = 16;
    private static final long DIGIT_MASK = 0xffL;
    private static final long DIGITS_MASK = DIGIT_MASK << MAJOR_SHIFT | DIGIT_MASK;

    private enum State {
        BODY,
        METHOD,
        TARGET,
        VERSION,
        LINE_END,
        FIELD_START,
        FIELD_NAME,
        FIELD_VALUE,
        FIELD_END,
        HEAD_END
    }

    private final Word name = new Word();
    private final HttpFields fields = new HttpFields();
    private State state = State.METHOD;
    private int headBytes;
    private long packed;
    private int packedBytes;
    private long bodyBytesLeft;
    private boolean valueSkipped;
    private HttpMethod method = HttpMethod.UNKNOWN;
    private boolean version10;

    /** The method of the request that {@link #parse} has just found. */
    HttpMethod method() {
        return method;
    }

    /** Whether the request came as HTTP/1.0, whose clients expect to be told that the connection stays. */
    boolean version10() {
        return version10;
    }

    /** Whether the client lets the connection stay after the answer, and it can. */
    boolean keepsAlive() {
        // The end of a chunked body is not looked for, and whether an expected body comes cannot be known.
        boolean bodyUnknown = fields.transferEncoding() || fields.expect();
        return !fields.close() && !bodyUnknown && (!version10 || fields.keepAlive());
    }

    /**
     * Consumes bytes up to the end of one request's head.
     *
     * @return {@link #INCOMPLETE}, {@link #REQUEST}, or the HTTP status of the error that was found
     */
    int parse(ByteBuffer data) {
        while (data.hasRemaining()) {
            int result = state == State.BODY ? skipBody(data) : next(data.get(), data);
            if (result != INCOMPLETE) {
                return result;
            }
        }
        return INCOMPLETE;
    }

    private int skipBody(ByteBuffer data) {
        int skipped = (int) Math.min(data.remaining(), bodyBytesLeft);
        data.position(data.position() + skipped);
        bodyBytesLeft -= skipped;
        if (bodyBytesLeft == 0) {
            state = State.METHOD;
        }
        return INCOMPLETE;
    }

    private int next(int c, ByteBuffer data) {
        headBytes++;
        if (headBytes > HEAD_BYTES_MAX) {
            return state == State.TARGET ? TARGET_TOO_LONG : HEAD_TOO_LONG;
        }
        switch (state) {
            case METHOD:
                return method(c);
            case TARGET:
                return target(c);
            case VERSION:
                return version(c);
            case LINE_END:
                return lineEnd(c);
            case FIELD_START:
                return fieldStart(c);
            case FIELD_NAME:
                return fieldName(c);
            case FIELD_VALUE:
                return fieldValue(c, data);
            case FIELD_END:
                return fieldEnd(c);
            case HEAD_END:
                return c == '\n' ? headEnd() : BAD_REQUEST;
            default:
                throw new IllegalStateException(state.toString());
        }
    }

    private int method(int c) {
        if (c == ' ') {
            if (packedBytes == 0) {
                return BAD_REQUEST;
            }
            method = packedBytes > HttpMethod.PACKED_BYTES_MAX ? HttpMethod.UNKNOWN : HttpMethod.of(packed);
            fields.clear();
            return enter(State.TARGET);
        }
        if (packedBytes == 0 && (c == '\r' || c == '\n')) {
            // Empty lines before a request are to be ignored (RFC 9112 section 2.2); the limit still counts them.
            return INCOMPLETE;
        }
        return HttpChars.token(c) ? pack(c) : BAD_REQUEST;
    }

    private int target(int c) {
        if (c == ' ') {
            return packedBytes == 0 ? BAD_REQUEST : enter(State.VERSION);
        }
        return HttpChars.target(c) ? pack(c) : BAD_REQUEST;
    }

    private int version(int c) {
        if (c != '\r' && c != '\n') {
            return packedBytes == VERSION_BYTES ? BAD_REQUEST : pack(c);
        }
        if (packedBytes != VERSION_BYTES || (packed & ~DIGITS_MASK) != (VERSION_1_0 & ~DIGITS_MASK)) {
            return BAD_REQUEST;
        }
        int major = (int) (packed >>> MAJOR_SHIFT & DIGIT_MASK) - '0';
        int minor = (int) (packed & DIGIT_MASK) - '0';
        if (major < 0 || major > 9 || minor < 0 || minor > 9) {
            return BAD_REQUEST;
        }
        if (major != 1) {
            return VERSION_NOT_SUPPORTED;
        }
        version10 = minor == 0;
        return enter(c == '\r' ? State.LINE_END : State.FIELD_START);
    }

    private int lineEnd(int c) {
        return c == '\n' ? enter(State.FIELD_START) : BAD_REQUEST;
    }

    private int fieldStart(int c) {
        if (c == '\r') {
            return enter(State.HEAD_END);
        }
        if (c == '\n') {
            return headEnd();
        }
        name.clear();
        state = State.FIELD_NAME;
        // A space here would fold the line before, which RFC 9112 section 5.2 lets a server refuse: no token, refused.
        return fieldName(c);
    }

    private int fieldName(int c) {
        if (c == ':') {
            if (name.empty()) {
                return BAD_REQUEST;
            }
            valueSkipped = !fields.begin(name);
            return enter(State.FIELD_VALUE);
        }
        if (!HttpChars.token(c)) {
            return BAD_REQUEST;
        }
        name.add(c);
        return INCOMPLETE;
    }

    private int fieldValue(int first, ByteBuffer data) {
        int c = first;
        // Most bytes of a request stand in values that nobody looks at: do not go through the states for each.
        while (valueSkipped && HttpChars.value(c) && data.hasRemaining() && headBytes < HEAD_BYTES_MAX) {
            c = data.get();
            headBytes++;
        }
        if (c == '\r') {
            return enter(State.FIELD_END);
        }
        if (c == '\n') {
            return fieldEnd(c);
        }
        return HttpChars.value(c) && fields.add(c) ? INCOMPLETE : BAD_REQUEST;
    }

    private int fieldEnd(int c) {
        if (c != '\n' || !fields.end()) {
            return BAD_REQUEST;
        }
        return enter(State.FIELD_START);
    }

    private int headEnd() {
        boolean hostWrong = fields.hosts() > 1 || fields.hosts() == 0 && !version10;
        boolean lengthTwice = fields.transferEncoding() && fields.contentLengthGiven();
        if (hostWrong || lengthTwice) {
            return BAD_REQUEST;
        }
        bodyBytesLeft = fields.contentLength();
        enter(bodyBytesLeft > 0 ? State.BODY : State.METHOD);
        headBytes = 0;
        return REQUEST;
    }

    private int pack(int c) {
        packed = packed << 8 | c & 0xff;
        packedBytes++;
        return INCOMPLETE;
    }

    private int enter(State next) {
        state = next;
        packed = 0;
        packedBytes = 0;
        return INCOMPLETE;
    }
}
