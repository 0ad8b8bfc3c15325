package org.cabrank.http.client;

import java.time.Duration;

/** A request of a client until its response is complete. */
final class PendingCall implements HttpTransfer {
    final HttpCall call;
    final HttpResponseHandler handler;
    private final long startNs = System.nanoTime();
    private final long timeoutNs;

    /** The connection that has the request; null: it waits for one. Set before the handler is called. */
    private volatile ClientConnection connection;

    /** The request was sent on a connection that had been closed by the server, and is sent once more. */
    boolean repeated;

    PendingCall(HttpCall call, HttpResponseHandler handler, Duration timeoutOfClient) {
        this.call = call;
        this.handler = handler;
        timeoutNs = (call.timeout() == null ? timeoutOfClient : call.timeout()).toNanos();
    }

    void startsOn(ClientConnection chosen) {
        connection = chosen;
    }

    @Override
    public void pause() {
        connection.pause(this);
    }

    @Override
    public void resume() {
        connection.resume(this);
    }

    @Override
    public void abort() {
        connection.abort(this);
    }

    /** Remaining time in ns; 0 or negative: it is over. {@link Long#MAX_VALUE}: there is no limit. */
    long leftNs() {
        return timeoutNs == 0 ? Long.MAX_VALUE : startNs + timeoutNs - System.nanoTime();
    }
}
