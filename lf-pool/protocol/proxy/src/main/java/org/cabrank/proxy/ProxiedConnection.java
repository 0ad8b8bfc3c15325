package org.cabrank.proxy;

import java.net.SocketAddress;
import java.util.Optional;
import org.cabrank.stream.Connection;

/**
 * A connection that a proxy has made for a client. {@link #remoteAddress} is the address of the client. All other methods, such as {@link
 * #localAddress}, describe the connection with the proxy. A handler that {@link ProxyProtocol#handlers} decorates gets such a connection
 * in every callback and continuation:
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
    /** Returns the source in the header. If there is no header or no source (LOCAL, UNKNOWN), returns the peer's address. */
    @Override
    SocketAddress remoteAddress();

    /** Returns the address of the peer, which is the proxy. If there is no header, the peer may be the client. */
    SocketAddress proxyAddress();

    /** Returns the header. Empty if the connection is served without a header. */
    Optional<ProxyHeader> header();
}
