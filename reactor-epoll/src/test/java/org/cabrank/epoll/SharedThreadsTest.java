package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.cabrank.lf.Promotion;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Backend;
import org.cabrank.stream.Connection;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.ThreadPlacement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One pool for all shards of a reactor. */
@Timeout(300)
class SharedThreadsTest {
    private static final int SHARDS = 2;
    private static final int THREADS = 4;
    private static final byte BLOCK = 'b';
    private static final byte ECHO = 'e';

    private final CountDownLatch blocked = new CountDownLatch(THREADS - SHARDS);
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<Integer> placedShards = Collections.synchronizedList(new ArrayList<>());

    private StreamServer start(Promotion promotion) throws IOException {
        return StreamServer.builder()
                .listen("127.0.0.1", 0)
                .backend(Backend.named("epoll"))
                .shards(SHARDS)
                .sharedThreads(THREADS)
                .accept(AcceptMode.REUSEPORT)
                .promotion(promotion)
                .placement((shard, thread) -> placedShards.add(shard))
                .handler(() -> this::answer)
                .start();
    }

    private void answer(Connection connection, ByteBuffer data) throws InterruptedException {
        if (data.get(data.position()) == BLOCK) {
            blocked.countDown();
            release.await();
        }
        connection.write(data);
    }

    /** As many as there are threads beyond one for each shard: every shard keeps a leader, wherever the slow ones are. */
    @ParameterizedTest
    @ValueSource(strings = {"eager", "deferred"})
    void slowHandlersLeaveEveryShardALeader(String promotion) throws Exception {
        try (StreamServer server =
                start("eager".equals(promotion) ? Promotion.eager() : Promotion.deferred(Duration.ofNanos(100_000)))) {
            assertEquals(1, server.reactor().pools().size());
            List<Socket> slow = new ArrayList<>();
            for (int i = 0; i < THREADS - SHARDS; i++) {
                Socket socket = new Socket("127.0.0.1", server.port());
                socket.getOutputStream().write(BLOCK);
                slow.add(socket);
            }
            blocked.await();
            for (int i = 0; i < 16; i++) { // the kernel spreads them over the shards by their ports
                try (Socket socket = new Socket("127.0.0.1", server.port())) {
                    socket.getOutputStream().write(ECHO);
                    assertEquals(ECHO, socket.getInputStream().read());
                }
            }
            release.countDown();
            for (Socket socket : slow) {
                assertEquals(BLOCK, socket.getInputStream().read());
                socket.close();
            }
        }
        assertEquals(
                List.of(ThreadPlacement.ALL_SHARDS),
                placedShards.stream().distinct().toList());
        assertEquals(THREADS, placedShards.size());
    }

    @Test
    void fewerThreadsThanShardsAreRefused() {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> StreamServer.builder()
                        .listen("127.0.0.1", 0)
                        .shards(3)
                        .sharedThreads(2)
                        .handler(() -> (connection, data) -> connection.write(data))
                        .start());
        assertTrue(refused.getMessage().contains("3 shards must be at least as many"), refused.getMessage());
    }
}
