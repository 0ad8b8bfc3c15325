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
 * One request and its answer. Later requests of the connection wait, in bounded memory, until the answer is complete.
 *
 * <p>Callbacks of the exchange may call all methods. After {@link #detach} any thread may call them, one thread at a time. The request can
 * be read until the answer is complete. A callback sends answers of up to {@link HttpAnswer#SMALL_BYTES} without allocation. If the client
 * leaves first ({@link #onGone}), the rest of the answer is dropped.
 */
public final class HttpExchange {
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
    final TextView[] views = {method, target, part};
    private String methodName;
    private HttpBody body;

    private GzipDecoder decoder;

    private boolean bodyComplete;
    private boolean continueSent;
    private boolean offloaded;
    private boolean hasOffloaded;

    private volatile boolean detached;

    /** True if the service has asked for {@link #detach}. The exchange is also detached if a callback has waited. */
    private volatile boolean detachedByService;

    /** Listener of {@link #onGone}. The monitor of {@link #output} guards this field and {@link #goneCause}. */
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
        hasOffloaded = false;
        if (goneListener != null) {
            goneListener = null;
        }
        output.begin();
    }

    /** The method, which is case-sensitive. Allocates only for a method that neither RFC 9110 nor RFC 5789 defines. */
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

    /** The encoded path of the target, such as {@code /a%20b}. The path of {@code *} is {@code *}. Valid until the next call. */
    public HttpText path() {
        requireThere();
        return head.path(part);
    }

    /** Returns the query of the target as a new string, still encoded and without the question mark; null if there is no query. */
    public String query() {
        requireThere();
        head.target(target);
        int mark = target.indexOf('?', 0);
        return mark < 0 ? null : target.subSequence(mark + 1, target.length());
    }

    /** Returns the authority in the target, or the field Host if the target has none (RFC 9112 section 3.3). May be null with HTTP/1.0. */
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

    /** Length of the body in bytes. Returns 0 if there is no body, {@link #UNKNOWN_LENGTH} if the body comes in chunks or is decoded. */
    public long bodyLength() {
        return decoder != null || head.framing().bodyLength() == RequestFraming.CHUNKED
                ? UNKNOWN_LENGTH
                : head.framing().bodyLength();
    }

    /** Returns true if the client waits for a permission to send the body (100-continue); see {@link #body}. */
    public boolean expectsContinue() {
        return head.framing().expectsContinue();
    }

    /** The connection, for its addresses, its timers and {@link Connection#newReply}. Writing to it would break the framing. */
    public Connection connection() {
        return http.connection();
    }

    private void requireThere() {
        if (output.isDone()) {
            throw new IllegalStateException("the request is gone: it can be read until its answer is complete");
        }
    }

    /**
     * Passes the body to {@code receiver} after the present callback. Call it only in {@link HttpHandler#request} or in a continuation of
     * offloaded work. If the request has no body, only {@link HttpBody#end} is called. A client that waits for a permission ({@link
     * #expectsContinue}) gets it after the present callback, unless this callback has answered the request or paused the body.
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

    void permitBody() {
        if (body != null && isBodyWithheld() && !http.isBodyPaused() && output.isUnanswered()) {
            continueSent = true;
            output.interim(HttpStatus.CONTINUE);
        }
    }

    /**
     * Like {@link #body}, but {@code receiver} gets the whole body in one call. If the body is longer than {@code bytesMax} (at least 0) or
     * than the limit of the service, the request is answered with status 413. A body that arrives in one piece is not copied.
     */
    public void wholeBody(int bytesMax, HttpWholeBody receiver) {
        body(new WholeBody(bytesMax, Objects.requireNonNull(receiver, "receiver")));
    }

    /** Like {@link #wholeBody}, but decodes gzip as {@link #decodedBody(HttpBody)} does. {@code bytesMax} limits the decoded body. */
    public void decodedBody(int bytesMax, HttpWholeBody receiver) {
        decodedBody(new WholeBody(bytesMax, Objects.requireNonNull(receiver, "receiver")));
    }

    /**
     * Like {@link #body}, but decodes gzip. The decoded body must fit {@link org.cabrank.http.message.HttpLimits#bodyBytes}. A body in
     * another coding is answered with status 415, a malformed body with status 400.
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

    /** Pauses reading, so that no piece of the body follows until {@link #resumeBody} is called. Call it only in a callback. */
    public void pauseBody() {
        http.pauseBody(this);
    }

    /** Resumes reading after {@link #pauseBody}, and grants a permission that the client waits for. Any thread may call this method. */
    public void resumeBody() {
        http.resumeBody(this);
    }

    /** Lets any thread answer from now on, and returns this exchange. Copies the head, which allocates. Call it only in a callback. */
    public HttpExchange detach() {
        if (!detached) {
            http.keepHead();
            detached = true;
        }
        detachedByService = true;
        return this;
    }

    /**
     * Lets the handler continue outside of the callback. The handler may then block, for example until the body has arrived or until there
     * is room ({@link #whenWritable}). Written bytes are sent, and other threads run further callbacks of the connection. From now on the
     * handler counts as a thread outside of callbacks, as after a nested wait ({@link Connection#newReply}). While no other thread of the
     * shard is free, the shard is not served. Call {@link #body} before this method.
     *
     * @throws IllegalStateException outside a callback
     * @throws org.cabrank.lf.NestingLimitException if too many callbacks of the thread wait already
     */
    public void letGo() {
        http.letGo();
    }

    /** Called when a callback of the exchange begins a nested wait. From now on other threads may call the exchange. */
    void share() {
        detached = true;
    }

    boolean isDetached() {
        return detached;
    }

    /**
     * Runs slow work on {@code executor}, then calls {@code continuation} in a callback; see {@link Connection#offload}. Call it only in a
     * callback. If the work throws, the answer has status 500. If the executor rejects the work, throws its RejectedExecutionException.
     */
    public <T> void offload(Executor executor, Callable<? extends T> work, HttpContinuation<? super T> continuation) {
        Objects.requireNonNull(continuation, "continuation");
        http.connection().offload(executor, work, new OffloadedExchange<>(http, this, continuation));
        offloaded = true;
        hasOffloaded = true;
    }

    void offloadEnded() {
        offloaded = false;
    }

    /**
     * Calls {@code listener} once if the connection ends before the answer is complete, in the last callback, or now if the connection has
     * ended. The argument is the cause, or null after an orderly close. A new listener replaces the old. Any thread may call this method.
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

    /** Returns true while the answer is incomplete and the client is not known to be gone. Any thread may call this method. */
    public boolean isOpen() {
        return output.isOpen();
    }

    /**
     * Adds a field to the answer, which must not have begun. Characters are sent as ISO 8859-1.
     *
     * @throws IllegalArgumentException if the name or the value has a character that RFC 9110 section 5 forbids, or if only the library may
     *     write the field (Content-Length, Transfer-Encoding, Connection, Date, Upgrade, Trailer)
     */
    public HttpExchange addField(String name, String value) {
        FieldSyntax.requireOfService(name, value);
        output.addField(name, value);
        return this;
    }

    /** Closes the connection after this answer, and adds the field {@code Connection: close}. */
    public HttpExchange closeAfterwards() {
        output.closeAfterwards();
        return this;
    }

    /**
     * Encodes the answer by gzip if the client accepts it (Accept-Encoding), and adds the fields Vary and Content-Encoding. Applies to
     * {@link #send(int, String, ByteBuffer)} and to answers in pieces, which use about 256 KiB outside of the heap. Do not use it for a
     * body that has both a secret and text that a client chose (BREACH). An ETag must be weak, because the encoded body differs.
     */
    public HttpExchange gzip() {
        output.gzip();
        return this;
    }

    /**
     * @throws IllegalStateException if an answer has begun
     * @throws org.cabrank.stream.WriteQueueFullException if {@link Connection#write(ByteBuffer)} throws it; the exchange is then unchanged
     */
    public void send(HttpAnswer answer) {
        output.send(answer);
    }

    public void send(int status) {
        output.send(status, null, NO_CONTENT);
    }

    /** Answers with text in UTF-8. The content type must name the encoding, as {@code text/plain; charset=utf-8} does. */
    public void send(int status, String contentType, String text) {
        output.send(status, contentType, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Answers with a status from 200 to 599. {@code contentType} may be null. Consumes {@code content}. HEAD gets only its length. */
    public void send(int status, String contentType, ByteBuffer content) {
        output.send(status, contentType, Objects.requireNonNull(content, "content"));
    }

    /**
     * Answers with a range of a file; see {@link Connection#sendFile}.
     *
     * @throws IOException if the file is closed. If the head is already written, the connection is reset
     */
    public void sendFile(int status, String contentType, ReactorFile file, long position, long count)
            throws IOException {
        output.sendFile(status, contentType, file, position, count);
    }

    /** Sends an interim answer, such as status 103, with the fields that were added. Sends nothing to a client of HTTP/1.0. */
    public void sendInterim(int status) {
        output.interim(status);
    }

    /**
     * Begins an answer in pieces. Call {@link #write} for each piece, then {@link #end}.
     *
     * @param length bytes of the body. {@link #UNKNOWN_LENGTH} sends chunks, or, for HTTP/1.0, closes the connection at the end
     */
    public void begin(int status, long length) {
        output.beginBody(status, length);
    }

    /**
     * Writes and consumes a piece of the body. Stop when {@link #isWritable} is false, until {@link #whenWritable} calls its task.
     *
     * @throws org.cabrank.stream.WriteQueueFullException if {@link Connection#write(ByteBuffer)} throws it; nothing was consumed
     * @throws IllegalStateException if the answer has not begun or is complete, or the body would exceed its announced length
     */
    public void write(ByteBuffer data) {
        output.write(data);
    }

    /** Adds a trailer field. Only an answer in chunks is sent with its trailer fields. */
    public void addTrailer(String name, String value) {
        FieldSyntax.requireOfService(name, value);
        output.addTrailer(name, value);
    }

    /** @throws IllegalStateException if the body is shorter than announced; the connection is then reset */
    public void end() {
        output.end();
    }

    /** Resets the connection, so that the client does not take a part of the answer for the whole. Any thread may call this method. */
    public void abort() {
        http.connection().abort();
    }

    /** See {@link Connection#isWritable}. Any thread may call this method. */
    public boolean isWritable() {
        return http.connection().isWritable();
    }

    /**
     * Runs {@code task} once, in a callback of the connection, as soon as {@link #isWritable} is true. If there is room already, the task
     * runs after the present callback. Only one task may wait. Any thread may call this method.
     *
     * @throws java.util.concurrent.RejectedExecutionException if {@link Connection#execute} throws it
     */
    public void whenWritable(Runnable task) {
        http.whenWritable(Objects.requireNonNull(task, "task"));
    }

    /** See {@link Connection#whenWritten}. Any thread may call this method. */
    public void whenWritten(WriteCompletion completion) {
        http.connection().whenWritten(completion);
    }

    /**
     * Answers with status 101, and continues the connection with {@code next}, which gets the bytes after the request. Does not call {@link
     * ConnectionHandler#opened}. Call this method only in a callback.
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
     * Answers CONNECT with status 200, and continues the connection with {@code next}, as {@link #upgrade} does. Call it only in a
     * callback. After any other answer with a status from 200 to 299, the connection closes, because the client expects a tunnel.
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

    /**
     * After a wait, another callback may be about to answer. So a receiver counts even if its body is complete, and offloaded work counts
     * even if its continuation has begun.
     */
    boolean isAnsweredLater() {
        return detachedByService
                || offloaded
                || detached && (body != null || hasOffloaded)
                || body != null && !bodyComplete;
    }

    /** Returns true if the client waits for a permission to send the body, or if offloaded work has not named a receiver yet. */
    boolean isBodyUndecided() {
        return isBodyWithheld() || offloaded && body == null;
    }

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
