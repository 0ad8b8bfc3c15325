package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.Waiting;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every byte comes back, in order, whatever the pool: clients of their own threads, chunks of random size. */
@Timeout(300)
class EchoTest {
    private static final int CLIENTS = 8;
    private static final int BYTES = 512 << 10;

    record Mode(int threads, Promotion promotion, Deactivation deactivation, Waiting waiting) {}

    static Stream<Mode> modes() {
        List<Mode> modes = new ArrayList<>();
        for (Deactivation deactivation : Deactivation.values()) {
            modes.add(new Mode(1, Promotion.deferred(), deactivation, Waiting.block()));
            modes.add(new Mode(3, Promotion.eager(), deactivation, Waiting.block()));
            modes.add(new Mode(3, Promotion.deferred(), deactivation, Waiting.block()));
            modes.add(new Mode(3, Promotion.deferred(Duration.ofNanos(10_000)), deactivation, Waiting.block()));
        }
        modes.add(
                new Mode(2, Promotion.deferred(), Deactivation.CLAIM, Waiting.spinThenBlock(Duration.ofNanos(50_000))));
        return modes.stream();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void everyByteComesBack(Mode mode) throws Exception {
        StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", 0)
                .backend(Backend.named("epoll"))
                .threadsPerShard(mode.threads())
                .promotion(mode.promotion())
                .deactivation(mode.deactivation())
                .waiting(mode.waiting())
                .handler(() -> (connection, data) -> connection.write(data))
                .start();
        try (server) {
            ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int seed = i;
                done.add(clients.submit(() -> {
                    exchange(server.port(), seed);
                    return null;
                }));
            }
            for (Future<?> future : done) {
                future.get();
            }
            clients.shutdown();
        }
        assertEquals(CLIENTS, server.reactor().counters().opened());
        assertEquals(CLIENTS, server.reactor().counters().closed());
    }

    private static void exchange(int port, int seed) throws IOException, InterruptedException {
        byte[] sent = new byte[BYTES];
        new Random(seed).nextBytes(sent);
        byte[] received = new byte[BYTES];
        try (Socket socket = new Socket("127.0.0.1", port)) {
            TestThread writer = TestThread.start("writer", () -> writeInChunks(socket, sent, seed));
            new DataInputStream(socket.getInputStream()).readFully(received);
            writer.join();
        }
        assertArrayEquals(sent, received);
    }

    private static void writeInChunks(Socket socket, byte[] bytes, int seed) throws IOException {
        Random random = new Random(~seed);
        OutputStream out = socket.getOutputStream();
        for (int at = 0; at < bytes.length; ) {
            int count = Math.min(bytes.length - at, 1 + random.nextInt(random.nextInt(20) == 0 ? 200_000 : 2_000));
            out.write(bytes, at, count);
            at += count;
        }
    }
}
