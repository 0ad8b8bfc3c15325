package org.cabrank.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.cabrank.http.message.Gzip;
import org.cabrank.http.message.HttpFields;
import org.cabrank.http.message.HttpStatus;
import org.cabrank.http.message.HttpText;
import org.cabrank.http.wire.FieldSyntax;
import org.cabrank.http.wire.GzipDecoder;
import org.cabrank.http.wire.RequestFraming;
import org.cabrank.http.wire.RequestHead;
import org.cabrank.http.wire.TextView;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.WriteCompletion;

/**
 * One request and its answer. A connection has one exchange at a time: later requests wait, in bounded memory, until the answer is
 * complete.
 *
 * <p>Callbacks of the exchange may call everything. After {@link #detach} any thread that has the exchange may call it, one at a time. The
 * request can be read until the answer is complete. Answering in a callback allocates nothing up to {@link HttpAnswer#SMALL_BYTES}. If the
 * client leaves before the answer is complete, further answers are dropped: see {@link #isOpen} and {@link #onGone}.
 */
public final class HttpExchange {
    /** Length of an answer that is not known when it begins. */
    public static final long UNKNOWN_LENGTH = -1;

    private static final ByteBuffer NO_CONTENT = ByteBuffer.allocate(0);

    private static final String[] METHODS = {
        "GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE"
    };

    private final HttpConnection http;
    final RequestHead head;
    final HttpOutput output;
    private final TextView method = new TextView();
    private final TextView target = new TextView();
    private final TextView part = new TextView();
    private String methodName;
    private HttpBody body;

    /** Undoes the coding of the body; null: it has none, or is received with it. */
    private GzipDecoder decoder;

    private boolean bodyComplete;
    private boolean continueSent;
    private boolean offloaded;

    /** True if any thread may answer after the handler. */
    private volatile boolean detached;

    /** Guarded by the monitor of the output, like the cause; a new request has neither. */
    private Consumer<Throwable> goneListener;

    private Throwable goneCause;

    HttpExchange(HttpConnection http, RequestHead head) {
        this.http = http;
        this.head = head;
        this.output = new HttpOutput(http, this);
    }

    void begin() {
        methodName = null;
        body = null;
        bodyComplete = false;
        continueSent = false;
        offloaded = false;
        if (goneListener != null) {
            goneListener = null;
        }
        output.begin();
    }

    /** Compared with case. A method that RFC 9110 and RFC 5789 do not define is a new string. */
    public String method() {
        if (methodName == null) {
            methodName = findMethod();
        }
        return methodName;
    }

    private String findMethod() {
        requireThere();
        head.method(method);
        for (String known : METHODS) {
            if (method.is(known)) {
                return known;
            }
        }
        return method.toString();
    }

    /** The target as the client has sent it: a path with a query, an absolute URI, an asterisk, or a host with a port (CONNECT). */
    public HttpText target() {
        requireThere();
        return head.target(target);
    }

    /** The path of the target, still encoded: {@code /a%20b}; {@code *} for an asterisk. Valid until the next call. */
    public HttpText path() {
        requireThere();
        return head.path(part);
    }

    /** The query of the target without its question mark, still encoded; null if there is none. A new string. */
    public String query() {
        requireThere();
        head.target(target);
        int mark = target.indexOf('?', 0);
        return mark < 0 ? null : target.subSequence(mark + 1, target.length());
    }

    /**
     * The host with its port: that of an absolute target, or else the field Host (RFC 9112 section 3.3); null for a client of HTTP/1.0 that
     * names none.
     */
    public String authority() {
        requireThere();
        String named = head.authorityOfTarget();
        HttpText host = named == null ? fields().first("Host") : null;
        return named != null ? named : host == null ? null : host.toString();
    }

    public HttpFields fields() {
        requireThere();
        return head.fields();
    }

    public boolean isVersion10() {
        return head.isVersion10();
    }

    /** Length of the body in bytes; 0: there is none; {@link #UNKNOWN_LENGTH}: it comes in chunks, or is decoded. */
    public long bodyLength() {
        return decoder != null || head.framing().bodyLength() == RequestFraming.CHUNKED
                ? UNKNOWN_LENGTH
                : head.framing().bodyLength();
    }

