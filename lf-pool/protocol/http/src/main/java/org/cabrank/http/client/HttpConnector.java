package org.cabrank.http.client;

import java.util.concurrent.CompletableFuture;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/** Makes the connections of a client. Needed for HTTPS and for transports other than TCP. The package documentation has an example. */
@FunctionalInterface
public interface HttpConnector {
    /**
     * Connects. Must not block, because pool threads call this method. If the request fails first, for instance by its time-out, the client
     * cancels the future, and resets a connection that opens later. When the future is cancelled, the connector should end the attempt.
     *
     * @param host as in the URI; an IPv6 address is in brackets
     */
    CompletableFuture<? extends Connection> connect(String host, int port, ConnectionHandler handler);
}
