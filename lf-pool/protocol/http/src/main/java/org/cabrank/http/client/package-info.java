/**
 * HTTP/1.1 clients on stream connections, for health checks, proxies, load tests, and handlers that call another service.
 *
 * <p>The package documentation of {@link org.cabrank.http} has a handler that waits for a response. For HTTPS the client needs a connector:
 *
 * <pre>{@code
 * return Http.client(reactor)
 *         .withSecure((host, port, handler) -> Tls.client(context, host, port)
 *                 .applicationProtocols("http/1.1")
 *                 .build()
 *                 .connect(reactor, new InetSocketAddress(host, port), ConnectOptions.DEFAULT, handler));
 * }</pre>
 *
 * <p>A body is sent in pieces, as fast as the server reads:
 *
 * <pre>{@code
 * return HttpCall.of("POST", uri)
 *         .withBody(HttpCall.UNKNOWN_LENGTH, transfer -> new Object() {
 *             private int written;
 *
 *             void write() {
 *                 while (written < lines && transfer.isWritable()) {
 *                     transfer.write(ByteBuffer.wrap((written++ + "\n").getBytes()));
 *                 }
 *                 if (written < lines) {
 *                     transfer.whenWritable(this::write); // the server does not read as fast
 *                 } else {
 *                     transfer.end();
 *                 }
 *             }
 *         }.write());
 * }</pre>
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.http.client;
