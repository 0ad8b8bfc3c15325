package org.cabrank.bench.http;

import java.nio.ByteBuffer;

/**
 * Finds the requests in the bytes of one connection (RFC 9112), however they are cut into reads. Keeps a few numbers
 * between reads, never bytes, and allocates nothing. Bodies are skipped.
 *
 * <p>Strict, because intermediaries must not see other requests than this server: a line ends with CR LF, a folded field is
 * refused, a body has one length.
 *
 * <p>One thread at a time. After an error the rest of the connection cannot be understood.
 */
final class HttpParser {

    /** Request line and fields of one request together; the trailer fields of a chunked body likewise. */
    static final int HEAD_BYTES_MAX = 8 * 1_024;

    /** Body of one request, without the lines between its chunks. */
    static final int BODY_BYTES_MAX = 1 << 20;

    /** Extensions of all chunks of a body together. */
    static final int EXTENSION_BYTES_MAX = HEAD_BYTES_MAX;

    /** No more bytes: the request goes on in the next read. */
    static final int INCOMPLETE = 0;

    /** A request is complete, with its body; or its head, if the client waits for a permission to send the body. */
    static final int REQUEST = 1;

    private static final int VERSION_BYTES = 8;
    private static final long VERSION_1_0 = 0x485454502f312e30L; // "HTTP/1.0"
    private static final int MAJOR_SHIFT = 16;
    private static final long DIGIT_MASK = 0xffL;
    private static final long DIGITS_MASK = DIGIT_MASK << MAJOR_SHIFT | DIGIT_MASK;
    private static final int CHUNK_SIZE_DIGITS_MAX = 16;

    private enum State {
        START,
        EMPTY_LINE_END,
        METHOD,
        TARGET,
        VERSION,
        LINE_END,
        FIELD_START,
        FIELD_NAME,
        FIELD_VALUE,
        FIELD_END,
        HEAD_END,
        BODY,
        CHUNK_SIZE,
        CHUNK_EXTENSION,
        CHUNK_SIZE_END,
        CHUNK_DATA_CR,
        CHUNK_DATA_LF
    }

    private final Word name = new Word();
    private final HttpTarget target = new HttpTarget();
    private final HttpFields fields = new HttpFields();
    private State state = State.START;
    /** Number of bytes of the head, or of the trailer fields, parsed so far. */
    private int headBytes;

    private long packed;
    private int packedBytes;
    private boolean valueSkipped;
    private HttpMethod method = HttpMethod.UNKNOWN;
    private boolean targetWrong;
    private boolean version10;
    private boolean inBody;
    private boolean permissionAwaited;
    private int bodyBytes;
    /** Number of bytes of the body, or of its chunk, still to skip. */
    private int bytesToSkip;

    private int chunkSizeDigits;
    private int extensionBytes;

    /** The method of the request that {@link #parse} has just found, or that it reads. */
    HttpMethod method() {
        return method;
    }

    /** Returns true for a request of HTTP/1.0. Answers to such a request must state that the connection stays open. */
    boolean version10() {
        return version10;
    }

    /** Returns true if the client lets the connection stay after the answer, and it can. */
    boolean keepsAlive() {
        return !fields.close() && !permissionAwaited && (!version10 || fields.keepAlive());
    }

    /** The head of a request has begun and is not complete. Empty lines before a request belong to its head. */
    boolean inHead() {
        return headBytes > 0 && !inBody;
    }

    /** The head of a request is complete, and the body is not. */
    boolean inBody() {
        return inBody;
    }

    /**
     * Consumes bytes up to the end of one request.
     *
     * @return {@link #INCOMPLETE}, {@link #REQUEST}, or the status ({@link HttpStatus}) of the error that was found
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

    private int next(int c, ByteBuffer data) {
        if (++headBytes > HEAD_BYTES_MAX && !inChunks()) {
            return tooLong();
        }
        switch (state) {
            case START:
                return start(c);
            case EMPTY_LINE_END:
                return c == '\n' ? enter(State.START) : HttpStatus.BAD_REQUEST;
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
                return headEnd(c);
            default:
                return chunked(c);
        }
    }

    /** Lines between chunks have limits of their own. */
    private boolean inChunks() {
        return state.compareTo(State.CHUNK_SIZE) >= 0;
    }

