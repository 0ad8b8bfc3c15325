package org.cabrank.http;

import static org.cabrank.http.Embedded.GET;
import static org.cabrank.http.Embedded.HOST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.http.message.Gzip;
import org.cabrank.http.message.HttpFields;
import org.cabrank.lf.Reply;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers behind the callback: detached, offloaded, in pieces, after a nested wait; and other protocols. */
@Timeout(300)
class LaterAnswersTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    private final Deque<HttpExchange> kept = new ArrayDeque<>();

    private Embedded keeping() {
        return Embedded.open(exchange -> kept.add(exchange.detach()));
    }

    @Test
    void requestsBehindADetachedOneWaitInOrder() {
        try (Embedded server = keeping()) {
            assertEquals("", server.exchange("GET /1 HTTP/1.1\r\n" + HOST + "\r\nGET /2 HTTP/1.1\r\n" + HOST + "\r\n"));
            assertEquals(1, kept.size());
            HttpExchange first = kept.remove();
            assertEquals("/1", first.target().toString());
            assertEquals("a", first.fields().first("Host").toString());
            first.send(200);
            server.client.awaitIdle();
            assertEquals(OK, server.received());
            assertEquals("/2", kept.peek().target().toString());
            kept.remove().send(200);
            assertEquals(OK, server.received());
            assertEquals("", server.exchange(GET));
            kept.remove().send(200);
            assertEquals(OK, server.received());
        }
    }

    @Test
    void aSecondAnswerDoesNotReachTheNextRequest() {
        try (Embedded server = keeping()) {
            server.exchange(GET + GET);
            HttpExchange first = kept.remove();
            first.send(200);
            server.client.awaitIdle();
            assertThrows(IllegalStateException.class, () -> first.send(404));
            assertEquals(OK, server.received());
            assertFalse(first.isOpen());
        }
    }

    @Test
    void anExchangeLearnsThatItsClientIsGone() {
        List<Throwable> causes = new ArrayList<>();
        try (Embedded server = keeping()) {
            server.exchange(GET);
            HttpExchange exchange = kept.remove();
            exchange.onGone(causes::add);
            assertTrue(exchange.isOpen());
            server.client.peerResets();
            server.client.awaitIdle();
            assertFalse(exchange.isOpen());
            exchange.send(200, null, "dropped");
            exchange.onGone(causes::add); // at once
            assertThrows(RejectedExecutionException.class, () -> exchange.whenWritable(() -> {}));
        }
        assertEquals(2, causes.size());
        assertEquals(causes.get(0), causes.get(1));
    }

    @Test
    void aClientThatEndsItsOutputGetsItsAnswer() {
        try (Embedded server = keeping()) {
            server.exchange(GET);
            server.client.peerEnds();
            assertFalse(server.isEnded());
            kept.remove().send(200);
            assertEquals("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", server.received());
            assertTrue(server.isEnded());
        }
    }

    @Test
    void offloadedWorkAnswersAndTheConnectionContinues() {
        Deque<Runnable> work = new ArrayDeque<>();
        try (Embedded server = Embedded.open(exchange -> {
            String target = exchange.target().toString();
            exchange.offload(work::add, () -> target + "!", (own, result) -> own.send(200, null, result + own.path()));
        })) {
            assertEquals("", server.exchange("GET /1 HTTP/1.1\r\n" + HOST + "\r\nGET /2 HTTP/1.1\r\n" + HOST + "\r\n"));
            work.remove().run();
            server.client.awaitIdle();
            assertTrue(server.received().endsWith("/1!/1"));
            work.remove().run();
            server.client.awaitIdle();
            assertTrue(server.received().endsWith("/2!/2"));
        }
    }

    @Test
    void workThatThrowsIsAnsweredWith500() {
        try (Embedded server = Embedded.open(exchange -> exchange.offload(
                Runnable::run,
                () -> {
                    throw new java.io.IOException("no database");
                },
                (own, result) -> own.send(200)))) {
            assertTrue(server.exchange(GET).startsWith("HTTP/1.1 500 "));
            assertTrue(server.exchange(GET).startsWith("HTTP/1.1 500 "));
        }
    }

    @Test
    void aRefusedExecutorLeavesTheExchangeToItsHandler() {
        try (Embedded server = Embedded.open(exchange -> {
            try {
                exchange.offload(
                        work -> {
                            throw new RejectedExecutionException("full");
                        },
                        () -> 1,
                        (own, result) -> own.send(200));
            } catch (RejectedExecutionException full) {
                exchange.addField("Retry-After", "1").send(503);
            }
        })) {
            assertTrue(server.exchange(GET).startsWith("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n"));
        }
    }

    @Test
    void piecesOfADetachedAnswerStopWhenTheClientDoesNotRead() {
        StreamLimits limits = StreamLimits.DEFAULT.withQueue(1_000, 4_000, 20_000);
        try (Embedded server = Embedded.open(Http.server(exchange -> kept.add(exchange.detach())), limits)) {
            server.exchange(GET);
            server.client.peerTakes(100);
            HttpExchange exchange = kept.remove();
            exchange.begin(200, HttpExchange.UNKNOWN_LENGTH);
            int pieces = 0;
            while (exchange.isWritable()) {
                exchange.write(ByteBuffer.allocate(1_000));
                server.client.awaitIdle();
                pieces++;
            }
            assertTrue(pieces > 2 && pieces < 8, "pieces: " + pieces);
            List<String> calls = new ArrayList<>();
            exchange.whenWritable(() -> calls.add("writable"));
            server.client.awaitIdle();
            assertEquals(List.of(), calls);
            server.client.peerTakes(EmbeddedConnection.UNLIMITED);
            server.client.awaitIdle();
            assertEquals(List.of("writable"), calls);
            exchange.end();
            String answer = server.received();
            assertTrue(answer.endsWith("\r\n0\r\n\r\n"), () -> "end of the answer missing");
            server.exchange(GET);
            assertEquals(1, kept.size());
        }
    }

    @Test
    void aClientThatDoesNotReadStopsItsPipelinedRequests() {
        StreamLimits limits = StreamLimits.DEFAULT.withQueue(1_000, 4_000, 20_000);
        int[] requests = {0};
        HttpAnswer answer = HttpAnswer.of(200, null, new byte[1_000]);
        try (Embedded server = Embedded.open(
                Http.server(exchange -> {
                    requests[0]++;
                    exchange.send(answer);
                }),
                limits)) {
            server.client.peerTakes(0);
            server.client.peerSends(GET.repeat(100));
            server.client.awaitIdle();
            assertTrue(requests[0] < 10, "requests: " + requests[0]);
            server.client.peerTakes(EmbeddedConnection.UNLIMITED);
            server.client.awaitIdle();
            assertEquals(100, requests[0]);
            assertEquals(100, AnswersTest.count(server.received(), "HTTP/1.1 200 OK"));
        }
    }

    @Test
    void aFileIsAnAnswer(@TempDir Path directory) throws Exception {
        Path content = Files.writeString(directory.resolve("content"), "0123456789");
        try (ReactorFile file = EmbeddedConnection.openFile(content);
                Embedded server = Embedded.open(exchange -> exchange.sendFile(200, "text/plain", file, 2, 5))) {
            assertEquals(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n23456",
                    server.exchange(GET));
            assertTrue(server.exchange("HEAD / HTTP/1.1\r\n" + HOST + "\r\n").endsWith("Content-Length: 5\r\n\r\n"));
        }
    }

    @Test
    void aHandlerMayWaitForAReplyAndAnswerThen() throws Exception {
        Deque<Reply<String>> replies = new ArrayDeque<>();
        try (Embedded server = Embedded.open(exchange -> {
            Reply<String> reply = exchange.connection().newReply();
            replies.add(reply);
            // The timer stands for another service, whose reply is another event of the pool.
            exchange.connection().schedule(Duration.ZERO, () -> reply.complete("later"));
            exchange.send(200, null, reply.await(Duration.ofSeconds(120)) + exchange.path());
        })) {
            server.client.peerSends("GET /1 HTTP/1.1\r\n" + HOST + "\r\nGET /2 HTTP/1.1\r\n" + HOST + "\r\n");
            server.client.awaitIdle();
            String answers = server.received();
            assertTrue(answers.contains("later/1HTTP/1.1 200 OK"), answers);
            assertTrue(answers.endsWith("later/2"), answers);
            assertEquals(2, replies.size());
        }
    }

    @Test
    void aHandlerThatWaitsAndDoesNotAnswerIsAnsweredWith500() {
        Deque<Reply<String>> replies = new ArrayDeque<>();
        boolean[] begins = {false};
        try (Embedded server = Embedded.open(exchange -> {
            Reply<String> reply = exchange.connection().newReply();
            replies.add(reply);
            reply.await(Duration.ofSeconds(120));
            if (begins[0]) {
                exchange.begin(200, 5);
            }
        })) {
            server.exchange(GET);
            replies.remove().complete("");
            server.client.awaitIdle();
            assertTrue(server.received().startsWith("HTTP/1.1 500 "));
            begins[0] = true;
            server.exchange(GET);
            replies.remove().complete("");
            assertTrue(server.client.isReset());
        }
    }

    @Test
    void aHandlerMayWaitForTheWorkThatItHasOffloadedAndAnswerThen() {
        Deque<Runnable> work = new ArrayDeque<>();
        HttpService service = Http.server(exchange -> {
            Reply<String> reply = exchange.connection().newReply();
            exchange.offload(work::add, () -> "result", (own, result) -> reply.complete(result));
            exchange.send(200, null, reply.await(Duration.ofSeconds(120)));
        });
        try (Embedded server = Embedded.open(service)) {
            for (int i = 0; i < 2; i++) {
                assertEquals("", server.exchange(GET));
                work.remove().run();
                server.client.awaitIdle();
                assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nresult", server.received());
            }
            assertEquals(0, service.counters().handlerFailures());
        }
    }

    @Test
    void noTrailerFieldIsLostWhenATaskWaitsBetweenThem() {
        Deque<Reply<String>> replies = new ArrayDeque<>();
        try (Embedded server = Embedded.open(exchange -> exchange.body(new HttpBody() {
            @Override
            public void data(HttpExchange own, ByteBuffer bytes) {}

            @Override
            public void end(HttpExchange own, HttpFields trailers) {
                own.send(200, null, trailers.toString());
            }
        }))) {
            server.exchange("POST / HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n0\r\nA: 1\r\nB");
            Connection connection = server.client.connection();
            connection.execute(() -> {
                Reply<String> reply = connection.newReply();
                replies.add(reply);
                try {
                    reply.await(Duration.ofSeconds(120));
                } catch (Exception failed) {
                    throw new IllegalStateException(failed);
                }
            });
            server.client.awaitIdle();
            assertEquals(1, replies.size());
            assertTrue(server.exchange(": 2\r\n\r\n").endsWith("{A=[1], B=[2]}"));
            replies.remove().complete("");
        }
    }

    @Test
    void anEmptyBodyEndsWhileItsHandlerWaits() {
        Deque<Reply<String>> replies = new ArrayDeque<>();
        try (Embedded server = Embedded.open(exchange -> {
            Reply<String> ended = exchange.connection().newReply();
            exchange.wholeBody(10, (own, body) -> replies.add(ended));
            exchange.send(200, null, ended.await(Duration.ofSeconds(120)));
        })) {
            for (int i = 0; i < 2; i++) {
                server.exchange(GET);
                assertEquals(1, replies.size());
                replies.remove().complete("ended " + i);
                server.client.awaitIdle();
                assertTrue(server.received().endsWith("ended " + i));
            }
        }
    }

    /** Waits when its body fails. */
    private static final class WaitingForFailure implements HttpBody {
        private final List<Reply<String>> replies = new ArrayList<>();
        private final boolean answers;

        private WaitingForFailure(boolean answers) {
            this.answers = answers;
        }

        @Override
        public void data(HttpExchange own, ByteBuffer bytes) {}

        @Override
        public void end(HttpExchange own, HttpFields trailers) {
            own.send(200);
        }

        @Override
        public void failed(HttpExchange own, Throwable cause) {
            if (answers) {
                own.send(422);
            }
            Reply<String> reply = own.connection().newReply();
            replies.add(reply);
            try {
                reply.await(Duration.ofSeconds(120));
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    private static final String MALFORMED =
            "POST / HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\nno chunk\r\n";

    @Test
    void aCutOffBodyFailsOnceAlthoughItsReceiverWaits() {
        byte[] encoded = Gzip.encode("text".getBytes(StandardCharsets.US_ASCII));
        WaitingForFailure receiver = new WaitingForFailure(false);
        HttpService service = Http.server(exchange -> exchange.decodedBody(receiver));
        try (Embedded server = Embedded.open(service)) {
            server.client.peerSends("POST / HTTP/1.1\r\n" + HOST + "Content-Encoding: gzip\r\nContent-Length: "
                    + (encoded.length - 1) + "\r\n\r\n");
            server.client.peerSends(ByteBuffer.wrap(encoded, 0, encoded.length - 1));
            assertEquals(1, receiver.replies.size());
            receiver.replies.get(0).complete("");
            server.client.awaitIdle();
            assertTrue(server.received().startsWith("HTTP/1.1 400 "));
            assertTrue(server.isEnded());
            assertEquals(1, receiver.replies.size());
            assertEquals(1, service.counters().refused());
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false, 0", "false, true, 0", "true, false, 0", "false, false, 31"})
    void aMalformedBodyFailsOnceAlthoughItsReceiverWaits(boolean answerBegun, boolean reset, int seconds) {
        WaitingForFailure receiver = new WaitingForFailure(false);
        HttpService service = Http.server(exchange -> {
            exchange.body(receiver);
            if (answerBegun) {
                exchange.begin(200, 5);
            }
        });
        try (Embedded server = Embedded.open(service)) {
            server.client.peerSends(MALFORMED);
            server.advance(Duration.ofSeconds(seconds));
            if (reset) {
                server.client.peerResets();
            }
            receiver.replies.get(0).complete("");
            server.client.awaitIdle();
            assertEquals(1, receiver.replies.size());
            assertEquals(!answerBegun && !reset, server.received().startsWith("HTTP/1.1 400 "));
            assertEquals(answerBegun, server.client.isReset());
            assertEquals(0, service.counters().timedOut());
        }
    }

    @Test
    void aReceiverMayAnswerAMalformedBodyAndWaitThen() {
        WaitingForFailure receiver = new WaitingForFailure(true);
        try (Embedded server = Embedded.open(exchange -> exchange.body(receiver))) {
            assertTrue(server.exchange(MALFORMED).startsWith("HTTP/1.1 422 "));
            receiver.replies.get(0).complete("");
            assertTrue(server.isEnded());
            server.client.peerEnds();
            assertTrue(server.client.isClosed());
            assertNull(server.client.closeCause());
        }
    }

    @Test
    void theConnectionContinuesWithAnotherProtocol() {
        ConnectionHandler echo = (connection, data) -> connection.write(data);
        HttpService service = Http.server(exchange -> exchange.upgrade("echo", echo));
        String ask = "GET / HTTP/1.1\r\n" + HOST + "Connection: Upgrade\r\nUpgrade: echo\r\n\r\n";
        try (Embedded server = Embedded.open(service)) {
            assertEquals(
                    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nfirst",
                    server.exchange(ask + "first"));
            assertEquals(GET, server.exchange(GET));
            assertEquals(1, service.counters().upgraded());
        }
        try (Embedded server = Embedded.open(service)) {
            assertTrue(server.exchange(GET).startsWith("HTTP/1.1 500 ")); // the client has not asked
        }
    }

    @Test
    void connectIsATunnel() {
        ConnectionHandler echo = (connection, data) -> connection.write(data);
        try (Embedded server = Embedded.open(exchange -> exchange.tunnel(echo))) {
            assertEquals(
                    "HTTP/1.1 200 OK\r\n\r\nxyz",
                    server.exchange("CONNECT a:1 HTTP/1.1\r\n" + HOST + "\r\n") + server.exchange("xyz"));
        }
    }

    @Test
    void theAnswersOfOtherThreadsMayComeWhileRequestsCome() {
        // By the rule of HttpConnection: either the thread that answers or the callback sees the other.
        for (int round = 0; round < 200; round++) {
            try (Embedded server = keeping()) {
                server.exchange(GET);
                HttpExchange first = kept.remove();
                Thread answering = new Thread(() -> first.send(200), "answering");
                answering.start();
                server.client.peerSends(GET);
                join(answering);
                server.client.awaitIdle();
                assertEquals(1, kept.size(), "round " + round);
                kept.remove().send(200);
                assertEquals(OK + OK, server.received());
            }
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void interimAnswersStandInFront() {
        try (Embedded server = Embedded.open(exchange -> {
            exchange.addField("Link", "</a.css>").sendInterim(103);
            exchange.send(200);
        })) {
            assertEquals("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n" + OK, server.exchange(GET));
        }
    }

    @Test
    void aWriterIsNotifiedWhenTheKernelHasTakenItsBytes() {
        List<String> calls = new ArrayList<>();
        try (Embedded server = Embedded.open(exchange -> {
            exchange.begin(200, 4);
            exchange.write(StandardCharsets.US_ASCII.encode("four"));
            exchange.whenWritten((Connection own, Throwable failure) -> {
                calls.add("written " + failure);
                exchange.end();
            });
            exchange.detach();
        })) {
            assertTrue(server.exchange(GET).endsWith("four"));
            assertEquals(List.of("written null"), calls);
            assertTrue(server.exchange(GET).endsWith("four"));
        }
    }
}