    /** Returns true if the client waits for a permission to send the body (100-continue): see {@link #body}. */
    public boolean expectsContinue() {
        return head.framing().expectsContinue();
    }

    /** The connection; for its addresses, its timers and {@link Connection#newReply}. Writing to it would break the framing. */
    public Connection connection() {
        return http.connection();
    }

    private void requireThere() {
        if (output.isDone()) {
            throw new IllegalStateException("the request is gone: it can be read until its answer is complete");
        }
    }

    /**
     * Has {@code receiver} get the body. Only in {@link HttpHandler#request} and in a continuation of offloaded work. Without a body only
     * {@link HttpBody#end} is called. Calls begin after the present callback. So does the permission of a client that waits for one ({@link
     * #expectsContinue}), unless the callback has answered or paused the body.
     *
     * @throws IllegalStateException outside a callback, or after an earlier call
     */
    public void body(HttpBody receiver) {
        Objects.requireNonNull(receiver, "receiver");
        if (!http.connection().isInCallback() || body != null) {
            throw new IllegalStateException("the body is asked for once, and in the callback that has the request");
        }
        body = receiver;
    }

    /** In a callback: permits the body, if it has a receiver that is not paused, and the client still waits. */
    void permitBody() {
        if (body != null && isBodyWithheld() && !http.isBodyPaused() && output.isUnanswered()) {
            continueSent = true;
            output.interim(HttpStatus.CONTINUE);
        }
    }

    /**
     * {@link #body} for a body that is needed as a whole. A body of more than {@code bytesMax} bytes, from 0, or above the limit of the
     * service, is answered with status 413. A body that arrives in one piece is not copied.
     */
    public void wholeBody(int bytesMax, HttpWholeBody receiver) {
        body(new WholeBody(bytesMax, Objects.requireNonNull(receiver, "receiver")));
    }

    /** {@link #decodedBody(HttpBody)} for a body that is needed as a whole. A longer one is answered with status 413. */
    public void decodedBody(int bytesMax, HttpWholeBody receiver) {
        decodedBody(new WholeBody(bytesMax, Objects.requireNonNull(receiver, "receiver")));
    }

    /**
     * {@link #body} for a body that may have the coding gzip, which is undone. The limit of the service ({@link
     * org.cabrank.http.message.HttpLimits#bodyBytes}) also holds for the decoded body. A body with another coding is answered with status
     * 415, and a malformed one with 400.
     */
    public void decodedBody(HttpBody receiver) {
        String coding = Gzip.coding(fields());
        if (coding.isEmpty()) {
            body(receiver);
        } else if (Gzip.is(coding)) {
            body(receiver);
            decoder = new GzipDecoder(http.bodyBytesMax());
        } else {
            addField("Accept-Encoding", "gzip").closeAfterwards().send(HttpStatus.UNSUPPORTED_CODING);
        }
    }

    /** In a callback of the body: no further piece until {@link #resumeBody}. The client's writes wait then. */
    public void pauseBody() {
        http.pauseBody(this);
    }

    /** Any thread: further pieces of the body may follow. Permits a body that was paused before it was permitted. */
    public void resumeBody() {
        http.resumeBody(this);
    }

    /** In a callback: keeps the exchange for an answer by any thread, and returns it. Copies the head of the request, which allocates. */
    public HttpExchange detach() {
        if (!detached) {
            http.keepHead();
            detached = true;
        }
        return this;
    }

    /**
     * In a callback: ends the callback for the connection, whose further callbacks run on other threads, passes leadership on, and sends
     * what was written. The handler continues: it may block, for the body, for room ({@link #whenWritable}) or for anything else, and calls
     * the exchange as any other thread does, as after a nested wait ({@link Connection#newReply}). While all other threads of the shard are
     * busy, the shard is not served; with one thread for each shard, not until the handler returns. Ask for the body before this call.
     *
     * @throws IllegalStateException outside a callback
     * @throws org.cabrank.lf.NestingLimitException if too many callbacks of the thread wait already
     */
    public void letGo() {
        http.letGo();
    }

    /** A callback of the exchange waits for a reply: other threads may call the exchange from now on. */
    void share() {
        detached = true;
    }

    boolean isDetached() {
        return detached;
    }

