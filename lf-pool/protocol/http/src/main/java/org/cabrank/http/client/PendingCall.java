package org.cabrank.http.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.http.wire.BodyEncoder;
import org.cabrank.lf.Timers;
import org.cabrank.lf.failure.FailureLog;

/** A request from its submission until its response is complete, with a time-out for this period. */
final class PendingCall implements HttpTransfer {
    private static final FailureLog FAILURES = new FailureLog(PendingCall.class);

    /** Threads that fail calls that were not sent in time. The reactor's threads do not do this, because they may be blocked. */
    private static final Executor NOTIFIERS =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "cabrank-http-client-time-out");
                thread.setDaemon(true);
                return thread;
            });

    private static final byte[] NO_TRAILERS = {};

    final HttpCall call;
    final HttpResponseHandler handler;
    private final long startNs = System.nanoTime();
    private final long timeoutNs;

    private enum State {
        /** Not sent yet. Any thread may end the call. */
        WAITS,
        /** Sent. The call ends or fails in a callback of its connection. */
        SENT,
        /** Complete or failed. The connection may serve the next request. */
        ENDED,
        /** The mailbox of the connection had no room for a call of the handler. The connection is reset, and serves no further request. */
        GIVEN_UP
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.WAITS);

    /** The connection that sends the request. Set before the handler is called. */
    private volatile ClientConnection connection;

    private volatile OriginPool pool;

    private volatile CompletableFuture<?> connecting;

    private volatile CompletableFuture<?> timer;

    private boolean repeated;

    private volatile boolean cancelled;

    private enum Body {
        NOT_BEGUN,
        BEGUN,
        /** The source has given the last byte. A thread outside of callbacks may still be writing it. */
        GIVEN,
        WRITTEN,
        REFUSED
    }

    private final AtomicReference<Body> body = new AtomicReference<>(Body.NOT_BEGUN);
    private final BodyEncoder encoder = new BodyEncoder();

    /** True if the source has ended the body. Used only by the thread of the source. */
    private boolean ended;

    PendingCall(HttpCall call, HttpResponseHandler handler, Duration timeoutOfClient) {
        this.call = call;
        this.handler = handler;
        timeoutNs = Timers.delayNs(call.timeout() == null ? timeoutOfClient : call.timeout());
    }

    /** A timer of the JDK bounds the wait until the request is sent. After that, the connection's deadline, which costs less, is used. */
    void waitsIn(OriginPool chosen) {
        pool = chosen;
        if (timeoutNs == 0 || timer != null) {
            return;
        }
        CompletableFuture<Void> passing = new CompletableFuture<>();
        passing.whenComplete((none, passed) -> {
            if (passed != null) {
                expireElsewhere();
            }
        });
        timer = passing.orTimeout(Math.max(0, leftNs()), TimeUnit.NANOSECONDS);
        if (state.get() != State.WAITS) {
            stopTimer();
        }
    }

    void connectsBy(CompletableFuture<?> attempt) {
        connecting = attempt;
        if (state.get() == State.ENDED) {
            attempt.cancel(false);
        }
    }

    boolean isWaiting() {
        return state.get() == State.WAITS;
    }

    /** Called in a callback of {@code chosen}. Returns false if the call has failed or is too late. */
    boolean sendsOn(ClientConnection chosen) {
        if (leftNs() <= 0) {
            expire();
            return false;
        }
        connection = chosen;
        if (!state.compareAndSet(State.WAITS, State.SENT)) {
            return false;
        }
        stopTimer();
        return true;
    }

    boolean sendsAgain() {
        boolean bodyLost = isBodyBegun() && !call.isBodyKept();
        if (repeated || bodyLost || !call.isIdempotent() || leftNs() <= 0) {
            return false;
        }
        repeated = true;
        body.set(Body.NOT_BEGUN);
        connecting = null;
        return state.compareAndSet(State.SENT, State.WAITS) && !cancelled;
    }

    /** Calls the handler on another thread, because the thread of the timer serves the whole process. */
    private void expireElsewhere() {
        try {
            NOTIFIERS.execute(this::expire);
        } catch (Throwable noThread) {
            expire();
        }
    }

    private void expire() {
        leave(late());
    }

    TimeoutException late() {
        return new TimeoutException(call + " has no response in time");
    }

    /** Takes an unsent call out of its pool and fails it. Returns false if the call was sent or has ended. */
    private boolean leave(Throwable cause) {
        if (!state.compareAndSet(State.WAITS, State.ENDED)) {
            return false;
        }
        OriginPool left = pool;
        if (left != null) {
            left.forget(this);
        }
        CompletableFuture<?> attempt = connecting;
        if (attempt != null) {
            attempt.cancel(false);
        }
        notifyFailed(cause);
        return true;
    }

    void cancel() {
        cancelled = true;
        if (!leave(new CancellationException(call + " was cancelled"))) {
            abort();
        }
    }

    /** Called when the response is complete. Returns false if the call was given up and its connection is reset. */
    boolean endResponse() {
        return state.compareAndSet(State.SENT, State.ENDED);
    }

    /** Fails the call unless it has ended. A sent call fails only in a callback of its connection. */
    void fail(Throwable cause) {
        if (state.getAndSet(State.ENDED) != State.ENDED) {
            encoder.release();
            notifyFailed(cause);
        }
    }

    /** Calls the handler. If the handler throws, only logs the exception, so that the connection stays usable for other calls. */
    private void notifyFailed(Throwable cause) {
        stopTimer();
        try {
            handler.failed(cause);
        } catch (Throwable thrown) {
            FAILURES.log("the handler of a request that has failed has thrown an exception", thrown);
        }
    }

    private void stopTimer() {
        CompletableFuture<?> running = timer;
        if (running != null) {
            timer = null;
            running.complete(null);
        }
    }

    /** Returns false if the call is not under way. The connection must then not be reset, because it may serve the next request. */
    boolean giveUp() {
        return state.compareAndSet(State.SENT, State.GIVEN_UP);
    }

    /** Called in a callback of the connection. */
    void beginBody() throws Exception {
        if (call.isEncoded()) {
            encoder.beginGzip(call.length());
        } else {
            encoder.begin(call.length());
        }
        ended = false;
        body.set(call.length() == 0 ? Body.WRITTEN : Body.BEGUN);
        call.upload().begin(this);
    }

    boolean isBodyBegun() {
        return body.get() != Body.NOT_BEGUN;
    }

    boolean isBodyGiven() {
        return body.get() == Body.GIVEN;
    }

    /** Called in a callback of the connection. */
    void bodyWritten() {
        body.compareAndSet(Body.GIVEN, Body.WRITTEN);
    }

    boolean isBodyWritten() {
        return call.upload() == null || body.get() == Body.WRITTEN;
    }

    /** Drops the rest of the body. Called in a callback of the connection. The connection serves no further request. */
    void refuseBody() {
        body.set(Body.REFUSED);
        encoder.release();
    }

    private boolean takesBody() {
        Body now = body.get();
        if (now == Body.NOT_BEGUN || ended) {
            throw new IllegalStateException(ended ? "the body is complete" : "the body has not begun");
        }
        return now != Body.REFUSED && state.get() == State.SENT;
    }

    @Override
    public void write(ByteBuffer data) {
        if (!takesBody()) {
            data.position(data.limit());
        } else if (data.hasRemaining() && data.remaining() == encoder.missing()) {
            writeLast(() -> encoder.write(connection.connection(), data));
        } else {
            encoder.write(connection.connection(), data);
        }
    }

    /** Changes the state before the write, because the response may end before the write returns. */
    private void writeLast(Runnable write) {
        body.compareAndSet(Body.BEGUN, Body.GIVEN);
        try {
            write.run();
        } catch (RuntimeException refused) {
            body.compareAndSet(Body.GIVEN, Body.BEGUN);
            throw refused;
        }
        connection.endBody(this);
    }

    @Override
    public boolean isWritable() {
        return connection.isWritable();
    }

    @Override
    public void whenWritable(Runnable task) {
        if (takesBody()) {
            connection.whenWritable(this, task);
        }
    }

    @Override
    public void end() {
        if (!takesBody()) {
            return;
        }
        if (encoder.missing() > 0) {
            abort();
            throw new IllegalStateException(
                    "the body of the request ends " + encoder.missing() + " bytes before its announced length");
        }
        if (body.get() == Body.BEGUN) {
            writeLast(() -> encoder.end(connection.connection(), NO_TRAILERS, 0));
        }
        ended = true;
    }

    @Override
    public void pause() {
        connection.pause(this);
    }

    @Override
    public void resume() {
        if (state.get() == State.SENT) {
            connection.resume(this);
        }
    }

    @Override
    public void abort() {
        if (state.get() == State.SENT) {
            connection.abort(this);
        }
    }

    /** Remaining time in ns. 0 or negative if the time is over. {@link Long#MAX_VALUE} if there is no limit. */
    long leftNs() {
        return timeoutNs == 0 ? Long.MAX_VALUE : startNs + timeoutNs - System.nanoTime();
    }
}
