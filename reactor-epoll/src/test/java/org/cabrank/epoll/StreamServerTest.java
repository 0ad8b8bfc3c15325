package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Options of a server that it hands to its reactor. */
@Timeout(300)
class StreamServerTest {
    private static final Duration SHORT = Duration.ofMillis(10);

    @Test
    void closeReturnsAfterTheHandlerTimeoutThoughAHandlerRuns() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", 0)
                .backend(Backend.named("epoll"))
                .drainTimeout(SHORT)
                .handlerTimeout(SHORT)
                .handler(() -> (connection, data) -> {
                    inside.countDown();
                    leave.await();
                })
                .start();
        try (Socket client = new Socket("127.0.0.1", server.port())) {
            client.getOutputStream().write(1);
            assertTrue(inside.await(120, TimeUnit.SECONDS));
            server.close();
        } finally {
            leave.countDown();
        }
        server.awaitTermination();
    }
}
