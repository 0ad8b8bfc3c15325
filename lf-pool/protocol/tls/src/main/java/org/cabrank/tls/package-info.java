/**
 * TLS for stream connections. A {@link org.cabrank.tls.Tls} decorates the handlers of a server or a client: the bytes that they receive
 * and write are plaintext, and everything else is as without TLS.
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
 * {@link org.cabrank.tls.TlsConnection}. A handshake that fails or takes too long is closed and counted
 * ({@link org.cabrank.tls.Tls#counters}); the handler never learns of it. Public-key operations run after the thread has promoted a new
 * leader, or on an executor, so that established connections do not wait for them: {@link org.cabrank.tls.Tls.Builder#handshakesMax}.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.tls;
