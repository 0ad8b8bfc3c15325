package org.cabrank.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.cabrank.http.Http;
import org.cabrank.http.HttpExchange;
import org.cabrank.http.ServerModes;
import org.cabrank.http.message.Gzip;
import org.cabrank.http.message.HttpFields;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.lf.Reply;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Responses that are received piece by piece: back-pressure, and no effect of late calls of a handler on the next response. */
@Timeout(300)
class TransferTest {
    private static final String OK = "HTTP/1.1 200 OK\r\n";

    private final EmbeddedServers servers = new EmbeddedServers();
    private final HttpClient client = HttpClient.over(servers);

    @AfterEach
    void close() {
        client.close();
        servers.close();
    }

    private ReceivedResponse send(boolean pausing) {
        ReceivedResponse response = new ReceivedResponse(pausing);
        client.send(HttpCall.get("http://a"), response);
        return response;
    }

    private void resume(ReceivedResponse response) {
        response.transfer().resume();
        servers.last().awaitIdle();
    }

    @ParameterizedTest
    @CsvSource({
        "'Content-Length: 4\r\n\r\n', ab, cd",
        "'Transfer-Encoding: chunked\r\n\r\n', '2\r\nab\r\n', '2\r\ncd\r\n0\r\n\r\n'",
    })
    void nothingIsReceivedWhileTheResponseIsPaused(String fields, String first, String second) {
        ReceivedResponse response = send(true);
        servers.last().peerSends(OK + fields + first);
        assertEquals("200 ", response.text());
        resume(response);
        assertEquals("200 ab", response.text());
        servers.last().peerSends(second);
        assertEquals("200 ab", response.text());
        resume(response);
        assertEquals("200 abcd", response.text());
        assertFalse(response.isComplete());
        resume(response);
        assertTrue(response.isComplete());
        // The connection stays, and is not paused.
        ReceivedResponse next = send(false);
        servers.last().peerSends(OK + "Content-Length: 1\r\n\r\nx");
        assertEquals("200 x", next.text());
        assertEquals(1, servers.connections());
    }

    @Test
    void aBodyOfUnknownLengthThatIsPausedEndsWithTheConnection() {
        ReceivedResponse response = send(true);
        servers.last().peerSends(OK + "\r\nab");
        servers.last().peerEnds();
        resume(response);
        resume(response);
        assertTrue(response.isComplete(), response.failure() + "");
        assertEquals("200 ab", response.text());
    }

    @Test
    void bytesBehindAPausedResponseAreNotTheNextOne() {
        ReceivedResponse response = send(true);
        servers.last().peerSends(OK + "Content-Length: 2\r\n\r\nab" + OK + "Content-Length: 6\r\n\r\npoison");
        resume(response);
        resume(response);
        assertTrue(response.isComplete());
        ReceivedResponse next = send(false);
        assertEquals(2, servers.connections());
        assertEquals("", next.text());
    }

    @Test
    void anAbortResetsTheConnectionAndFailsTheHandler() {
        ReceivedResponse response = send(false);
        servers.last().peerSends(OK + "Content-Length: 4\r\n\r\nab");
        response.transfer().abort();
        assertTrue(servers.last().isClosed());
        assertNotNull(response.failure());
        assertEquals(0, client.connections());
    }

    @Test
    void lateCallsOfAHandlerDoNothingToTheNextResponse() {
        ReceivedResponse first = send(false);
        EmbeddedConnection server = servers.last();
        server.peerSends(OK + "Content-Length: 2\r\n\r\nab");
        assertTrue(first.isComplete());
        ReceivedResponse second = send(true);
        server.peerSends(OK + "Content-Length: 2\r\n\r\ncd");
        first.transfer().resume();
        first.transfer().abort();
        server.awaitIdle();
        assertEquals("200 ", second.text());
        assertNull(second.failure());
        resume(second);
        resume(second);
        assertTrue(second.isComplete());
        assertEquals(1, servers.connections());
    }

    private static final class Waiting implements HttpResponseHandler {
        private final Deque<Reply<String>> replies = new ArrayDeque<>();
        private final boolean inHead;
        private final StringBuffer calls = new StringBuffer();
        private final Supplier<Connection> connection;

        private Waiting(boolean inHead, Supplier<Connection> connection) {
            this.inHead = inHead;
            this.connection = connection;
        }

        private void await(boolean wanted) throws Exception {
            if (wanted) {
                Reply<String> reply = connection.get().newReply();
                replies.add(reply);
                reply.await(Duration.ofSeconds(120));
            }
        }

        @Override
        public void head(HttpTransfer transfer, int status, HttpFields fields) throws Exception {
            calls.append("head ");
            await(inHead);
        }

        @Override
        public void data(HttpTransfer transfer, ByteBuffer bytes) throws Exception {
            calls.append("data ");
            await(!inHead);
        }

