package org.cabrank.http.client;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The connections to one server, and the requests that wait for one. Any thread. No method calls others while it holds the monitor.
 */
final class OriginPool {
    private final HttpConnector connector;
    private final String host;
    private final int port;
    private final HttpClientOptions options;
    private final Owner owner;

    // With the monitor.

    /** The last used is the first: those that are not needed become idle. */
    private final Deque<ClientConnection> idle = new ArrayDeque<>();

    private final Deque<PendingCall> waiting = new ArrayDeque<>();

    /** Connections, those that are being made included. */
    private int open;

    private boolean closed;

    /** The client has forgotten the server: requests that come later go to another pool. */
    private boolean retired;

    /** Time at which a request was last given to the pool, or was answered. */
    private long usedNs = System.nanoTime();

    /**
     * The client.
     *
     * @param submitting takes a request that is to be sent once more
     * @param unused takes the pool when its last connection is gone
     */
    record Owner(Consumer<PendingCall> submitting, Consumer<OriginPool> unused) {}

    OriginPool(HttpConnector connector, String host, int port, HttpClientOptions options, Owner owner) {
        this.connector = connector;
        this.host = host;
        this.port = port;
        this.options = options;
        this.owner = owner;
    }

    HttpClientOptions options() {
        return options;
    }

    synchronized int connections() {
        return open;
    }

    /** Sends a request once more. */
    void resubmit(PendingCall call) {
        owner.submitting().accept(call);
    }

    /** Returns false if the client has forgotten the server, and nothing was done. */
    boolean submit(PendingCall call) {
        ClientConnection free;
        synchronized (this) {
            if (retired) {
                return false;
            }
            usedNs = System.nanoTime();
            free = closed ? null : idle.poll();
            if (free == null && !closed) {
                if (open < options.connectionsMax()) {
                    open++;
                } else if (waiting.size() < options.waitingMax()) {
                    waiting.add(call);
                    return true;
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
        return true;
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
            usedNs = System.nanoTime();
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
        boolean empty = false;
        synchronized (this) {
            next = waiting.poll();
            if (next == null) {
                open--;
                empty = open == 0;
            }
        }
        if (next != null) {
            connect(next);
        } else if (empty) {
            owner.unused().accept(this);
        }
    }

    /** Returns true if no request is under way. */
    synchronized boolean isUnused() {
        return waiting.isEmpty() && open == idle.size();
    }

    boolean usedBefore(OriginPool other) {
        return usedNs() - other.usedNs() < 0;
    }

    private synchronized long usedNs() {
        return usedNs;
    }

    /** Takes no further request, and closes the connections, if none is under way. Returns false if one is. */
    boolean retire() {
        List<ClientConnection> kept;
        synchronized (this) {
            if (!isUnused()) {
                return false;
            }
            retired = true;
            kept = new ArrayList<>(idle);
            idle.clear();
        }
        kept.forEach(ClientConnection::close);
        return true;
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
