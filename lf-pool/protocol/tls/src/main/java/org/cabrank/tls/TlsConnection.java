package org.cabrank.tls;

import javax.net.ssl.SSLSession;
import org.cabrank.stream.Connection;

/**
 * A connection over TLS, after its handshake. The service reads and writes plaintext. The limits of the reactor apply to the encrypted
 * bytes.
 *
 * <ul>
 *   <li>{@link #close} and {@link #shutdownOutput} send a close_notify after the written bytes.
 *   <li>Up to TLS 1.2 the peer's close_notify ends both directions. Later writes are dropped, and {@link #whenWritten} reports the loss. So
 *       the close_notify is held back while a callback waits for a reply, work is {@linkplain #offload offloaded}, reading is
 *       {@linkplain #pauseReading paused}, output waits for the socket, or no thread waits for input of a blocking view. If other threads
 *       of a service write the answers, the service should pause reading until they have written.
 *   <li>The peer's close_notify is reported by {@link org.cabrank.stream.ConnectionHandler#inputClosed}. If the connection ends without a
 *       close_notify, bytes may be missing. Then {@code inputClosed} is not called, and
 *       {@link org.cabrank.stream.ConnectionHandler#closed} gets an {@link javax.net.ssl.SSLException}.
 *   <li>{@link #queuedBytes} counts encrypted bytes, and plaintext that is not encrypted yet.
 * </ul>
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface TlsConnection extends Connection {
    /** Returns the session, which has the protocol, the cipher suite and the peer's certificates. Any thread may call it. */
    SSLSession session();

    /** Returns the protocol agreed on by ALPN, such as {@code h2}. Returns an empty text if there is none. Any thread may call it. */
    String applicationProtocol();

    /** Returns the requested host name (SNI) in lower case, or null. Needs {@link Tls.Builder#contextByName}. Any thread may call it. */
    String serverName();
}
