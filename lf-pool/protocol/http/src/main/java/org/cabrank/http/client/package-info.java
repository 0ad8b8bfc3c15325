/**
 * HTTP/1.1 clients on stream connections: for health checks, proxies, load, and handlers that call another service.
 *
 * <p>The package documentation of {@link org.cabrank.http} has a handler that waits for a response. For HTTPS the client is given a way
 * to connect:
 *
 * <pre>{@code
 * return Http.client(reactor)
 *         .withSecure((host, port, handler) -> Tls.client(context, host, port)
 *                 .applicationProtocols("http/1.1")
 *                 .build()
 *                 .connect(reactor, new InetSocketAddress(host, port), ConnectOptions.DEFAULT, handler));
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.http.client;