    /**
     * In a callback: runs slow work on {@code executor}, and continues in a callback afterwards; see {@link Connection#offload}. No other
     * callback of the connection runs until then. If the work throws, the request is answered with status 500. If the executor throws a
     * RejectedExecutionException, the callback continues as without this call, and may answer with status 503.
     */
    public <T> void offload(Executor executor, Callable<? extends T> work, HttpContinuation<? super T> continuation) {
        Objects.requireNonNull(continuation, "continuation");
        http.connection().offload(executor, work, new OffloadedExchange<>(http, this, continuation));
        offloaded = true;
    }

    void offloadEnded() {
        offloaded = false;
    }

    /**
     * Has {@code listener} called once if the connection ends before the answer is complete, with the cause, or null after an orderly end
     * of the client: in the last callback of the connection, or by the caller if that is over. Any thread; one listener.
     */
    public void onGone(Consumer<Throwable> listener) {
        Objects.requireNonNull(listener, "listener");
        synchronized (output) {
            if (!output.isGone()) {
                goneListener = listener;
                return;
            }
        }
        listener.accept(goneCause);
    }

    /** Returns true if the answer is incomplete, and the client is there as far as is known. Any thread. */
    public boolean isOpen() {
        return output.isOpen();
    }

    /**
     * Adds a field to the answer that has not begun. Characters are sent as ISO 8859-1.
     *
     * @throws IllegalArgumentException for a name or a value with other characters than RFC 9110 section 5 allows, and for fields that the
     *     library writes: Content-Length, Transfer-Encoding, Connection, Date, Upgrade, Trailer
     */
    public HttpExchange addField(String name, String value) {
        FieldSyntax.requireOfService(name, value);
        output.addField(name, value);
        return this;
    }

    /** Closes the connection behind this answer, which has the field {@code Connection: close}. */
    public HttpExchange closeAfterwards() {
        output.closeAfterwards();
        return this;
    }

    /**
     * Encodes the answer by gzip if the client takes that (Accept-Encoding), and adds the fields Vary and Content-Encoding: for {@link
     * #send(int, String, ByteBuffer)}, or for pieces. Each piece can be decoded on arrival. An answer in pieces has about 256 KiB outside
     * of the heap until its end. Do not use it for a body that has both a secret and text that a client chose (BREACH). An ETag must be
     * weak, since the bodies differ.
     */
    public HttpExchange gzip() {
        output.gzip();
        return this;
    }

    /**
     * @throws IllegalStateException if an answer has begun
     * @throws org.cabrank.stream.WriteQueueFullException as {@link Connection#write(ByteBuffer)}; the exchange is unchanged
     */
    public void send(HttpAnswer answer) {
        output.send(answer);
    }

    public void send(int status) {
        output.send(status, null, NO_CONTENT);
    }

