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
     * Connects. Called by any thread, pool threads included: must not block. The client cancels the future when the request for the
     * connection has failed, because of its time-out for instance. The connector should end the attempt then; a connection that is opened
     * later is reset.
     *
     * @param host as in the URI; an IPv6 address in brackets
     */
    CompletableFuture<? extends Connection> connect(String host, int port, ConnectionHandler handler);
}
