package org.cabrank.tls;

import javax.net.ssl.SSLSession;
import org.cabrank.stream.Connection;

/**
 * A connection over TLS, after its handshake. Its bytes are plaintext; the limits of the reactor apply to the encrypted bytes.
 *
 * <ul>
 *   <li>{@link #close} and {@link #shutdownOutput} send a close_notify behind what was written. Until TLS 1.2 the peer's close_notify
 *       ends both directions, as the protocol demands: later writes are dropped, and {@link #whenWritten} reports that. To let the answer
 *       to earlier bytes be sent, the peer's close_notify waits while a callback waits for a reply, work is {@linkplain #offload offloaded},
 *       reading is {@linkplain #pauseReading paused}, output waits for the socket, or no thread waits for input of a blocking view. A service
 *       that answers from other threads pauses reading until they have written.
 *   <li>The peer's close_notify is reported by {@link org.cabrank.stream.ConnectionHandler#inputClosed}. A peer that ends the connection
 *       without one may have been cut off: {@link org.cabrank.stream.ConnectionHandler#closed} gets an {@link javax.net.ssl.SSLException}
 *       with that reason, and {@code inputClosed} is not called.
 *   <li>{@link #queuedBytes} counts encrypted bytes, and plaintext that is not encrypted yet.
 * </ul>
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface TlsConnection extends Connection {
    /** With protocol, cipher suite and the peer's certificates. Any thread. */
    SSLSession session();

    /** The protocol that was agreed on by ALPN, such as {@code h2}; empty: none. Any thread. */
    String applicationProtocol();

    /** The host name that the client has asked for (SNI), in lower case; null: none. Any thread. */
    String serverName();
}
