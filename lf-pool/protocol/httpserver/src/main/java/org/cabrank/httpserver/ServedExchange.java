package org.cabrank.httpserver;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.cabrank.http.message.HttpStatus;
import org.cabrank.lf.handle.Ready;
import org.cabrank.stream.Connection;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.transport.StreamConnection;

/**
 * One request and its answer, as programs see them. Runs the handler on the thread of the request or on a thread of an executor. The
 * exchange is {@linkplain org.cabrank.http.HttpExchange#detach detached}, so that any thread may use it, one at a time.
 */
final class ServedExchange extends HttpExchange implements Runnable {
    private final org.cabrank.http.HttpExchange http;
    private final ServedExchanges exchanges;
    private final ServedContext context;
    private final RequestTarget target;
    private final String method;
    private final Headers requestHeaders;
    private final Headers responseHeaders = new Headers();
    private final ResponseBody output;
    private final HandlerExecutor executor;
    private final HttpExchange shown;

    /** True if the handler was called, or will never be called. */
    private final AtomicBoolean begun = new AtomicBoolean();

    /** Error that was rethrown to the executor. An executor that runs handlers on the calling thread passes it to the caller. */
    private Throwable errorOfHandler;

    private final AtomicBoolean completed = new AtomicBoolean();
    private InputStream input;
    private InputStream shownInput;
    private OutputStream shownOutput;
    private Map<String, Object> attributes;
    private volatile HttpPrincipal principal;
    private volatile int status = -1;
    private boolean closed;

    private volatile ExchangeWait outputWait;

    private volatile boolean gone;

    /** The call that gives the handler to the executor. Set before this call. */
    private HandlerExecutor.Call call;

    /** Called in the callback that has the request. */
    ServedExchange(
            org.cabrank.http.HttpExchange http,
            RequestTarget target,
            ServedContext context,
            ServedExchanges exchanges,
            HandlerExecutor executor) {
        this.http = http.detach();
        this.target = target;
        this.context = context;
        this.exchanges = exchanges;
        this.executor = executor;
        this.method = http.method();
        this.requestHeaders = new RequestHeaders(http.fields());
        this.output = new ResponseBody(this, exchanges.settings.answerBytesQueued());
        this.shownOutput = output;
        this.shown = SecureExchange.of(this, http.connection());
    }

    /** Called in the callback of the request. Calls the handler now, or when enough of the body has arrived. */
    void begin() {
        exchanges.begin();
        if (http.bodyLength() == 0) {
            input = InputStream.nullInputStream();
            shownInput = input;
            start();
        } else {
            RequestBody body = new RequestBody(this, exchanges.settings.bodyBytesFirst());
            input = body;
            shownInput = body;
            boolean asked = false;
            try {
                body.begin(http);
                asked = true;
            } finally {
                if (!asked) { // no room for a 100-continue
                    complete();
                }
            }
        }
    }

    /** Calls the handler, in a callback of the connection or in an event of its shard. */
    void start() {
        executor.execute(this);
    }

    /** Called in a callback of the connection. Calls the handler outside of it, so that further callbacks can bring more of the body. */
    void startBesideBody() {
        besideBody(this::start);
    }

    /** Called in a callback. Runs {@code task} in a separate event, so that further callbacks of the connection need not wait for it. */
    void besideBody(Runnable task) {
        StreamConnection.below(http.connection())
                .handle()
                .handleSet()
                .registerVirtual("handler of a request", (event, ready) -> {
                    try {
                        task.run();
                    } finally {
                        event.close();
                    }
                })
                .post(Ready.POSTED);
    }

    /** Returns true if the handler may wait for its client now without delaying other requests. */
    boolean mayWait() {
        return !executor.isCaller() || exchanges.waits.hasRoom(http.connection());
    }

    org.cabrank.http.HttpExchange http() {
        return http;
    }

    void setCall(HandlerExecutor.Call giving) {
        call = giving;
    }

    HandlerExecutor.Call call() {
        return call;
    }

    /** Calls the handler, unless the executor has refused this task. Rethrows an error, so that the executor's thread reports it. */
    @Override
    public void run() {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        executor.begun(this);
        try {
            context.serve(this, shown);
            returned();
        } catch (Exception thrown) {
            failed(thrown);
        } catch (Throwable error) {
            failed(error);
            if (!executor.isCaller()) {
                errorOfHandler = error;
                throw error;
            }
        }
    }

    private void returned() {
        if (!completed.get()) {
            http.onGone(this::clientGone);
        }
    }

    private void failed(Throwable thrown) {
        if (output.isClosed()) { // the client has its answer
            exchanges.noteFailure(this, thrown);
            return;
        }
        if (!gone && http.isOpen()) {
            exchanges.noteFailure(this, thrown);
        }
        refuse(HttpStatus.INTERNAL_SERVER_ERROR);
    }

    /** Called when the executor has thrown. Answers the client, unless the executor had already called the handler. */
    void rejected(Throwable thrown) {
        if (!begun.compareAndSet(false, true)) {
            if (thrown != errorOfHandler) { // noted before
                exchanges.noteFailure(this, thrown);
            }
        } else if (thrown instanceof RejectedExecutionException
                || thrown instanceof Error) { // for example without memory for a thread
            exchanges.noteRejection(this, thrown);
            refuse(HttpStatus.SERVICE_UNAVAILABLE);
        } else {
            exchanges.noteFailure(this, thrown);
            refuse(HttpStatus.INTERNAL_SERVER_ERROR);
        }
    }

