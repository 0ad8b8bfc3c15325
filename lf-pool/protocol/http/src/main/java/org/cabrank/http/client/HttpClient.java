package org.cabrank.http.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.lf.Reply;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;

/**
 * An HTTP/1.1 client on the threads of a reactor, which a server may use as well. Keeps connections to servers, and uses each connection
 * for one request at a time. Remembers up to {@link HttpClientOptions#serversMax} servers that have connections. Thread-safe.
 *
 * <p>If the server closes a kept connection before the first byte of a response, an idempotent request is sent once more, on a new
 * connection (RFC 9112 section 9.3.1). Redirects are not followed.
 */
public final class HttpClient implements AutoCloseable {
    private final HttpConnector plain;
    private final HttpConnector secure;
    private final HttpClientOptions options;

    /** Limits of the connections. Null if a connector makes them, because their limits are then known only when they are opened. */
    private final StreamLimits ofConnections;

    private final Map<String, OriginPool> pools = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private HttpClient(
            HttpConnector plain, HttpConnector secure, HttpClientOptions options, StreamLimits ofConnections) {
        this.plain = plain;
        this.secure = secure;
        this.options = options;
        this.ofConnections = ofConnections;
    }

    /**
     * Returns a client for {@code http}. On pool threads, use only IP addresses or cached names, because {@link InetSocketAddress} may
     * block to resolve a name. The head of a response may have up to 8 KiB, but must be shorter than the unread limit of the reactor.
     */
    public static HttpClient over(StreamReactor reactor) {
        StreamLimits ofReactor = reactor.limits();
        HttpLimits limits = HttpClientOptions.DEFAULT.limits();
        int headBytes = Math.min(limits.headBytes(), ofReactor.unreadLimit() - 1);
        return new HttpClient(
                (host, port, handler) ->
                        reactor.connect(new InetSocketAddress(host, port), ConnectOptions.DEFAULT, handler),
                null,
                HttpClientOptions.DEFAULT.withLimits(limits.withHeadBytes(headBytes)),
                ofReactor);
    }

    /** Returns a client for {@code http} with connections that {@code connector} makes. */
    public static HttpClient over(HttpConnector connector) {
        return new HttpClient(Objects.requireNonNull(connector, "connector"), null, HttpClientOptions.DEFAULT, null);
    }

    /**
     * Returns a client with other limits and its own connections.
     *
     * @throws IllegalArgumentException if {@code headBytes} is not below the unread limit of the reactor. If a connector makes the
     *     connections, requests fail later
     */
    public HttpClient withOptions(HttpClientOptions changed) {
        if (ofConnections != null) {
            changed.limits().requireFit(ofConnections);
        }
        return new HttpClient(plain, secure, Objects.requireNonNull(changed, "changed"), ofConnections);
    }

    /** Returns a client with its own connections. It sends requests for {@code https} on connections that {@code connector} makes. */
    public HttpClient withSecure(HttpConnector connector) {
        return new HttpClient(plain, Objects.requireNonNull(connector, "connector"), options, ofConnections);
    }

    /**
     * Sends a request. If the caller cancels or completes the future, the request is not sent, or its connection is reset.
     *
     * @return future of the whole response, which may have any status. A thread of the reactor completes the future. Any thread may fail it
     *     with an {@link IOException}, a {@link TimeoutException}, or, if too many requests wait, a {@link
     *     java.util.concurrent.RejectedExecutionException}
     */
    public CompletableFuture<HttpResponse> send(HttpCall call) {
        WholeResponse whole = new WholeResponse();
        PendingCall pending = new PendingCall(call, whole, options.timeout());
        CompletableFuture<HttpResponse> future = whole.future();
        future.whenComplete((response, failure) -> pending.cancel());
        send(pending);
        return future;
    }

    /** Sends a request whose response is received in pieces. */
    public void send(HttpCall call, HttpResponseHandler handler) {
        Objects.requireNonNull(handler, "handler");
        send(new PendingCall(call, handler, options.timeout()));
    }

    private void send(PendingCall pending) {
        if (closed) {
            pending.fail(new IOException("the client is closed"));
        } else if (pending.call.isSecure() && secure == null) {
            pending.fail(new IOException(
                    pending.call + " cannot be sent: this client makes no connections with TLS; give it withSecure"));
        } else {
            submit(pending);
        }
    }

    private void submit(PendingCall pending) {
        HttpCall call = pending.call;
        String origin = call.origin();
        OriginPool pool = null;
        boolean added = false;
        boolean taken = false;
        while (!taken) { // repeats if another thread has forgotten the server meanwhile
            pool = pools.get(origin);
            added = pool == null;
            if (added) {
                HttpConnector connector = call.isSecure() ? secure : plain;
                pool = pools.computeIfAbsent(
                        origin,
                        absent -> new OriginPool(
                                connector,
                                call.uri().getHost(),
                                call.port(),
                                options,
                                new OriginPool.Owner(this::submit, unused -> forget(origin, unused))));
            }
            taken = pool.submit(pending);
            if (!taken) {
                pools.remove(origin, pool);
            }
        }
        if (added) {
            forgetLeastUsed();
        }
        if (closed) {
            pool.close();
        }
    }

    private boolean forget(String origin, OriginPool pool) {
        return pool.retire() && pools.remove(origin, pool);
    }

    private void forgetLeastUsed() {
        for (int tooMany = pools.size() - options.serversMax(); tooMany > 0; tooMany--) {
            Map.Entry<String, OriginPool> leastUsed = null;
            for (Map.Entry<String, OriginPool> entry : pools.entrySet()) {
                boolean candidate = entry.getValue().isUnused();
                if (candidate && (leastUsed == null || entry.getValue().usedBefore(leastUsed.getValue()))) {
                    leastUsed = entry;
                }
            }
            if (leastUsed == null) {
                return; // each server has a request under way
            }
            forget(leastUsed.getKey(), leastUsed.getValue());
        }
    }

    /**
     * Sends a request and waits for the response. Call it only in a callback of {@code connection}. During the wait the thread serves the
     * other connections of its shard ({@link Connection#newReply}, nested waits).
     *
     * @param timeout time from this call to the end of the response. After this time the request is cancelled
     * @throws IOException if there is no response
     * @throws TimeoutException if the response has not arrived in time
     */
    public HttpResponse await(Connection connection, HttpCall call, Duration timeout)
            throws IOException, TimeoutException {
        long startNs = System.nanoTime();
        Reply<HttpResponse> reply = connection.newReply();
        CompletableFuture<HttpResponse> sent = send(call);
        sent.whenComplete((response, failure) -> {
            if (failure == null) {
                reply.complete(response);
            } else {
                reply.fail(failure);
            }
        });
        try {
            return reply.await(timeout.minusNanos(System.nanoTime() - startNs));
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof TimeoutException late) {
                throw late;
            }
            throw new IOException(call + " has failed: " + failed.getCause().getMessage(), failed.getCause());
        } finally {
            sent.cancel(false); // the response is not wanted after the time is over or the reactor has ended
        }
    }

    /** Number of connections, including connections being made, but not connections that the client is closing. */
    public int connections() {
        return pools.values().stream().mapToInt(OriginPool::connections).sum();
    }

    /** Number of servers to which there are connections or attempts to connect. */
    public int servers() {
        return pools.size();
    }

    /** Fails waiting requests, and closes idle connections. Any other connection closes when its present response is complete. */
    @Override
    public void close() {
        closed = true;
        pools.values().forEach(OriginPool::close);
    }
}
