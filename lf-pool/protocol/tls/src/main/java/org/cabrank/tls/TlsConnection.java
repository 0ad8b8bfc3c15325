package org.cabrank.tls;

import javax.net.ssl.SSLSession;
import org.cabrank.stream.Connection;

/**
 * A connection over TLS, after its handshake. Its bytes are plaintext; the limits of the reactor apply to the encrypted bytes.
 *
 * <ul>
 *   <li>{@link #close} and {@link #shutdownOutput} send a close_notify after the written bytes. Up to TLS 1.2 the peer's close_notify ends
 *       both directions, as the protocol demands: later writes are dropped, which {@link #whenWritten} reports. So that answers to earlier
 *       bytes are still sent, the peer's close_notify is held back while a callback waits for a reply, work is {@linkplain #offload
 *       offloaded}, reading is {@linkplain #pauseReading paused}, output waits for the socket, or no thread waits for input of a blocking
 *       view. A service whose other threads answer should pause reading until they have written.
 *   <li>The peer's close_notify is reported by {@link org.cabrank.stream.ConnectionHandler#inputClosed}. If the connection ends without a
 *       close_notify, bytes may be missing: {@link org.cabrank.stream.ConnectionHandler#closed} gets an {@link javax.net.ssl.SSLException},
 *       and {@code inputClosed} is not called.
 *   <li>{@link #queuedBytes} counts encrypted bytes, and plaintext that is not encrypted yet.
 * </ul>
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface TlsConnection extends Connection {
    /** The session, with protocol, cipher suite and the peer's certificates. Any thread. */
    SSLSession session();

    /** The protocol that was agreed on by ALPN, such as {@code h2}; empty without a protocol. Any thread. */
    String applicationProtocol();

    /** The host name that the client has asked for (SNI), in lower case; null without a name. Any thread. */
    String serverName();
}
