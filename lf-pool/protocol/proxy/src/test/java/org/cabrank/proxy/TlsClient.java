package org.cabrank.proxy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import javax.net.ssl.SSLSocket;
import org.cabrank.tls.SelfSigned;

/** A client of TLS, by the JDK. */
final class TlsClient implements AutoCloseable {
    /** The certificate of servers. */
    static final SelfSigned CERTIFICATE = certificate();

    private static final int ANSWER_MAX_MS = 120_000;

    private final SSLSocket socket;

    private TlsClient(SSLSocket socket) {
        this.socket = socket;
    }

    private static SelfSigned certificate() {
        try {
            Instant now = Instant.now();
            return SelfSigned.of(now.minusSeconds(3600), now.plusSeconds(3600), "localhost");
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Makes the handshake over a connected socket. */
    static TlsClient over(Socket connected) throws Exception {
        connected.setSoTimeout(ANSWER_MAX_MS);
        SSLSocket socket = (SSLSocket) SelfSigned.trusting(CERTIFICATE.certificate())
                .getSocketFactory()
                .createSocket(connected, "localhost", 443, true);
        socket.startHandshake();
        return new TlsClient(socket);
    }

    /** Connects, and sends {@code first} in one segment with the first message of the handshake. */
    static TlsClient behind(ByteBuffer first, int port) throws Exception {
        Socket prefixing = new PrefixingSocket(first);
        prefixing.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return over(prefixing);
    }

    TlsClient send(ByteBuffer bytes) throws IOException {
        byte[] array = new byte[bytes.remaining()];
        bytes.get(array);
        socket.getOutputStream().write(array);
        return this;
    }

    TlsClient send(String text) throws IOException {
        return send(StandardCharsets.US_ASCII.encode(text));
    }

    String receive(int count) throws IOException {
        return new String(socket.getInputStream().readNBytes(count), StandardCharsets.US_ASCII);
    }

    /** Returns what comes until the server's close_notify. */
    String receiveToEnd() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    /** Sends a close_notify. */
    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** Sends bytes before all other bytes, in one call with the first of them. */
    private static final class PrefixingSocket extends Socket {
        private final ByteBuffer first;

        PrefixingSocket(ByteBuffer first) {
            this.first = first;
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            OutputStream out = super.getOutputStream();
            return new OutputStream() {
                @Override
                public void write(int one) throws IOException {
                    write(new byte[] {(byte) one}, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int from, int count) throws IOException {
                    byte[] all = new byte[first.remaining() + count];
                    int prefix = first.remaining();
                    first.get(all, 0, prefix);
                    System.arraycopy(bytes, from, all, prefix, count);
                    out.write(all);
                }
            };
        }
    }
}