        @Override
        public void end(HttpTransfer transfer, HttpFields trailers) {
            calls.append("end ");
        }

        @Override
        public void failed(Throwable cause) {
            calls.append(cause);
        }
    }

    /** No further byte reports the end. */
    @ParameterizedTest
    @CsvSource({"true, '', 'head end '", "true, x, 'head data end '", "false, x, 'head data end '"})
    void aResponseEndsAlthoughItsHandlerWaits(boolean inHead, String body, String calls) {
        for (int i = 0; i < 2; i++) {
            Waiting waiting = new Waiting(inHead, () -> servers.last().connection());
            client.send(HttpCall.get("http://a"), waiting);
            servers.last().peerSends(OK + "Content-Length: " + body.length() + "\r\n\r\n" + body);
            assertEquals(calls, waiting.calls.toString());
            waiting.replies.remove().complete("");
            servers.last().awaitIdle();
            assertEquals(calls, waiting.calls.toString());
        }
        assertEquals(1, servers.connections());
    }

    /** Waits when the response fails, and then does what the test wants. */
    private static final class WaitingForFailure implements HttpResponseHandler {
        private final List<Reply<String>> replies = new ArrayList<>();
        private final List<String> results = new ArrayList<>();
        private final Supplier<Connection> connection;
        private final Callable<String> afterwards;
        private HttpTransfer transfer;

        private WaitingForFailure(Supplier<Connection> connection, Callable<String> afterwards) {
            this.connection = connection;
            this.afterwards = afterwards;
        }

        @Override
        public void head(HttpTransfer own, int status, HttpFields fields) {
            transfer = own;
        }

        @Override
        public void data(HttpTransfer own, ByteBuffer bytes) {
            own.pause();
        }

        @Override
        public void end(HttpTransfer own, HttpFields trailers) {
            results.add("end");
        }

        @Override
        public void failed(Throwable cause) {
            Reply<String> reply = connection.get().newReply();
            replies.add(reply);
            try {
                results.add(reply.await(Duration.ofSeconds(120)));
                results.add(afterwards.call());
            } catch (Exception failed) {
                results.add(failed.toString());
            }
        }
    }

    @Test
    void aMalformedResponseFailsOnceAlthoughItsHandlerWaits() {
        WaitingForFailure waiting = new WaitingForFailure(() -> servers.last().connection(), () -> "failed");
        client.send(HttpCall.get("http://a").acceptGzip(), waiting);
        EmbeddedConnection server = servers.last();
        byte[] encoded = Gzip.encode("text".getBytes(StandardCharsets.US_ASCII));
        server.peerSends(OK + "Content-Encoding: gzip\r\nContent-Length: " + (encoded.length - 8) + "\r\n\r\n");
        server.peerSends(ByteBuffer.wrap(encoded, 0, encoded.length - 8)); // without the trailer of gzip
        waiting.transfer.resume();
        server.awaitIdle();
        assertFalse(server.isClosed(), server.closeCause() + "");
        waiting.replies.get(0).complete("waited");
        server.awaitIdle();
        assertEquals(List.of("waited", "failed"), waiting.results);
        assertTrue(server.isClosed());
        assertNull(server.closeCause());
    }

    /** The handler has waited, so the end of the server's output comes while the handler still runs. */
    @Test
    void aResponseThatHasFailedIsNotEndedByItsConnection() {
        ConnectionHandler[] handlers = {null};
        HttpConnector connector = (host, port, handler) -> {
            handlers[0] = handler;
            return servers.connect(host, port, handler);
        };
        Supplier<Connection> connection = () -> servers.last().connection();
        WaitingForFailure waiting = new WaitingForFailure(connection, () -> {
            handlers[0].inputClosed(connection.get(), ByteBuffer.allocate(0));
            return "failed";
        });
        try (HttpClient own = HttpClient.over(connector)) {
            own.send(HttpCall.get("http://a"), waiting);
            servers.last().peerSends(OK + "\r\nuntil the end");
            connection.get().execute(() -> {
                try {
                    handlers[0].deadlinePassed(connection.get());
                } catch (Exception failed) {
                    throw new IllegalStateException(failed);
                }
            });
            servers.last().awaitIdle();
            waiting.replies.get(0).complete("waited");
            servers.last().awaitIdle();
            assertEquals(List.of("waited", "failed"), waiting.results);
        }
    }

    // ---- with a full mailbox ----

    /** Acts while the thread of the connection is busy, so that the mailbox fills. */
    private static void whileBusy(EmbeddedConnection connection, Runnable act) {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Void> over = new CompletableFuture<>();
        connection.connection().execute(() -> {
            begun.complete(null);
            over.join();
        });
        begun.join();
        try {
            act.run();
        } finally {
            over.complete(null);
        }
        connection.awaitIdle();
    }