    private int tooLong() {
        switch (state) {
            case METHOD:
                return HttpStatus.NOT_IMPLEMENTED; // no method is so long (RFC 9112 section 3)
            case TARGET:
            case VERSION:
            case LINE_END:
                return HttpStatus.TARGET_TOO_LONG;
            case FIELD_START:
            case FIELD_NAME:
            case FIELD_VALUE:
            case FIELD_END:
            case HEAD_END:
                return HttpStatus.HEAD_TOO_LONG;
            default:
                return HttpStatus.BAD_REQUEST;
        }
    }

    // ---- request line ----

    private int start(int c) {
        method = HttpMethod.UNKNOWN;
        version10 = false;
        permissionAwaited = false;
        if (c == '\r') {
            return enter(State.EMPTY_LINE_END); // to be ignored before a request (RFC 9112 section 2.2)
        }
        enter(State.METHOD);
        return HttpChars.token(c) ? pack(c) : HttpStatus.BAD_REQUEST;
    }

    private int method(int c) {
        if (c == ' ') {
            method = packedBytes > HttpMethod.PACKED_BYTES_MAX ? HttpMethod.UNKNOWN : HttpMethod.of(packed);
            fields.clear();
            target.begin(method);
            return enter(State.TARGET);
        }
        return HttpChars.token(c) ? pack(c) : HttpStatus.BAD_REQUEST;
    }

    private int target(int c) {
        if (c == ' ') {
            targetWrong = !target.end(); // said behind the version, which may be the reason
            return enter(State.VERSION);
        }
        return target.add(c) ? INCOMPLETE : HttpStatus.BAD_REQUEST;
    }

    private int version(int c) {
        if (c != '\r') {
            return packedBytes == VERSION_BYTES ? HttpStatus.BAD_REQUEST : pack(c);
        }
        if (packedBytes != VERSION_BYTES || (packed & ~DIGITS_MASK) != (VERSION_1_0 & ~DIGITS_MASK)) {
            return HttpStatus.BAD_REQUEST;
        }
        int major = (int) (packed >>> MAJOR_SHIFT & DIGIT_MASK) - '0';
        int minor = (int) (packed & DIGIT_MASK) - '0';
        if (major < 0 || major > 9 || minor < 0 || minor > 9) {
            return HttpStatus.BAD_REQUEST;
        }
        if (major != 1) {
            return HttpStatus.VERSION_NOT_SUPPORTED;
        }
        version10 = minor == 0;
        return targetWrong ? HttpStatus.BAD_REQUEST : enter(State.LINE_END);
    }

    private int lineEnd(int c) {
        return c == '\n' ? enter(State.FIELD_START) : HttpStatus.BAD_REQUEST;
    }

    // ---- fields ----

    private int fieldStart(int c) {
        if (c == '\r') {
            return enter(State.HEAD_END);
        }
        name.clear();
        state = State.FIELD_NAME;
        // A space here would fold the line before, which RFC 9112 section 5.2 lets a server refuse: no token, refused.
        return fieldName(c);
    }

