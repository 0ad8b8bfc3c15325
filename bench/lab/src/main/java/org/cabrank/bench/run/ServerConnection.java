package org.cabrank.bench.run;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import org.cabrank.bench.contender.LabTls;

/** Blocking connections of the bench itself to a server. */
final class ServerConnection {

    private ServerConnection() {}

    /** {@code tls} is null if the server does not speak TLS. {@code timeoutMs} limits the connect and each read. */
    static Socket to(InetSocketAddress server, LabTls tls, int timeoutMs) throws IOException {
        Socket socket = new Socket();
        boolean connected = false;
        try {
            socket.connect(server, timeoutMs);
            socket.setSoTimeout(timeoutMs);
            Socket secured = tls == null ? socket : secured(socket, tls);
            connected = true;
            return secured;
        } finally {
            if (!connected) {
                socket.close();
            }
        }
    }

    private static Socket secured(Socket socket, LabTls tls) throws IOException {
        SSLSocket secured = (SSLSocket)
                tls.clientContext().getSocketFactory().createSocket(socket, "localhost", socket.getPort(), true);
        secured.setEnabledProtocols(new String[] {LabTls.VERSION});
        secured.setEnabledCipherSuites(new String[] {LabTls.CIPHER_SUITE});
        secured.startHandshake();
        return secured;
    }
}
