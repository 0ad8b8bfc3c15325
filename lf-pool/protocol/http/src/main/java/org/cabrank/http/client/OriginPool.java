package org.cabrank.http.client;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.cabrank.stream.Connection;

/** The connections to one server, and the requests that wait for one. Calls connections and requests only outside of its monitor. */
final class OriginPool {
    private final HttpConnector connector;
    private final String host;
    private final int port;
    final HttpClientOptions options;
    private final Owner owner;

    // Guarded by the monitor:

    /** Idle connections. The most recently used connection is first, so that connections that are not needed reach their idle limit. */
    private final Deque<ClientConnection> idle = new ArrayDeque<>();

    /** Waiting calls in the order of their arrival. A set, because any of them may fail and leave it. */
    private final Set<PendingCall> waiting = new LinkedHashSet<>();

    /** Number of connections, including connections being made. */
    private int open;

    private boolean closed;

    private boolean retired;

    private long usedNs = System.nanoTime();

    /** {@code submitting} takes a request that is sent once more; {@code unused} takes the pool when its last connection is gone. */
    record Owner(Consumer<PendingCall> submitting, Consumer<OriginPool> unused) {}

    OriginPool(HttpConnector connector, String host, int port, HttpClientOptions options, Owner owner) {
        this.connector = connector;
        this.host = host;
        this.port = port;
        this.options = options;
        this.owner = owner;
    }

    synchronized int connections() {
        return open;
    }

    void resubmit(PendingCall call) {
        try {
            owner.submitting().accept(call);
        } catch (Throwable refused) { // even an error, because no other code knows the call
            call.fail(refused);
        }
    }

    /** Sends a call, lets it wait, or refuses it. Returns false, without effect, if the client has forgotten the server. */
    boolean submit(PendingCall call) {
        ClientConnection free;
        do {
            boolean waits = false;
            boolean refused = false;
            synchronized (this) {
                if (retired) {
                    return false;
                }
                usedNs = System.nanoTime();
                free = closed ? null : idle.poll();
                if (closed) {
                    refused = true;
                } else if (free == null && open < options.connectionsMax()) {
                    open++;
                } else if (free == null) {
                    waits = waiting.size() < options.waitingMax();
                    refused = !waits;
                    if (waits) {
                        waiting.add(call);
                    }
                }
            }
            if (refused) {
                refuse(call);
            } else if (waits) {
                call.waitsIn(this);
            } else if (free == null) {
                connect(call);
            }
        } while (free != null && !free.start(call)); // not sent, because that connection is gone
        return true;
    }

    private void refuse(PendingCall call) {
        call.fail(
                isClosed()
                        ? new IOException("the client is closed")
                        : new RejectedExecutionException("too many requests to " + host + ":" + port + " wait: "
                                + options.waitingMax() + " is the limit; raise waitingMax or connectionsMax"));
    }

    /** Connects for a call, or for the next one if the connection is gone at once. Does not recurse, because thousands may fail. */
    private void connect(PendingCall first) {
        for (PendingCall call = first; call != null; call = nextOrLess()) {
            if (call.isWaiting() && attempt(call)) {
                return;
            }
        }
    }

    /** Returns false if the connection is already gone. In this case {@code call} has failed. */
    private boolean attempt(PendingCall call) {
        ClientConnection made = null;
        try {
            made = new ClientConnection(this, call);
            call.waitsIn(this);
            CompletableFuture<? extends Connection> future = connector.connect(host, port, made);
            ClientConnection attempted = made;
            future.whenComplete((connection, refused) -> {
                if (refused != null) {
                    attempted.connectFailed(refused);
                }
            });
            call.connectsBy(future);
        } catch (Throwable refused) { // even an error, because the call must free its place
            if (made == null) {
                call.fail(refused);
                return false;
            }
            made.connectFailed(refused);
        }
        return made.isUsableAfterAttempt();
    }

    /** Returns the next waiting call. If no call waits, returns null, and keeps {@code own} idle unless the pool is closed. */
    PendingCall nextOrKeep(ClientConnection own) {
        synchronized (this) {
            usedNs = System.nanoTime();
            PendingCall next = pollWaiting();
            if (next == null && !closed) {
                idle.push(own);
            }
            return next;
        }
    }

    /** Called under the monitor. */
    private PendingCall pollWaiting() {
        Iterator<PendingCall> calls = waiting.iterator();
        if (!calls.hasNext()) {
            return null;
        }
        PendingCall next = calls.next();
        calls.remove();
        return next;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    synchronized boolean takeOut(ClientConnection own) {
        return idle.remove(own);
    }

    synchronized void forget(PendingCall call) {
        waiting.remove(call);
    }

    void released() {
        connect(nextOrLess());
    }

    /** Returns a waiting call that takes the place of a lost connection. If no call waits, frees the place and returns null. */
    private PendingCall nextOrLess() {
        PendingCall next;
        boolean empty;
        synchronized (this) {
            next = pollWaiting();
            if (next == null) {
                open--;
            }
            empty = open == 0;
        }
        if (empty) {
            owner.unused().accept(this);
        }
        return next;
    }

    synchronized boolean isUnused() {
        return waiting.isEmpty() && open == idle.size();
    }

    boolean usedBefore(OriginPool other) {
        return usedNs() - other.usedNs() < 0;
    }

    private synchronized long usedNs() {
        return usedNs;
    }

    /** Refuses further requests and closes the connections. Returns false, without effect, if a request is under way. */
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
