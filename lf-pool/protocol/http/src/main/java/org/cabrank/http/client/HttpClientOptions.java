package org.cabrank.http.client;

import java.time.Duration;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.stream.StreamTimeouts;

/**
 * Limits of a client.
 *
 * @param connectionsMax connections to one server (scheme, host and port), from 1
 * @param waitingMax requests to one server that wait for a connection, from 0; a further one fails with a
 *     {@link java.util.concurrent.RejectedExecutionException}
 * @param timeout from the beginning of a request, with its wait for a connection, to the end of its response; then the request
 *     fails with a {@link java.util.concurrent.TimeoutException}. A request that waits for a connection fails when its turn has come
 * @param idle time after which a connection without a request is closed; shorter than that of servers
 * @param limits of responses
 */
public record HttpClientOptions(
        int connectionsMax, int waitingMax, Duration timeout, Duration idle, HttpLimits limits) {
    /** 16 connections, 1,024 waiting requests, 30 s for a response, 15 s of idling, 16 MiB for a body. */
    public static final HttpClientOptions DEFAULT = new HttpClientOptions(
            16, 1_024, Duration.ofSeconds(30), Duration.ofSeconds(15), HttpLimits.DEFAULT.withBodyBytes(16 << 20));

    public HttpClientOptions {
        if (connectionsMax < 1 || waitingMax < 0) {
            throw new IllegalArgumentException("connectionsMax must be at least 1 and waitingMax at least 0, but are "
                    + connectionsMax + " and " + waitingMax);
        }
        StreamTimeouts.nanos(timeout, "response");
        StreamTimeouts.nanos(idle, "idle");
    }

    public HttpClientOptions withConnectionsMax(int changed) {
        return new HttpClientOptions(changed, waitingMax, timeout, idle, limits);
    }

    public HttpClientOptions withWaitingMax(int changed) {
        return new HttpClientOptions(connectionsMax, changed, timeout, idle, limits);
    }

    public HttpClientOptions withTimeout(Duration changed) {
        return new HttpClientOptions(connectionsMax, waitingMax, changed, idle, limits);
    }

    public HttpClientOptions withIdle(Duration changed) {
        return new HttpClientOptions(connectionsMax, waitingMax, timeout, changed, limits);
    }

    public HttpClientOptions withLimits(HttpLimits changed) {
        return new HttpClientOptions(connectionsMax, waitingMax, timeout, idle, changed);
    }
}
