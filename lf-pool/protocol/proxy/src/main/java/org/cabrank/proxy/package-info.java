/**
 * The PROXY protocol, versions 1 and 2. A proxy such as HAProxy or a load balancer sends a header in front of the bytes of its client. A
 * {@link org.cabrank.proxy.ProxyProtocol} decorates handlers: they see the bytes behind the header, and a {@link
 * org.cabrank.proxy.ProxiedConnection} with the client's address as remote address:
 *
 * <pre>{@code
 * ProxyProtocol proxies = ProxyProtocol.builder().trusted("10.0.0.0/8").build();
 * StreamServer server = StreamServer.builder()
 *         .listen("10.0.0.7", 7000)
 *         .handler(proxies.handlers(() -> (connection, data) -> connection.write(data)))
 *         .start();
 * }</pre>
 *
 * <p>Only trusted peers may send a header. A client of such a service makes a {@link org.cabrank.proxy.ProxyHeader}. Once a header has been
 * read, a request costs no allocation and one more method call.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.proxy;
