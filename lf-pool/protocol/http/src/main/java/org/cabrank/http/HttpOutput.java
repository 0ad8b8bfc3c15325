package org.cabrank.http;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.cabrank.http.message.Gzip;
import org.cabrank.http.message.HttpStatus;
import org.cabrank.http.wire.BodyEncoder;
import org.cabrank.http.wire.FieldSyntax;
import org.cabrank.http.wire.MessageText;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.WriteQueueFullException;

/**
 * The answer of one exchange.
 *
 * <pre>
 *   OPEN ── an answer begins ──> BEGUN ── it is complete ──> ENDING ── all of it is written ──> DONE
 *     └──────── the connection ends ─────┴──────────────────> GONE
 * </pre>
 *
 * Bytes that a thread writes outside of callbacks reach the connection as mail. The end of such an answer is mail behind the bytes. The
 * next request is read only after this mail, so that no later answer overtakes the bytes. The caller that leaves OPEN writes the answer.
 */
final class HttpOutput {
    private static final int OPEN = 0;
    private static final int BEGUN = 1;
    private static final int ENDING = 2;
    private static final int DONE = 3;
    private static final int GONE = 4;

    private static final byte[] CONTENT_TYPE = MessageText.bytes("Content-Type: ");
    private static final byte[] TEXT = MessageText.bytes("Content-Type: text/plain\r\n");

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(HttpOutput.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final HttpConnection http;
    private final HttpExchange exchange;
    private final AnswerHead.Added added = new AnswerHead.Added();
    private final AnswerHead.Added trailers = new AnswerHead.Added();

    private volatile int state;
    private boolean closeAsked;
    private boolean closes;

    private boolean gzipWanted;

    /** Number of bytes in {@link #added} that the service has added. Fields that the library adds follow them. */
    private int addedByService;

    private final BodyEncoder pieces = new BodyEncoder();

    HttpOutput(HttpConnection http, HttpExchange exchange) {
        this.http = http;
        this.exchange = exchange;
    }

    void begin() {
        added.clear();
        trailers.clear();
        closeAsked = false;
        gzipWanted = false;
        STATE.setOpaque(this, OPEN); // opaque suffices: the exchange is passed on in a callback or by a volatile write
    }

    boolean isOpen() {
        return state <= BEGUN;
    }

    boolean isUnanswered() {
        return state == OPEN;
    }

    boolean isGone() {
        return state == GONE;
    }

    boolean isDone() {
        return state == DONE;
    }

    boolean closes() {
        return closes;
    }

    void gone() {
        if (!STATE.compareAndSet(this, OPEN, GONE) && STATE.compareAndSet(this, BEGUN, GONE)) {
            pieces.release();
        }
    }

    /** Begins the answer. Returns false if the connection has ended and the answer is dropped. */
    private boolean claim() {
        if (take(OPEN, BEGUN)) {
            addedByService = added.bytes();
            return true;
        }
        if (state == GONE) {
            return false;
        }
        throw new IllegalStateException("the request has an answer already");
    }

    /** Changes the state, atomically if several threads may call the exchange. Returns false in any state except {@code from}. */
    private boolean take(int from, int to) {
        if (exchange.isDetached()) {
            return STATE.compareAndSet(this, from, to);
        }
        if ((int) STATE.getOpaque(this) != from) {
            return false;
        }
        STATE.setOpaque(this, to);
        return true;
    }

    private void done() {
        boolean direct = connection().isInCallback();
        if (take(BEGUN, direct ? DONE : ENDING)) {
            http.answered(exchange, direct);
        }
    }

    void finish() {
        STATE.compareAndSet(this, ENDING, DONE);
    }

    void addField(String name, String value) {
        added.add(name, value);
    }

    void addTrailer(String name, String value) {
        trailers.add(name, value);
    }

    void closeAfterwards() {
        closeAsked = true;
    }

    void gzip() {
        gzipWanted = true;
    }

    private boolean takesGzip(int status) {
        if (!gzipWanted) {
            return false;
        }
        added.add("Vary", "Accept-Encoding");
        return !HttpStatus.forbidsContent(status) && !grantsTunnel(status) && Gzip.isTakenBy(exchange.fields());
    }

    private Connection connection() {
        return http.connection();
    }

    private boolean isHead() {
        return exchange.head.isHead();
    }

    /** Returns true if the client treats the bytes after the head as a tunnel (RFC 9110 section 9.3.6). */
    private boolean grantsTunnel(int status) {
        return exchange.head.isConnect() && HttpStatus.isSuccessful(status);
    }

    private long framing(int status, long length) {
        if (grantsTunnel(status)) {
            return AnswerHead.UNTIL_END;
        }
        if (HttpStatus.hasNoBody(status)) {
            return AnswerHead.NO_BODY;
        }
        return HttpStatus.forbidsContent(status) ? 0 : length;
    }

    /** Composes a head up to the fields that frame the body. The buffer has room for {@code more} bytes. */
    private ByteBuffer begin(int status, int more, boolean mustClose) {
        closes = mustClose
                || grantsTunnel(status)
                || closeAsked
                || !exchange.head.framing().keepsAlive()
                || exchange.isBodyWithheld()
                || http.isLastAnswer();
        ByteBuffer out = room(more);
        AnswerHead.statusLine(out, status);
        AnswerHead.connection(out, closes, exchange.head.isVersion10());
        added.putInto(out);
        return out;
    }

    private ByteBuffer room(int more) {
        return MessageText.room(
                AnswerHead.OWN_BYTES_MAX + added.bytes() + more, connection().isInCallback());
    }

    /** @param body null if there is no body, or if {@code out} contains it */
    private void write(ByteBuffer out, ByteBuffer body) {
        try {
            if (body == null) {
                connection().write(out.flip());
            } else {
                connection().write(out.flip(), body);
            }
        } catch (WriteQueueFullException full) {
            added.truncate(addedByService);
            STATE.compareAndSet(this, BEGUN, OPEN);
            throw full;
        }
    }

    void send(HttpAnswer made) {
        if (!claim()) {
            return;
        }
        HttpAnswer answer = made.gzip == null ? made : made.chosenFor(exchange.fields());
        byte[] body = answer.body;
        boolean copied = body.length <= HttpAnswer.SMALL_BYTES;
        int more = answer.fields.length + (copied ? body.length : 0);
        ByteBuffer out = begin(answer.status(), more, false);
        out.put(answer.fields);
        AnswerHead.framing(out, framing(answer.status(), body.length));
        AnswerHead.end(out);
        if (copied && !isHead()) {
            out.put(body);
        }
        write(out, copied || isHead() ? null : ByteBuffer.wrap(body));
        done();
    }

    void send(int status, String contentType, ByteBuffer content) {
        requireFinal(status);
        int count = content.remaining();
        if (count > 0 && HttpStatus.forbidsContent(status)) {
            throw new IllegalArgumentException("an answer with status " + status + " has no body");
        }
        requireContentType(contentType);
        if (!claim()) {
            return;
        }
        if (takesGzip(status)) {
            sendGzip(status, contentType, content);
        } else {
            sendChosen(status, contentType, content);
        }
    }

    private void sendGzip(int status, String contentType, ByteBuffer content) {
        byte[] body = new byte[content.remaining()];
        content.get(content.position(), body);
        byte[] encoded = Gzip.encode(body);
        if (encoded.length >= body.length) {
            sendChosen(status, contentType, content);
            return;
        }
        added.add("Content-Encoding", "gzip");
        sendChosen(status, contentType, ByteBuffer.wrap(encoded));
        content.position(content.limit());
    }

    private void sendChosen(int status, String contentType, ByteBuffer content) {
        int count = content.remaining();
        boolean copied = count <= HttpAnswer.SMALL_BYTES;
        ByteBuffer out = begin(status, lineBytes(contentType) + (copied ? count : 0), false);
        contentType(out, contentType);
        AnswerHead.framing(out, framing(status, count));
        AnswerHead.end(out);
        int position = content.position();
        if (isHead()) {
            content.position(content.limit());
        } else if (copied) {
            out.put(content);
        }
        try {
            write(out, copied || isHead() ? null : content);
        } catch (WriteQueueFullException full) {
            content.position(position);
            throw full;
        }
        done();
    }

    private static void requireFinal(int status) {
        if (status < HttpStatus.OK || status > HttpStatus.MAX) {
            throw new IllegalArgumentException("an answer has a status from 200 to 599, not " + status);
        }
    }

    private static void requireContentType(String contentType) {
        if (contentType != null) {
            FieldSyntax.require("Content-Type", contentType);
        }
    }

    private static int lineBytes(String contentType) {
        return contentType == null ? 0 : CONTENT_TYPE.length + contentType.length() + 2;
    }

    private static void contentType(ByteBuffer out, String contentType) {
        if (contentType == null) {
            return;
        }
        out.put(CONTENT_TYPE);
        AnswerHead.put(out, contentType);
        AnswerHead.end(out);
    }

    void sendFile(int status, String contentType, ReactorFile file, long position, long count) throws IOException {
        requireFinal(status);
        requireContentType(contentType);
        if (position < 0 || count < 0 || HttpStatus.forbidsContent(status)) {
            throw new IllegalArgumentException(
                    "no answer with status " + status + " has " + count + " bytes of a file from byte " + position);
        }
        if (!claim()) {
            return;
        }
        ByteBuffer out = begin(status, lineBytes(contentType), false);
        contentType(out, contentType);
        AnswerHead.framing(out, framing(status, count));
        AnswerHead.end(out);
        write(out, null);
        if (!isHead()) {
            boolean sent = false;
            try {
                connection().sendFile(file, position, count);
                sent = true;
            } finally {
                if (!sent) {
                    connection().abort(); // the head has announced bytes that will not follow
                }
            }
        }
        done();
    }

    void interim(int status) {
        if (!HttpStatus.isInterim(status) || status < HttpStatus.MIN || status == HttpStatus.SWITCHING_PROTOCOLS) {
            throw new IllegalArgumentException("an interim answer has a status from 100 to 199 but 101, not " + status);
        }
        if (state != OPEN) {
            return;
        }
        if (!exchange.head.isVersion10()) {
            ByteBuffer out = room(0);
            AnswerHead.statusLine(out, status);
            if (status != HttpStatus.CONTINUE) {
                added.putInto(out);
            }
            AnswerHead.end(out);
            connection().write(out.flip());
        }
        if (status != HttpStatus.CONTINUE) {
            added.clear();
        }
    }

    /** @param protocol null for a tunnel */
    void switchTo(String protocol) {
        if (!claim()) {
            return;
        }
        ByteBuffer out = room(0);
        AnswerHead.statusLine(out, protocol == null ? HttpStatus.OK : HttpStatus.SWITCHING_PROTOCOLS);
        if (protocol != null) {
            out.put(MessageText.bytes("Connection: Upgrade\r\nUpgrade: " + protocol + "\r\n"));
        }
        added.putInto(out);
        AnswerHead.end(out);
        write(out, null);
        state = DONE;
    }

    void beginBody(int status, long length) {
        requireFinal(status);
        if (length < HttpExchange.UNKNOWN_LENGTH || length > 0 && HttpStatus.forbidsContent(status)) {
            throw new IllegalArgumentException("an answer with status " + status + " cannot have " + length + " bytes");
        }
        if (connection().isInCallback()) {
            exchange.permitBody(); // the permission is an interim answer, which cannot follow the head
        }
        if (!claim()) {
            return;
        }
        boolean gzip = takesGzip(status);
        if (gzip) {
            added.add("Content-Encoding", "gzip");
        }
        boolean unknown = gzip || length == HttpExchange.UNKNOWN_LENGTH;
        long framing = framing(status, unknown ? AnswerHead.CHUNKED : length);
        if (framing == AnswerHead.CHUNKED && exchange.head.isVersion10()) {
            framing = AnswerHead.UNTIL_END;
        }
        ByteBuffer out = begin(status, 0, framing == AnswerHead.UNTIL_END);
        AnswerHead.framing(out, framing);
        AnswerHead.end(out);
        if (gzip && !isHead()) {
            pieces.beginGzip(framing);
        } else {
            pieces.begin(HttpStatus.forbidsContent(status) ? 0 : unknown ? framing : length);
        }
        try {
            write(out, null);
        } finally {
            if (state != BEGUN) { // refused, or the connection has ended
                pieces.release();
            }
        }
    }

    void write(ByteBuffer data) {
        if (!requireBegun()) {
            data.position(data.limit());
            return;
        }
        if (isHead()) {
            pieces.skip(data);
        } else {
            pieces.write(connection(), data);
        }
    }

    private boolean requireBegun() {
        int now = state;
        if (now == OPEN || now == DONE) {
            throw new IllegalStateException(now == OPEN ? "the answer has not begun" : "the answer is complete");
        }
        return now == BEGUN;
    }

    void end() {
        if (!requireBegun()) {
            return;
        }
        if (!isHead()) {
            if (pieces.missing() > 0) {
                connection().abort();
                throw new IllegalStateException(
                        "the answer ends " + pieces.missing() + " bytes before its announced length");
            }
            pieces.end(connection(), trailers.lines(), trailers.bytes());
        }
        done();
    }

    /** Answers with an error. Closes the connection if {@code mustClose} is true. Returns false, without effect, if an answer has begun. */
    boolean refuse(int status, boolean mustClose) {
        if (!take(OPEN, BEGUN)) {
            return false;
        }
        added.clear();
        String text = HttpStatus.reason(status) + "\n";
        ByteBuffer out = begin(status, TEXT.length + text.length(), mustClose);
        putError(out, text, isHead());
        write(out, null);
        done();
        return true;
    }

    static ByteBuffer refusal(int status, boolean toHead) {
        String text = HttpStatus.reason(status) + "\n";
        ByteBuffer out = MessageText.room(AnswerHead.OWN_BYTES_MAX, true);
        AnswerHead.statusLine(out, status);
        AnswerHead.connection(out, true, false);
        putError(out, text, toHead);
        return out.flip();
    }

    private static void putError(ByteBuffer out, String text, boolean toHead) {
        out.put(TEXT);
        AnswerHead.framing(out, text.length());
        AnswerHead.end(out);
        if (!toHead) {
            AnswerHead.put(out, text);
        }
    }
}
