package org.cabrank.http;

import static org.cabrank.http.Embedded.GET;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.cabrank.http.client.HttpResponseHandler;
import org.cabrank.http.client.HttpTransfer;
import org.cabrank.http.message.HttpFields;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.WriteQueueFullException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Server-sent events: their lines, and clients that do not read. */
@Timeout(300)
class EventStreamTest {
    private static final String EVENT = "x".repeat(8 << 10);

    private EventStream stream;

    static Stream<Site.Mode> modes() {
        return Site.Mode.all();
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

    /** The answer to HEAD ends with its head: a stream would keep the connection from the next request. */
    @Test
    void theStreamOfAHeadRequestIsItsHead() {
        try (Embedded server = Embedded.open(exchange -> stream = EventStream.begin(exchange))) {
            String head = server.exchange(GET.replace("GET", "HEAD"));
            assertTrue(head.contains("text/event-stream"), head);
            assertFalse(stream.isOpen());
            assertFalse(stream.send("x"));
            stream.end();
            assertEquals(head, server.exchange(GET.replace("GET", "HEAD")));
        }
    }

    @Test
    void aStreamThatHasEndedIsNotWrittenTo() {
        try (Embedded server = Embedded.open(exchange -> stream = EventStream.begin(exchange))) {
            server.exchange(GET);
            server.client.peerEnds();
            server.client.awaitIdle();
            assertTrue(stream.send("the client has ended its output alone"));
            server.client.awaitIdle();
            assertTrue(server.received().contains("data: the client has ended"));
            server.client.peerResets();
            assertFalse(stream.isOpen());
            assertFalse(stream.send("x"));
            stream.end();
            stream.end();
        }
    }

    /** An event that the connection could never queue is a fault of the service, and leaves the stream unchanged. */
    @Test
    void anEventBeyondTheQueueIsRefusedAndTheNextOneSent() {
        StreamLimits limits = StreamLimits.DEFAULT.withQueue(1_000, 4_000, 16_000);
        try (Embedded server = Embedded.open(Http.server(exchange -> stream = EventStream.begin(exchange)), limits)) {
            server.exchange(GET);
            assertThrows(WriteQueueFullException.class, () -> stream.send("x".repeat(20_000)));
            assertTrue(stream.send("next"));
            server.client.awaitIdle();
            assertEquals("c\r\ndata: next\n\n\r\n", server.received());
        }
    }

    @Test
    void anEventThatFindsTheMailboxFullIsLeftOutAndAnEndResetsTheClient() {
        try (Embedded server = Embedded.open(exchange -> stream = EventStream.begin(exchange))) {
            server.exchange(GET);
            CompletableFuture<Void> over = fill(server);
            assertFalse(stream.send("x"));
            over.complete(null);
            server.client.awaitIdle();
            assertTrue(stream.send("y"));
            server.client.awaitIdle();
            assertEquals("9\r\ndata: y\n\n\r\n", server.received());
            over = fill(server);
            stream.end();
            over.complete(null);
            server.client.awaitIdle();
            assertTrue(server.client.isClosed());
        }
    }

    /** Fills the mailbox, until the result is complete. */
    private static CompletableFuture<Void> fill(Embedded server) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        CompletableFuture<Void> busy = new CompletableFuture<>();
        server.client.connection().execute(() -> {
            busy.complete(null);
            over.join();
        });
        busy.join();
        for (int i = 0; i < StreamLimits.DEFAULT.mailboxMax(); i++) {
            server.client.connection().execute(() -> {});
        }
        return over;
    }

    /** Several threads send to one client. */
    @Test
    void eventsOfSeveralThreadsAreWholeWhileTheThreadOfTheConnectionIsBusy() {
        try (Embedded server = Embedded.open(exchange -> stream = EventStream.begin(exchange))) {
            server.exchange(GET);
            CompletableFuture<Void> over = new CompletableFuture<>();
            CompletableFuture<Void> busy = new CompletableFuture<>();
            server.client.connection().execute(() -> {
                busy.complete(null);
                over.join();
            });
            busy.join();
            String event = "x".repeat(248);
            AtomicInteger sent = new AtomicInteger();
            CompletableFuture.allOf(IntStream.range(0, 3)
                            .mapToObj(thread -> CompletableFuture.runAsync(() -> {
                                for (int i = 0; i < 2_000; i++) {
                                    sent.addAndGet(stream.send(event) ? 1 : 0);
                                }
                            }))
                            .toArray(CompletableFuture<?>[]::new))
                    .join();
            over.complete(null);
            server.client.awaitIdle();
            server.client.awaitIdle();
            assertTrue(sent.get() > 0 && sent.get() < 6_000, sent + " events");
            String received = server.received();
            assertEquals(("100\r\ndata: " + event + "\n\n\r\n").repeat(sent.get()), received);
            assertTrue(stream.send("next"));
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aSlowReaderDoesNotHoldAnotherUp(Site.Mode mode) throws Exception {
        CompletableFuture<EventStream> slow = new CompletableFuture<>();
        CompletableFuture<EventStream> fast = new CompletableFuture<>();
        try (Site site = Site.start(
                        mode,
                        exchange -> (exchange.path().is("/slow") ? slow : fast).complete(EventStream.begin(exchange)));
                Socket reading = site.connect()) {
            try (Socket idle = site.connect()) {
                idle.setSoLinger(true, 0); // its close resets the connection
                get(idle, "/slow");
                get(reading, "/fast");
                slow.get();
                fast.get();
                Await.until(
                        "the slow reader's queue is full", () -> !slow.join().send(EVENT));
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
            Await.until(
                    "the stream of a client that has gone ends",
                    () -> !slow.join().isOpen());
        }
    }

    private static void get(Socket client, String path) throws IOException {
        client.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Jersey #3309, compression #62: an event stood in the encoder until further ones came. */
    @ParameterizedTest
    @MethodSource("modes")
    void anEncodedEventIsReceivedBeforeTheNextOneIsSent(Site.Mode mode) throws Exception {
        CompletableFuture<EventStream> begun = new CompletableFuture<>();
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        try (Site site = Site.start(mode, exchange -> begun.complete(EventStream.begin(exchange.gzip())))) {
            site.client().send(site.get().acceptGzip(), new Events(events));
            assertEquals("text/event-stream", events.poll(120, TimeUnit.SECONDS));
            for (int i = 0; i < 5; i++) {
                assertTrue(begun.get(120, TimeUnit.SECONDS).send("tick", null, "" + i));
                assertEquals("event: tick\ndata: " + i + "\n\n", events.poll(120, TimeUnit.SECONDS));
            }
            begun.join().end();
            assertEquals("end", events.poll(120, TimeUnit.SECONDS));
        }
    }

    private record Events(BlockingQueue<String> received) implements HttpResponseHandler {
        @Override
        public void head(HttpTransfer transfer, int status, HttpFields fields) {
            received.add(fields.first("Content-Type").toString());
        }

        @Override
        public void data(HttpTransfer transfer, ByteBuffer bytes) {
            received.add(StandardCharsets.UTF_8.decode(bytes).toString());
        }

        @Override
        public void end(HttpTransfer transfer, HttpFields trailers) {
            received.add("end");
        }

        @Override
        public void failed(Throwable cause) {
            received.add("failed: " + cause);
        }
    }
}
