package org.cabrank.http;

import static org.cabrank.http.Embedded.GET;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Server-sent events: their lines, and clients that do not read. */
@Timeout(300)
class EventStreamTest {
    private static final String EVENT = "x".repeat(8 << 10);

    private EventStream stream;

    static Stream<ServerModes> modes() {
        return ServerModes.all();
    }

    @Test
    void anEventIsItsLines() {
        try (Embedded server = Embedded.open(exchange -> stream = EventStream.begin(exchange))) {
            assertEquals(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
                            + "Transfer-Encoding: chunked\r\n\r\n",
                    server.exchange(GET));
            assertTrue(stream.send("tick", "7", "a\r\nb\rc\n"));
            assertTrue(stream.send("ä"));
            server.client.awaitIdle();
            assertEquals(
                    "32\r\nevent: tick\nid: 7\ndata: a\ndata: b\ndata: c\ndata: \n\n\r\n" + "a\r\ndata: ä\n\n\r\n",
                    server.received());
            assertThrows(IllegalArgumentException.class, () -> stream.send("a\nb", null, ""));
            assertThrows(IllegalArgumentException.class, () -> stream.send(null, "a\0", ""));
            stream.end();
            server.client.awaitIdle();
            assertEquals("0\r\n\r\n", server.received());
            assertFalse(stream.send("late"));
            assertTrue(server.exchange(GET).startsWith("HTTP/1.1 200"));
        }
    }

    @Test
    void aClientThatDoesNotReadMissesEventsAndIsResetInTime() {
        try (Embedded server = Embedded.open(exchange -> stream = EventStream.begin(exchange))) {
            server.exchange(GET);
            server.client.peerTakes(0);
            int sent = 0;
            while (stream.send(EVENT)) {
                sent++;
                server.client.awaitIdle();
            }
            assertTrue(sent >= 32 && sent < 64, sent + " events");
            server.client.awaitIdle();
            server.client.peerTakes(1 << 20);
            server.client.awaitIdle();
            assertTrue(stream.send(EVENT), "the client reads again");
            server.client.awaitIdle();
            server.client.peerTakes(0);
            while (stream.send(EVENT)) {
                server.client.awaitIdle();
            }
            server.client.awaitIdle();
            for (int minute = 0; minute < 3; minute++) { // the client has taken something in the first
                server.advance(Duration.ofMinutes(1));
            }
            assertTrue(server.client.isClosed());
            assertFalse(stream.isOpen());
            assertFalse(stream.send("x"));
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aSlowReaderDoesNotHoldAnotherUp(ServerModes mode) throws Exception {
        CompletableFuture<EventStream> slow = new CompletableFuture<>();
        CompletableFuture<EventStream> fast = new CompletableFuture<>();
        try (StreamServer server = mode.start(
                        exchange -> (exchange.path().is("/slow") ? slow : fast).complete(EventStream.begin(exchange)));
                Socket idle = new Socket(InetAddress.getLoopbackAddress(), server.port());
                Socket reading = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            idle.getOutputStream().write("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            reading.getOutputStream()
                    .write("GET /fast HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            slow.get();
            fast.get();
            Await.until("the slow reader's queue is full", () -> !slow.join().send(EVENT));
            assertTrue(fast.join().send("last"));
            fast.join().end();
            InputStream in = reading.getInputStream();
            StringBuilder received = new StringBuilder();
            while (!received.toString().endsWith("0\r\n\r\n")) {
                received.append((char) in.read());
            }
            assertTrue(received.toString().contains("data: last\n\n"));
            assertTrue(slow.join().isOpen());
        }
    }
}
