package org.cabrank.http.client;

import java.time.Duration;
import java.util.Objects;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.stream.StreamTimeouts;

/**
 * Limits of a client.
 *
 * @param serversMax largest number of servers (scheme, host and port) with idle connections, at least 1. If a request goes to one more
 *     server, the client closes the connections to the least recently used server that has no request under way
 * @param connectionsMax largest number of connections to one server, at least 1
 * @param waitingMax largest number of requests to one server that wait for a connection, at least 0. A further request is rejected
 * @param timeout time from sending a request to the end of its response, including the wait for a connection and the attempt to connect
 * @param idle time after which a connection without a request is closed. It should be shorter than the idle time of servers
 * @param limits of responses
 */
public record HttpClientOptions(
        int serversMax, int connectionsMax, int waitingMax, Duration timeout, Duration idle, HttpLimits limits) {
    /** The default: 256 servers, 16 connections, 1,024 waiting requests, 30 s for a response, 15 s of idling, 16 MiB for a body. */
    public static final HttpClientOptions DEFAULT = new HttpClientOptions(
            256, 16, 1_024, Duration.ofSeconds(30), Duration.ofSeconds(15), HttpLimits.DEFAULT.withBodyBytes(16 << 20));

    public HttpClientOptions {
        if (serversMax < 1 || connectionsMax < 1 || waitingMax < 0) {
            throw new IllegalArgumentException(
                    "serversMax and connectionsMax must be at least 1 and waitingMax at least 0, but are " + serversMax
                            + ", " + connectionsMax + " and " + waitingMax);
        }
        Objects.requireNonNull(limits, "limits");
        StreamTimeouts.nanos(timeout, "response");
        StreamTimeouts.nanos(idle, "idle");
    }

    public HttpClientOptions withServersMax(int changed) {
        return new HttpClientOptions(changed, connectionsMax, waitingMax, timeout, idle, limits);
    }

    public HttpClientOptions withConnectionsMax(int changed) {
        return new HttpClientOptions(serversMax, changed, waitingMax, timeout, idle, limits);
    }

    public HttpClientOptions withWaitingMax(int changed) {
        return new HttpClientOptions(serversMax, connectionsMax, changed, timeout, idle, limits);
    }

    public HttpClientOptions withTimeout(Duration changed) {
        return new HttpClientOptions(serversMax, connectionsMax, waitingMax, changed, idle, limits);
    }

    public HttpClientOptions withIdle(Duration changed) {
        return new HttpClientOptions(serversMax, connectionsMax, waitingMax, timeout, changed, limits);
    }

    public HttpClientOptions withLimits(HttpLimits changed) {
        return new HttpClientOptions(serversMax, connectionsMax, waitingMax, timeout, idle, changed);
    }
}
