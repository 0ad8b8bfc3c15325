package org.cabrank.http.client;

import java.util.concurrent.CompletableFuture;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/**
 * Makes the connections of a client, for HTTPS or over another transport than TCP:
 *
 * <pre>{@code
 * (host, port, handler) -> Tls.client(context, host, port)
 *         .build()
 *         .connect(reactor, new InetSocketAddress(host, port), ConnectOptions.DEFAULT, handler)
 * }</pre>
 */
@FunctionalInterface
public interface HttpConnector {
    /**
     * Connects without blocking, because pool threads call it, too. The client cancels the future if the request that needs the connection
     * fails, for instance by its time-out. The connector should then end the attempt. A connection that opens later is reset.
     *
     * @param host as in the URI; an IPv6 address in brackets
     */
    CompletableFuture<? extends Connection> connect(String host, int port, ConnectionHandler handler);
}
