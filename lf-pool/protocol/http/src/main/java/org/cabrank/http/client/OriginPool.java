package org.cabrank.http.client;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * The connections to one server, and the requests that wait for one. Any thread. No method calls others while it holds the monitor.
 */
final class OriginPool {
    private final HttpConnector connector;
    private final String host;
    private final int port;
    private final HttpClientOptions options;

    // With the monitor.

    /** The last used is the first: those that are not needed become idle. */
    private final Deque<ClientConnection> idle = new ArrayDeque<>();

    private final Deque<PendingCall> waiting = new ArrayDeque<>();

    /** Connections, those that are being made included. */
    private int open;

    private boolean closed;

    OriginPool(HttpConnector connector, String host, int port, HttpClientOptions options) {
        this.connector = connector;
        this.host = host;
        this.port = port;
        this.options = options;
    }

    HttpClientOptions options() {
        return options;
    }

    synchronized int connections() {
        return open;
    }

    void submit(PendingCall call) {
        ClientConnection free;
        synchronized (this) {
            free = closed ? null : idle.poll();
            if (free == null && !closed) {
                if (open < options.connectionsMax()) {
                    open++;
                } else if (waiting.size() < options.waitingMax()) {
                    waiting.add(call);
                    return;
                } else {
                    free = ClientConnection.NONE;
                }
            } else if (closed) {
                free = ClientConnection.NONE;
            }
        }
        if (free == ClientConnection.NONE) {
            refuse(call);
        } else if (free != null) {
            free.start(call);
        } else {
            connect(call);
        }
    }

    private void refuse(PendingCall call) {
        boolean ended;
        synchronized (this) {
            ended = closed;
        }
        call.handler.failed(
                ended
                        ? new IOException("the client is closed")
                        : new RejectedExecutionException("too many requests to " + host + ":" + port + " wait: "
                                + options.waitingMax() + " is the limit; raise waitingMax or connectionsMax"));
    }

    private void connect(PendingCall call) {
        if (call.leftNs() <= 0) {
            call.handler.failed(late(call));
            released();
            return;
        }
        ClientConnection made = new ClientConnection(this, call);
        try {
            connector.connect(host, port, made).whenComplete((connection, refused) -> {
                if (refused != null) {
                    made.notConnected(refused);
                }
            });
        } catch (RuntimeException refused) {
            made.notConnected(refused);
        }
    }

    static TimeoutException late(PendingCall call) {
        return new TimeoutException(call.call + " has no response in time");
    }

    /** A connection has answered its request and can have another; false: there is none, and it is kept. */
    PendingCall nextOrKeep(ClientConnection own) {
        synchronized (this) {
            PendingCall next = waiting.poll();
            if (next == null && !closed) {
                idle.push(own);
            }
            return next;
        }
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Takes an idle connection out; false: a request has been given to it in the meantime. */
    synchronized boolean takeOut(ClientConnection own) {
        return idle.remove(own);
    }

    /** A connection is gone: a request that waits gets a new one. */
    void released() {
        PendingCall next;
        synchronized (this) {
            next = waiting.poll();
            if (next == null) {
                open--;
                return;
            }
        }
        connect(next);
    }

    void close() {
        List<ClientConnection> unused;
        List<PendingCall> failed;
        synchronized (this) {
            closed = true;
            unused = new ArrayList<>(idle);
            idle.clear();
            failed = new ArrayList<>(waiting);
            waiting.clear();
        }
        unused.forEach(ClientConnection::close);
        failed.forEach(this::refuse);
    }
}
