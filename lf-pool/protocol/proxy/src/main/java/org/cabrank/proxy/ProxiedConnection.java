package org.cabrank.proxy;

import java.net.SocketAddress;
import java.util.Optional;
import org.cabrank.stream.Connection;

/**
 * A connection that a proxy has made for a client. {@link #remoteAddress} is the client's; everything else, including {@link
 * #localAddress}, belongs to the connection with the proxy. Handlers that {@link ProxyProtocol#handlers} decorates get such a connection in
 * every callback and continuation:
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
    /** The client's address: the source of the header; the peer's address without a header or a source (LOCAL, UNKNOWN). */
    @Override
    SocketAddress remoteAddress();

    /** The address of the peer: the proxy, or the client if there is no header. */
    SocketAddress proxyAddress();

    /** The header; empty if the connection is served without a header. */
    Optional<ProxyHeader> header();
}
