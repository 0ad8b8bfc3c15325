/**
 * The PROXY protocol, versions 1 and 2. A proxy such as HAProxy or a load balancer sends a header in front of the bytes of its client. A
 * {@link org.cabrank.proxy.ProxyProtocol} decorates handlers. A decorated handler gets only the bytes behind the header, and a {@link
 * org.cabrank.proxy.ProxiedConnection} that has the client's address as remote address:
 *
 * <pre>{@code
 * ProxyProtocol proxies = ProxyProtocol.builder().trusted("10.0.0.0/8").build();
 * StreamServer server = StreamServer.builder()
 *         .listen("10.0.0.7", 7000)
 *         .handler(proxies.handlers(() -> (connection, data) -> connection.write(data)))
 *         .start();
 * }</pre>
 *
 * <p>Only trusted peers may send a header. A program that connects to such a service can write a {@link org.cabrank.proxy.ProxyHeader}.
 * After the header, the decoration costs one method call in each callback and no allocation.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.proxy;
