package org.cabrank.http.client;

import java.util.concurrent.CompletableFuture;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/**
 * Makes the connections of a client, for HTTPS or through something else than TCP:
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
     * Connects. Called by any thread, pool threads included: must not block.
     *
     * @param host as the URI has it; an IPv6 address in brackets
     * @param handler for the connection
     */
    CompletableFuture<? extends Connection> connect(String host, int port, ConnectionHandler handler);
}