    private void refuse(int error) {
        try {
            if (!http.isOpen()) {
                return; // the client has gone, or the connection has refused the body
            }
            if (output.isPending()) {
                output.openAndClose();
                RequestDispatch.refuse(http, error, "");
            } else {
                http.abort();
            }
        } catch (RuntimeException refused) { // another answer has begun at this moment, or there is no room
            http.abort();
        } finally {
            complete();
        }
    }

    IOException givenUp(WriteQueueFullException full) {
        giveUp();
        return new IOException("the answer is given up: the memory for answers is full", full);
    }

    void giveUp() {
        http.abort();
        complete();
    }

    void complete() {
        if (completed.compareAndSet(false, true)) {
            closeInput();
            exchanges.complete();
        }
    }

    private void closeInput() {
        try {
            input.close();
        } catch (IOException broken) {
            throw new AssertionError("the stream of a request waits for nothing when it is closed", broken);
        }
    }

    void await(ExchangeWait wait, BooleanSupplier condition) throws IOException {
        exchanges.waits.await(http, wait, condition);
    }

    void awaitWritable() throws IOException {
        while (!http.isWritable() && !isGone()) {
            awaitTaken();
        }
        requireClient();
    }

    void requireClient() throws IOException {
        if (isGone()) {
            throw new IOException("the client has gone, or its request was refused");
        }
    }

    private boolean isGone() {
        return gone || !http.isOpen() || isOutputRefused();
    }

    /** Returns true if the connection has failed, but cannot end yet, because the handler runs in a callback of the connection. */
    private boolean isOutputRefused() {
        Connection connection = http.connection();
        return connection.isInCallback() && StreamConnection.below(connection).outputFailure() != null;
    }

    /** Lets the exchange end when its client is gone, because the executor may drop the handler's task. */
    void awaitExecutor() {
        http.onGone(this::clientGone);
    }

    private void clientGone(Throwable cause) {
        gone = true;
        ExchangeWait wait = outputWait;
        if (wait != null) {
            wait.signal();
        }
        if (completed.compareAndSet(false, true)) { // the reader of an open input gets the cause
            exchanges.complete();
        }
    }

    void awaitTaken() throws IOException {
        ExchangeWait wait = outputWait();
        AtomicBoolean taken = new AtomicBoolean();
        try {
            http.whenWritable(() -> {
                taken.set(true);
                wait.signal();
            });
        } catch (RejectedExecutionException ended) {
            gone = true;
            return;
        }
        await(wait, () -> taken.get() || gone);
    }

    private ExchangeWait outputWait() {
        if (outputWait == null) {
            ExchangeWait made = new ExchangeWait();
            outputWait = made;
            http.onGone(this::clientGone);
        }
        return outputWait;
    }

    @Override
    public Headers getRequestHeaders() {
        return requestHeaders;
    }

    @Override
    public URI getRequestURI() {
        return target.uri();
    }

    @Override
    public String getRequestMethod() {
        return method;
    }

    @Override
    public HttpContext getHttpContext() {
        return context;
    }

    @Override
    public String getProtocol() {
        return http.isVersion10() ? "HTTP/1.0" : "HTTP/1.1";
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return (InetSocketAddress) http.connection().remoteAddress();
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return (InetSocketAddress) http.connection().localAddress();
    }

    @Override
    public InputStream getRequestBody() {
        return shownInput;
    }

    @Override
    public HttpPrincipal getPrincipal() {
        return principal;
    }

    void setPrincipal(HttpPrincipal authenticated) {
        principal = authenticated;
    }

    private Map<String, Object> attributes() {
        if (attributes == null) {
            attributes = exchanges.settings.attributesOfExchange()
                    ? new ConcurrentHashMap<>(context.getAttributes())
                    : context.getAttributes();
        }
        return attributes;
    }

    @Override
    public Object getAttribute(String name) {
        return attributes().get(Objects.requireNonNull(name, "null name parameter"));
    }

    @Override
    public void setAttribute(String name, Object value) {
        Objects.requireNonNull(name, "null name parameter");
        if (value == null) {
            attributes().remove(name);
        } else {
            attributes().put(name, value);
        }
    }

    @Override
    public void setStreams(InputStream in, OutputStream out) {
        if (in != null) {
            shownInput = in;
        }
        if (out != null) {
            shownOutput = out;
        }
    }

    @Override
    public Headers getResponseHeaders() {
        return responseHeaders;
    }

    @Override
    public int getResponseCode() {
        return status;
    }

    @Override
    public OutputStream getResponseBody() {
        return shownOutput;
    }

    @Override
    public void sendResponseHeaders(int code, long length) throws IOException {
        if (!output.isPending()) {
            throw new IOException("headers already sent");
        }
        try {
            new ResponseHeaders(http, responseHeaders, method.equals("HEAD")).send(code, length, output);
        } catch (IllegalStateException answered) {
            throw new IOException("the request was refused while its handler ran", answered);
        } catch (WriteQueueFullException full) {
            throw givenUp(full);
        }
        status = code;
        if (output.isClosed()) {
            closed = true;
            complete();
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (output.isPending()) {
            http.connection().close(); // after the answers to earlier requests
            complete();
            return;
        }
        try {
            closeInput();
            shownOutput.close();
            output.close(); // the program's stream may have left it open
        } catch (IOException incomplete) {
            giveUp();
        } catch (RuntimeException failure) { // of the program's stream
            giveUp();
            throw failure;
        }
    }

    @Override
    public String toString() {
        return method + " " + target + " of " + http.connection();
    }
}
