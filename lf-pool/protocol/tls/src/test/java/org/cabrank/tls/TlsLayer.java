package org.cabrank.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.contract.StreamLayer;

/** TLS between the handlers of a contract and its clients, which are sockets of the JDK. */
final class TlsLayer implements StreamLayer {
    private static final SelfSigned CERTIFICATE = TestTls.certificate("localhost", "127.0.0.1");

    private final Tls server;
    private final SSLContext ofClients;

    TlsLayer() throws GeneralSecurityException {
        this("TLSv1.3", "TLSv1.2");
    }

    TlsLayer(String... versions) throws GeneralSecurityException {
        server = Tls.server(CERTIFICATE.context()).protocols(versions).build();
        ofClients = SelfSigned.trusting(CERTIFICATE.certificate());
    }

    /** Returns TLS for connections of a reactor to a server of this layer. */
    static Tls client() throws GeneralSecurityException {
        return Tls.client(SelfSigned.trusting(CERTIFICATE.certificate()), "localhost", 443)
                .build();
    }

    @Override
    public Supplier<ConnectionHandler> handlers(Supplier<ConnectionHandler> handlers) {
        return server.handlers(handlers);
    }

    @Override
    public Wire client(SocketChannel connected) throws IOException {
        SSLSocket socket =
                (SSLSocket) ofClients.getSocketFactory().createSocket(connected.socket(), "localhost", 443, true);
        socket.startHandshake();
        return new Wire() {
            private final byte[] bytes = new byte[16 << 10];

            @Override
            public int read(ByteBuffer to) throws IOException {
                int count = socket.getInputStream().read(bytes, 0, Math.min(bytes.length, to.remaining()));
                if (count > 0) {
                    to.put(bytes, 0, count);
                }
                return count;
            }

            @Override
            public void write(ByteBuffer from) throws IOException {
                socket.getOutputStream().write(from.array(), from.position(), from.remaining());
                from.position(from.limit());
            }

            @Override
            public void endOutput() throws IOException {
                socket.shutdownOutput();
            }

            @Override
            public void close() throws IOException {
                socket.close();
            }
        };
    }
}
