package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Once
@Timeout(300)
final class PassingClientsTest {

    private static final int CLIENTS = 5;

    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void theyComeTogetherAskOnceAndGo() throws Exception {
        FutureTask<Void> serving = serve(() -> {
            List<Socket> sockets = all();
            for (Socket socket : sockets) {
                assertEquals('G', socket.getInputStream().read());
                socket.getOutputStream().write(new byte[] {'H', 'T'});
            }
            for (Socket socket : sockets) {
                assertThrows(IOException.class, () -> awaitEnd(socket), "broken off");
                socket.close();
            }
            return null;
        });
        PassingClients.pass(address(), null, CLIENTS);
        serving.get();
    }

    private static void awaitEnd(Socket socket) throws IOException {
        while (socket.getInputStream().read() >= 0) {
            assertTrue(socket.isConnected());
        }
    }

    @Test
    void whoIsNotAnsweredSaysSo() throws Exception {
        FutureTask<Void> serving = serve(() -> {
            for (Socket socket : all()) {
                socket.shutdownOutput();
            }
            return null;
        });
        assertThrows(EOFException.class, () -> PassingClients.pass(address(), null, CLIENTS));
        serving.get();
    }

    private InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    private List<Socket> all() throws IOException {
        List<Socket> sockets = new ArrayList<>();
        while (sockets.size() < CLIENTS) {
            sockets.add(server.accept());
        }
        return sockets;
    }

    private static FutureTask<Void> serve(Callable<Void> how) {
        FutureTask<Void> serving = new FutureTask<>(how);
        new Thread(serving, "server").start();
        return serving;
    }
}
