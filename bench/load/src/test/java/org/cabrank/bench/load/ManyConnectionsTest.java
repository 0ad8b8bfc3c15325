package org.cabrank.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.fixture.Once;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More connections than come at a time, against a server that the test plays step by step. */
@Once
@Timeout(300)
final class ManyConnectionsTest {

    private static final int CONNECTIONS = RampUp.UNDER_WAY_MAX + RampUp.UNDER_WAY_MAX / 2;
    private static final int SIZE = 16;
    /** Time in ms after which an unexpected connection would have been seen. */
    private static final int NOBODY_COMES_MS = 200;

    private final List<Socket> clients = new ArrayList<>();
    private ServerSocket listener;
    private LoadGenerator generator;

    @BeforeEach
    void listen() throws Exception {
        listener = new ServerSocket(0, CONNECTIONS, InetAddress.getLoopbackAddress());
        generator = LoadGenerator.start(Kernels.system(), settings(TimeUnit.SECONDS.toNanos(30)), () -> {});
    }

    @AfterEach
    void close() throws Exception {
        for (Socket client : clients) {
            client.close();
        }
        listener.close();
        generator.finish();
    }

    @Test
    void othersComeOnlyAsThoseThatCameAreAnswered() throws Exception {
        accept(RampUp.UNDER_WAY_MAX);
        nobodyComes();
        answer(clients.get(0));
        accept(1);
        nobodyComes();
        for (Socket client : clients.subList(1, clients.size())) {
            answer(client);
        }
        accept(CONNECTIONS - clients.size());
    }

    @Test
    void theSecondRequestsWaitUntilAllHaveCome() throws Exception {
        accept(RampUp.UNDER_WAY_MAX);
        for (Socket client : clients) {
            answer(client);
        }
        Socket first = clients.get(0);
        first.setSoTimeout(NOBODY_COMES_MS);
        assertThrows(SocketTimeoutException.class, () -> first.getInputStream().read());
        first.setSoTimeout(0);
        accept(CONNECTIONS - clients.size());
        FutureTask<Void> connected = new FutureTask<>(() -> {
            generator.awaitConnected();
            return null;
        });
        new Thread(connected, "awaits-connected").start();
        for (Socket client : clients.subList(RampUp.UNDER_WAY_MAX, CONNECTIONS)) {
            assertEquals(0, first.getInputStream().available());
            answer(client);
        }
        connected.get();
        answer(first);
    }

    @Test
    void thoseThatTheServerNeverAcceptsAreGivenUp() throws Exception {
        LoadGenerator impatient = LoadGenerator.start(Kernels.system(), settings(1), () -> {});
        impatient.awaitConnected();
        Map<String, Long> errors = impatient.finish().errors();
        int neverBegun = CONNECTIONS - RampUp.UNDER_WAY_MAX;
        assertTrue(errors.getOrDefault("connect: no answer in time", 0L) >= neverBegun, errors.toString());
        assertEquals(
                CONNECTIONS, errors.values().stream().mapToLong(Long::longValue).sum(), errors.toString());
    }

    private LoadSettings settings(long timeoutNs) {
        return new LoadSettings(
                (InetSocketAddress) listener.getLocalSocketAddress(),
                LoadTraffic.pingPong(CONNECTIONS, SIZE),
                1,
                timeoutNs);
    }

    private void accept(int count) throws IOException {
        listener.setSoTimeout(0);
        for (int i = 0; i < count; i++) {
            clients.add(listener.accept());
        }
    }

    private void nobodyComes() throws IOException {
        listener.setSoTimeout(NOBODY_COMES_MS);
        assertThrows(SocketTimeoutException.class, () -> clients.add(listener.accept()));
    }

    private static void answer(Socket client) throws IOException {
        client.getOutputStream().write(client.getInputStream().readNBytes(SIZE));
    }
}
