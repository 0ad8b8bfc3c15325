package org.cabrank.systemd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.observe.Liveness;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class WatchdogFeedTest {
    private static final Duration INTERVAL = Duration.ofSeconds(8);
    private static final Liveness UNWATCHED = new Liveness(List.of(new Liveness.Problem(
            "pool", Liveness.Kind.UNWATCHED_SET, 0, Duration.ofSeconds(5), "no thread waits for events of set 0")));

    @TempDir
    private Path directory;

    @Test
    void feedIsWithheldWhileAShardIsNotServed() throws IOException {
        try (NotifySocket manager = NotifySocket.in(directory)) {
            Liveness[] found = {Liveness.LIVE};
            Duration[] limit = new Duration[1];
            WatchdogFeed feed = new WatchdogFeed(
                    ServiceNotifier.to(manager.target()),
                    INTERVAL,
                    asked -> {
                        limit[0] = asked;
                        return found[0];
                    },
                    () -> "serving");
            assertEquals(Duration.ofSeconds(2), feed.period());
            assertTrue(feed.check());
            assertEquals(Duration.ofSeconds(4), limit[0]);
            assertEquals("WATCHDOG=1", manager.next());
            found[0] = UNWATCHED;
            assertFalse(feed.check());
            assertFalse(feed.check());
            assertEquals("STATUS=not served: pool pool: no thread waits for events of set 0", manager.next());
            assertNull(manager.nextOrNull());
            found[0] = Liveness.LIVE;
            assertTrue(feed.check());
            assertEquals("STATUS=serving", manager.next());
            assertEquals("WATCHDOG=1", manager.next());
            assertTrue(feed.check());
            assertEquals("WATCHDOG=1", manager.next());
            assertNull(manager.nextOrNull());
        }
    }

    /** The only thread of a reactor stands in a handler: systemd learns that nobody leads, and of the end of that. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void reactorWhoseLeaderIsStuckIsNotFed(String backend) throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (NotifySocket manager = NotifySocket.in(directory);
                StreamServer server = StreamServer.builder()
                        .backend(Backend.named(backend))
                        .threadsPerShard(1)
                        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .handler(() -> (connection, data) -> {
                            entered.countDown();
                            release.await();
                        })
                        .start()) {
            Systemd systemd = Systemd.of(Map.of("NOTIFY_SOCKET", manager.target(), "WATCHDOG_USEC", "200000"), 1);
            Supervision supervision = systemd.supervise(server.reactor(), "serving");
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                assertEquals("READY=1\nSTATUS=serving", manager.next());
                assertEquals("WATCHDOG=1", manager.next());
                client.getOutputStream().write(1);
                assertTrue(entered.await(120, TimeUnit.SECONDS));
                String status = nextBut(manager, "WATCHDOG=1");
                assertTrue(status.startsWith("STATUS=not served: pool "), status);
                release.countDown();
                assertEquals("STATUS=serving", manager.next());
                assertEquals("WATCHDOG=1", manager.next());
            } finally {
                supervision.close();
            }
        } finally {
            release.countDown();
        }
    }

    private static String nextBut(NotifySocket manager, String skipped) throws IOException {
        String next = manager.next();
        while (next.equals(skipped)) {
            next = manager.next();
        }
        return next;
    }
}
