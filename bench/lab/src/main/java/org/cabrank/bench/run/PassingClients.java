package org.cabrank.bench.run;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.contender.LabTls;

/** Clients of an HTTP server that come together, ask once, and break off while the rest of the answer is on its way. */
final class PassingClients {

    private static final int TIMEOUT_MS = 30_000;

    private PassingClients() {}

    /**
     * Returns when {@code count} have gone.
     *
     * @param tls null: plain text
     */
    static void pass(InetSocketAddress server, LabTls tls, int count) throws IOException {
        byte[] request = PlaintextProbe.request(server);
        List<Socket> sockets = new ArrayList<>(count);
        try {
            for (int i = 0; i < count; i++) {
                Socket socket = ServerConnection.to(server, tls, TIMEOUT_MS);
                sockets.add(socket);
                socket.setSoLinger(true, 0); // closing is a reset
                socket.getOutputStream().write(request);
            }
            for (Socket socket : sockets) {
                if (socket.getInputStream().read() < 0) {
                    throw new EOFException("closed instead of answered");
                }
            }
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