    @Test
    void lateCallsOfAHandlerLeaveTheMailboxToTheNextResponse() {
        ReceivedResponse first = send(false);
        EmbeddedConnection server = servers.last();
        server.peerSends(OK + "Content-Length: 2\r\n\r\nab");
        ReceivedResponse second = send(true);
        server.peerSends(OK + "Content-Length: 2\r\n\r\ncd");
        whileBusy(server, () -> {
            for (int i = 0; i <= StreamLimits.DEFAULT.mailboxMax(); i++) {
                first.transfer().resume();
                first.transfer().abort();
            }
        });
        resume(second);
        resume(second);
        assertTrue(second.isComplete(), second.failure() + "");
        assertEquals(1, servers.connections());
    }

    @Test
    void aResumeThatFindsTheMailboxFullResetsItsOwnConnection() {
        ReceivedResponse response = send(true);
        servers.last().peerSends(OK + "Content-Length: 4\r\n\r\nab");
        whileBusy(servers.last(), () -> {
            for (int i = 0; i <= StreamLimits.DEFAULT.mailboxMax(); i++) {
                response.transfer().resume();
            }
        });
        assertTrue(servers.last().isClosed());
        assertNotNull(response.failure());
        assertEquals(0, client.connections());
    }

    /** A thread whose call the mailbox has refused is about to reset the connection when the rest of the response is received. */
    @Test
    void aConnectionThatIsGivenUpServesNoFurtherRequest() {
        ReceivedResponse first = send(false);
        EmbeddedConnection server = servers.last();
        server.peerSends(OK + "Content-Length: 4\r\n\r\nab");
        assertTrue(((PendingCall) first.transfer()).giveUp());
        server.peerSends("cd");
        assertTrue(first.isComplete());
        ReceivedResponse second = send(false);
        assertEquals(2, servers.connections());
        servers.last().peerSends(OK + "Content-Length: 1\r\n\r\nx");
        assertEquals("200 x", second.text());
    }

    @Test
    void aRequestThatFindsTheMailboxFullIsSentOnAnotherConnectionAndTheFullOneIsReset() {
        ReceivedResponse first = send(false);
        EmbeddedConnection full = servers.last();
        full.peerSends(OK + "Content-Length: 2\r\n\r\nab");
        assertTrue(first.isComplete());
        ReceivedResponse second = new ReceivedResponse();
        whileBusy(full, () -> {
            for (int i = 0; i < StreamLimits.DEFAULT.mailboxMax(); i++) {
                full.connection().execute(() -> {});
            }
            client.send(HttpCall.get("http://a"), second);
        });
        assertTrue(full.isClosed());
        assertEquals(2, servers.connections());
        servers.last().peerSends(OK + "Content-Length: 1\r\n\r\nx");
        assertEquals("200 x", second.text());
        assertEquals(1, client.connections());
    }

    // ---- with sockets ----

    /** Adds bytes up, and lets another thread resume after each piece. */
    private static final class Slow implements HttpResponseHandler {
        private final CompletableFuture<Long> bytes = new CompletableFuture<>();
        private final AtomicLong received = new AtomicLong();
        private volatile boolean paused;

        @Override
        public void head(HttpTransfer transfer, int status, HttpFields fields) {}

        @Override
        public void data(HttpTransfer transfer, ByteBuffer piece) {
            if (paused) {
                throw new IllegalStateException("a piece came while the response was paused");
            }
            received.addAndGet(piece.remaining());
            paused = true;
            transfer.pause();
            CompletableFuture.runAsync(() -> {
                paused = false;
                transfer.resume();
            });
        }

        @Override
        public void end(HttpTransfer transfer, HttpFields trailers) {
            bytes.complete(received.get());
        }

        @Override
        public void failed(Throwable cause) {
            bytes.completeExceptionally(cause);
        }
    }

    private static final int LARGE_BYTES = 3 << 20;

    static java.util.stream.Stream<ServerModes> modes() {
        return ServerModes.all();
    }

    /** Within the limit of bytes that a connection queues. */
    private static void answer(HttpExchange exchange) {
        exchange.send(200, null, ByteBuffer.wrap(new byte[LARGE_BYTES]));
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aLargeResponseIsReceivedAsFastAsItsHandlerTakesIt(ServerModes mode) throws Exception {
        HttpClientOptions options =
                HttpClientOptions.DEFAULT.withLimits(HttpLimits.DEFAULT.withBodyBytes(HttpLimits.UNLIMITED));
        try (StreamServer server = mode.start(TransferTest::answer);
                HttpClient own = Http.client(server.reactor()).withOptions(options)) {
            Slow handler = new Slow();
            own.send(HttpCall.get("http://127.0.0.1:" + server.port()), handler);
            assertEquals(LARGE_BYTES, handler.bytes.get(120, TimeUnit.SECONDS));
        }
    }
}