    /** Answers with text in UTF-8, which the content type must name: {@code text/plain; charset=utf-8}. */
    public void send(int status, String contentType, String text) {
        output.send(status, contentType, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Answers with a status from 200 to 599. No content type: null. {@code content} is consumed; HEAD is sent only its length. */
    public void send(int status, String contentType, ByteBuffer content) {
        output.send(status, contentType, Objects.requireNonNull(content, "content"));
    }

    /**
     * Answers with a range of a file, as {@link Connection#sendFile} sends it.
     *
     * @throws IOException if the file is closed; the connection is reset then if the answer has begun
     */
    public void sendFile(int status, String contentType, ReactorFile file, long position, long count)
            throws IOException {
        output.sendFile(status, contentType, file, position, count);
    }

    /** Sends an interim answer with the fields that were added, such as status 103; to a client of HTTP/1.0 nothing. */
    public void sendInterim(int status) {
        output.interim(status);
    }

    /**
     * Begins an answer in pieces: {@link #write} as often as wanted, then {@link #end}.
     *
     * @param length of the body in bytes, or {@link #UNKNOWN_LENGTH}: sent in chunks, or to the end of the connection for HTTP/1.0
     */
    public void begin(int status, long length) {
        output.beginBody(status, length);
    }

    /**
     * Writes and consumes a piece of the body. Stop when {@link #isWritable} is false, until {@link #whenWritable} calls.
     *
     * @throws org.cabrank.stream.WriteQueueFullException as {@link Connection#write(ByteBuffer)}; nothing was consumed
     * @throws IllegalStateException if the answer has not begun or is complete, or the body would exceed its announced length
     */
    public void write(ByteBuffer data) {
        output.write(data);
    }

    /** Adds a trailer field, sent behind an answer in chunks; dropped for other answers. */
    public void addTrailer(String name, String value) {
        FieldSyntax.requireOfService(name, value);
        output.addTrailer(name, value);
    }

    /**
     * @throws IllegalStateException if the body is shorter than announced; the connection is reset, because the client waits for the rest
     */
    public void end() {
        output.end();
    }

    /** Resets the connection, so that the client does not take a part of the answer for the whole. Any thread. */
    public void abort() {
        http.connection().abort();
    }

    /** See {@link Connection#isWritable}. Any thread. */
    public boolean isWritable() {
        return http.connection().isWritable();
    }

    /**
     * Has {@code task} called as a callback of the connection as soon as {@link #isWritable}: if it is, behind the present callback. Any
     * thread; one task at a time.
     *
     * @throws java.util.concurrent.RejectedExecutionException as {@link Connection#execute}
     */
    public void whenWritable(Runnable task) {
        http.whenWritable(Objects.requireNonNull(task, "task"));
    }

    /** See {@link Connection#whenWritten}. Any thread. */
    public void whenWritten(WriteCompletion completion) {
        http.connection().whenWritten(completion);
    }

    /**
     * In a callback: answers with status 101, and has the connection continue with {@code next}, which gets the bytes behind the request.
     * {@link ConnectionHandler#opened} is not called.
     *
     * @param protocol value of the field Upgrade
     * @throws IllegalStateException outside a callback, if an answer has begun, if the request has a body that has not arrived, or if the
     *     client has not asked for the protocol by the fields Upgrade and Connection (RFC 9110 section 7.8)
     */
    public void upgrade(String protocol, ConnectionHandler next) {
        Objects.requireNonNull(next, "next");
        FieldSyntax.require("Upgrade", protocol);
        if (isVersion10()
                || !fields().hasElement("Upgrade", protocol)
                || !fields().hasElement("Connection", "upgrade")) {
            throw new IllegalStateException("the client has not asked for the protocol");
        }
        http.requireMayReplace();
        output.switchTo(protocol);
        http.replace(next);
    }

    /**
     * In a callback: answers CONNECT with status 200, and has the connection continue with {@code next}, as {@link #upgrade} does. Any
     * other answer to CONNECT with a status from 200 to 299 also grants a tunnel: it has no length, and the connection is closed behind it.
     */
    public void tunnel(ConnectionHandler next) {
        Objects.requireNonNull(next, "next");
        if (!method().equals("CONNECT")) {
            throw new IllegalStateException("only CONNECT asks for a tunnel");
        }
        http.requireMayReplace();
        output.switchTo(null);
        http.replace(next);
    }

    HttpBody receiver() {
        return body;
    }

    boolean isBodyNoted() {
        return bodyComplete;
    }

    void noteBodyComplete() {
        bodyComplete = true;
        endDecoding();
    }

    GzipDecoder decoder() {
        return decoder;
    }

    void endDecoding() {
        if (decoder != null) {
            decoder.close();
            decoder = null;
        }
    }

    /** Returns true if a returning callback leaves the answer to a later call. */
    boolean isAnsweredLater() {
        return detached || offloaded || body != null && !bodyComplete;
    }

    /** Returns true if the body is not received, because the client or the connection waits for the service. */
    boolean isBodyUndecided() {
        return isBodyWithheld() || offloaded && body == null;
    }

    /** Returns true if the client waits for a permission that it has not been given. */
    boolean isBodyWithheld() {
        return expectsContinue() && !continueSent && !http.hasBodyBegun();
    }

    void gone(Throwable cause) {
        Consumer<Throwable> listener;
        synchronized (output) {
            goneCause = cause;
            output.gone();
            listener = goneListener;
            goneListener = null;
        }
        if (listener != null) {
            listener.accept(cause);
        }
    }

    @Override
    public String toString() {
        return "exchange of " + http.connection();
    }
}
