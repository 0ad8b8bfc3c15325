package org.cabrank.http.client;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.Timers;

/** A request of a client until its response is complete. */
final class PendingCall implements HttpTransfer {
    final HttpCall call;
    final HttpResponseHandler handler;
    private final long startNs = System.nanoTime();
    private final long timeoutNs;

    /** The response of a call to the connection that has its request. */
    private enum State {
        AWAITED,
        /** Complete or failed. The connection may serve the next request. */
        ENDED,
        /** The mailbox of the connection was full for a call of the handler. The connection is reset, and serves no further request. */
        GIVEN_UP
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.AWAITED);

    /** The connection that has the request; null: it waits for one. Set before the handler is called. */
    private volatile ClientConnection connection;

    /** The request was sent on a connection that had been closed by the server, and is sent once more. */
    boolean repeated;

    PendingCall(HttpCall call, HttpResponseHandler handler, Duration timeoutOfClient) {
        this.call = call;
        this.handler = handler;
        timeoutNs = Timers.delayNs(call.timeout() == null ? timeoutOfClient : call.timeout());
    }

    void startsOn(ClientConnection chosen) {
        connection = chosen;
    }

    /** By the connection, when the response is complete or has failed. Returns false if the call was given up: the connection is reset. */
    boolean end() {
        return state.compareAndSet(State.AWAITED, State.ENDED);
    }

    /** Any thread. Returns false if the response had ended: the connection may serve the next request, and must not be reset. */
    boolean giveUp() {
        return state.compareAndSet(State.AWAITED, State.GIVEN_UP);
    }

    @Override
    public void pause() {
        connection.pause(this);
    }

    @Override
    public void resume() {
        if (state.get() == State.AWAITED) {
            connection.resume(this);
        }
    }

    @Override
    public void abort() {
        if (state.get() == State.AWAITED) {
            connection.abort(this);
        }
    }

    /** Remaining time in ns; 0 or negative: it is over. {@link Long#MAX_VALUE}: there is no limit. */
    long leftNs() {
        return timeoutNs == 0 ? Long.MAX_VALUE : startNs + timeoutNs - System.nanoTime();
    }
}