    private int fieldName(int c) {
        if (c == ':') {
            if (name.empty()) {
                return HttpStatus.BAD_REQUEST;
            }
            valueSkipped = inBody || !fields.begin(name); // trailer fields decide nothing
            return enter(State.FIELD_VALUE);
        }
        if (!HttpChars.token(c)) {
            return HttpStatus.BAD_REQUEST;
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
        return HttpChars.value(c) && (valueSkipped || fields.add(c)) ? INCOMPLETE : HttpStatus.BAD_REQUEST;
    }

    private int fieldEnd(int c) {
        if (c != '\n' || !valueSkipped && !fields.end()) {
            return HttpStatus.BAD_REQUEST;
        }
        return enter(State.FIELD_START);
    }

    private int headEnd(int c) {
        if (c != '\n') {
            return HttpStatus.BAD_REQUEST;
        }
        if (inBody) {
            return complete();
        }
        int error = errorOfHead();
        if (error != INCOMPLETE) {
            return error;
        }
        bytesToSkip = (int) fields.contentLength();
        if (!fields.chunked() && bytesToSkip == 0) {
            return complete();
        }
        if (fields.expect() && !version10) {
            permissionAwaited = true; // the answer comes instead, and nobody knows whether the body does
            return complete();
        }
        inBody = true;
        bodyBytes = bytesToSkip;
        extensionBytes = 0;
        return fields.chunked() ? beginChunk() : enter(State.BODY);
    }

    private int errorOfHead() {
        boolean hostWrong = fields.hosts() > 1 || fields.hosts() == 0 && !version10;
        boolean lengthTwice = fields.transferEncoding() && fields.contentLengthGiven();
        // HTTP/1.0 knows no transfer codings: an intermediary of that version has taken the body for another one.
        boolean codingWrong = fields.transferEncoding() && (version10 || !fields.chunked());
        if (hostWrong || lengthTwice || codingWrong) {
            return HttpStatus.BAD_REQUEST;
        }
        if (fields.otherCoding()) {
            return HttpStatus.NOT_IMPLEMENTED;
        }
        if (fields.expectUnknown() && !version10) {
            return HttpStatus.EXPECTATION_FAILED;
        }
        return fields.contentLength() > BODY_BYTES_MAX ? HttpStatus.CONTENT_TOO_LARGE : INCOMPLETE;
    }

    // ---- body ----

    private int skipBody(ByteBuffer data) {
        int skipped = Math.min(data.remaining(), bytesToSkip);
        data.position(data.position() + skipped);
        bytesToSkip -= skipped;
        if (bytesToSkip > 0) {
            return INCOMPLETE;
        }
        return fields.chunked() ? enter(State.CHUNK_DATA_CR) : complete();
    }

    private int chunked(int c) {
        switch (state) {
            case CHUNK_SIZE:
                return chunkSize(c);
            case CHUNK_EXTENSION:
                return chunkExtension(c);
            case CHUNK_SIZE_END:
                return c == '\n' ? chunkBegun() : HttpStatus.BAD_REQUEST;
            case CHUNK_DATA_CR:
                return c == '\r' ? enter(State.CHUNK_DATA_LF) : HttpStatus.BAD_REQUEST;
            case CHUNK_DATA_LF:
                return c == '\n' ? beginChunk() : HttpStatus.BAD_REQUEST;
            default:
                throw new IllegalStateException(state.toString());
        }
    }

    private int beginChunk() {
        chunkSizeDigits = 0;
        bytesToSkip = 0;
        return enter(State.CHUNK_SIZE);
    }

    private int chunkSize(int c) {
        int digit = HttpChars.hexDigit(c);
        if (digit < 0) {
            if (chunkSizeDigits == 0 || c != '\r' && c != ';') {
                return HttpStatus.BAD_REQUEST;
            }
            return enter(c == '\r' ? State.CHUNK_SIZE_END : State.CHUNK_EXTENSION);
        }
        if (++chunkSizeDigits > CHUNK_SIZE_DIGITS_MAX) {
            return HttpStatus.BAD_REQUEST;
        }
        bytesToSkip = bytesToSkip << 4 | digit; // at most 24 bits, as the body is limited
        return bodyBytes + bytesToSkip > BODY_BYTES_MAX ? HttpStatus.CONTENT_TOO_LARGE : INCOMPLETE;
    }

    private int chunkExtension(int c) {
        if (c == '\r') {
            return enter(State.CHUNK_SIZE_END);
        }
        return HttpChars.value(c) && ++extensionBytes <= EXTENSION_BYTES_MAX ? INCOMPLETE : HttpStatus.BAD_REQUEST;
    }

    private int chunkBegun() {
        if (bytesToSkip > 0) {
            bodyBytes += bytesToSkip;
            return enter(State.BODY);
        }
        headBytes = 0;
        return enter(State.FIELD_START); // trailer fields
    }

    private int complete() {
        headBytes = 0;
        inBody = false;
        enter(State.START);
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
