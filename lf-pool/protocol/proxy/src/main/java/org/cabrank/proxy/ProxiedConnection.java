package org.cabrank.proxy;

import java.net.SocketAddress;
import java.util.Optional;
import org.cabrank.stream.Connection;

/**
 * A connection that a proxy has made for a client. {@link #remoteAddress} answers the address of the client; everything else is that of
 * the connection with the proxy, {@link #localAddress} included. A handler that is decorated by {@link ProxyProtocol#handlers} gets such
 * a connection in each callback and in each continuation:
 *
 * <pre>{@code
 * public void opened(Connection connection) {
 *     if (connection instanceof ProxiedConnection proxied) {
 *         log(proxied.remoteAddress() + " by " + proxied.proxyAddress());
 *     }
 * }
 * }</pre>
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface ProxiedConnection extends Connection {
    /**
     * The address of the client: the source address of the header. If there is no header, or if it has no address (a LOCAL or an
     * UNKNOWN header), the peer's address.
     */
    @Override
    SocketAddress remoteAddress();

    /** The address of the peer of this connection: the proxy, or the client where there is no header. */
    SocketAddress proxyAddress();

    /** The header; empty if the connection is served without one. */
    Optional<ProxyHeader> header();
}
