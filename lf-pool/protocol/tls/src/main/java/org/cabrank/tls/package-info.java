/**
 * TLS for stream connections. A {@link org.cabrank.tls.Tls} wraps the handlers of a server or a client. The handlers receive and write
 * plaintext. Everything else works as without TLS.
 *
 * <pre>{@code
 * Tls tls = Tls.server(sslContext).build();
 * StreamServer server = StreamServer.builder()
 *         .listen("127.0.0.1", 7000)
 *         .handler(tls.handlers(() -> (connection, data) -> connection.write(data)))
 *         .start();
 * }</pre>
 *
 * <p>{@link org.cabrank.stream.ConnectionHandler#opened} is called when the handshake has succeeded, with a
 * {@link org.cabrank.tls.TlsConnection}. If a handshake fails or takes too long, the connection is closed and counted
 * ({@link org.cabrank.tls.Tls#counters}), and the handler is not called. The public-key operations of a handshake run after the thread has
 * promoted a new leader, or on an executor, so established connections do not wait for them.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.tls;
