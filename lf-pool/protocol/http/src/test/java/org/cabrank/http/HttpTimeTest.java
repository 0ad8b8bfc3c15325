package org.cabrank.http;

import static org.cabrank.http.Embedded.GET;
import static org.cabrank.http.Embedded.HOST;
import static org.cabrank.http.Embedded.post;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.http.message.HttpFields;
import org.cabrank.lf.Reply;
import org.cabrank.stream.StreamTimeouts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Time limits, and the end of a server. */
@Timeout(300)
class HttpTimeTest {
    private static final String TIMEOUT = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n";

    private final Deque<HttpExchange> kept = new ArrayDeque<>();
    private final HttpService service = Http.server(exchange -> {
        if (exchange.path().is("/later")) {
            kept.add(exchange.detach());
        } else if (exchange.bodyLength() == 0) {
            exchange.send(200);
        } else {
            exchange.wholeBody(1_000, (own, body) -> own.send(200));
        }
    });

    @Test
    void aHeadThatTakesTooLongIsAnsweredWithATimeout() {
        try (Embedded server = Embedded.open(service)) {
            server.exchange("GET / HTTP/1.1\r\n");
            for (int i = 0; i < 9; i++) {
                server.advance(Duration.ofSeconds(1));
                assertEquals("", server.exchange("X: y\r\n"), "dribbled bytes do not renew the time");
            }
            server.advance(Duration.ofSeconds(2));
            assertTrue(server.received().startsWith(TIMEOUT));
            assertTrue(server.isEnded());
            assertEquals(1, service.counters().timedOut());
        }
    }

    @Test
    void aSecondRequestHasTheWholeTimeAgain() {
        try (Embedded server = Embedded.open(service)) {
            server.exchange("GET / HTTP/1.1\r\n");
            server.advance(Duration.ofSeconds(9));
            assertTrue(server.exchange(HOST + "\r\nGET / HT").startsWith("HTTP/1.1 200"));
            server.advance(Duration.ofSeconds(9));
            assertTrue(server.exchange("TP/1.1\r\n" + HOST + "\r\n").startsWith("HTTP/1.1 200"));
            server.exchange("\r\n"); // an empty line begins a head
            server.advance(Duration.ofSeconds(11));
            assertTrue(server.received().startsWith(TIMEOUT));
        }
    }

    @Test
    void aBodyThatTakesTooLongIsAnsweredWithATimeout() {
        try (Embedded server = Embedded.open(service)) {
            server.exchange("POST / HTTP/1.1\r\n" + HOST + "Content-Length: 5\r\n\r\n1234");
            server.advance(Duration.ofSeconds(29));
            assertEquals("", server.received());
            server.advance(Duration.ofSeconds(2));
            assertTrue(server.received().startsWith(TIMEOUT));
        }
    }

    @Test
    void theReceiverOfADetachedRequestMayAnswerABodyThatTakesTooLong() {
        HttpBody answering = new HttpBody() {
            @Override
            public void data(HttpExchange own, ByteBuffer bytes) {}

            @Override
            public void end(HttpExchange own, HttpFields trailers) {}

            @Override
            public void failed(HttpExchange own, Throwable cause) {
                own.send(400);
            }
        };
        try (Embedded server = Embedded.open(exchange -> exchange.detach().body(answering))) {
            server.exchange("POST / HTTP/1.1\r\n" + HOST + "Content-Length: 5\r\n\r\n1234");
            server.advance(Duration.ofSeconds(31));
            assertEquals("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", server.received());
            assertTrue(server.isEnded());
            server.client.peerEnds();
            assertTrue(server.client.isClosed());
            assertNull(server.client.closeCause());
        }
    }

    @Test
    void anIdleConnectionIsClosed() {
        try (Embedded server = Embedded.open(service);
                Embedded silent = Embedded.open(service)) {
            server.advance(Duration.ofSeconds(50));
            assertTrue(server.exchange(GET).startsWith("HTTP/1.1 200"));
            server.advance(Duration.ofSeconds(50));
            assertFalse(server.isEnded());
            server.advance(Duration.ofSeconds(11));
            assertTrue(server.isEnded());
            assertEquals("", server.received());
            silent.advance(Duration.ofSeconds(61));
            assertTrue(silent.isEnded());
            assertEquals(2, service.counters().idle());
        }
    }

    @Test
    void aRequestThatIsAnsweredLaterHasNoLimitAndTheConnectionIdlesAfterwards() {
        try (Embedded server = Embedded.open(service)) {
            server.exchange("GET /later HTTP/1.1\r\n" + HOST + "\r\n");
            server.advance(Duration.ofHours(1));
            assertFalse(server.isEnded());
            kept.remove().send(200);
            server.client.awaitIdle();
            assertTrue(server.received().startsWith("HTTP/1.1 200"));
            server.advance(Duration.ofSeconds(61));
            assertTrue(server.isEnded());
        }
    }

    private final Deque<Reply<String>> replies = new ArrayDeque<>();

    private String await(HttpExchange exchange) throws Exception {
        Reply<String> reply = exchange.connection().newReply();
        replies.add(reply);
        return reply.await(Duration.ofSeconds(120));
    }

    @ParameterizedTest
    @CsvSource({"59, 0, 2", "0, 9, 2"})
    void aRequestWhoseHandlerWaitsHasNoLimit(int idling, int inHead, int waiting) {
        HttpService service = Http.server(exchange -> exchange.send(200, null, await(exchange)));
        try (Embedded server = Embedded.open(service)) {
            server.advance(Duration.ofSeconds(idling));
            server.exchange(inHead > 0 ? "GET / HTTP/1.1\r\n" : "");
            server.advance(Duration.ofSeconds(inHead));
            assertEquals("", server.exchange(inHead > 0 ? HOST + "\r\n" : GET));
            server.advance(Duration.ofSeconds(waiting));
            assertFalse(server.isEnded());
            replies.remove().complete("late");
            server.client.awaitIdle();
            assertTrue(server.received().endsWith("late"));
            server.advance(Duration.ofSeconds(61));
            assertTrue(server.isEnded());
        }
    }

    @Test
    void aConnectionIdlesBehindAnAnswerWhoseHandlerWaits() {
        HttpService service = Http.server(exchange -> {
            exchange.send(200);
            await(exchange);
        });
        try (Embedded server = Embedded.open(service)) {
            server.advance(Duration.ofSeconds(50));
            assertTrue(server.exchange(GET).startsWith("HTTP/1.1 200"));
            server.advance(Duration.ofSeconds(50));
            assertFalse(server.isEnded());
            server.advance(Duration.ofSeconds(11));
            assertTrue(server.isEnded());
            replies.remove().complete("");
        }
    }

    @Test
    void aBodyHasItsLimitDuringAWait() {
        HttpService service = Http.server(exchange -> {
            exchange.wholeBody(1_000, (own, body) -> own.send(200));
            await(exchange);
        });
        try (Embedded server = Embedded.open(service)) {
            server.exchange("POST / HTTP/1.1\r\n" + HOST + "Content-Length: 5\r\n\r\n1");
            server.advance(Duration.ofSeconds(29));
            assertEquals("", server.received());
            server.advance(Duration.ofSeconds(2));
            assertTrue(server.received().startsWith(TIMEOUT));
            replies.remove().complete("");
        }
    }

    @Test
    void noTimeLimitIsNever() {
        Duration never = StreamTimeouts.NEVER;
        try (Embedded server = Embedded.open(service.withTimeouts(new HttpTimeouts(never, never, never, never)))) {
            server.exchange("GET / HT");
            server.advance(Duration.ofDays(3));
            assertFalse(server.isEnded());
        }
    }

    @Test
    void aClientThatDoesNotTakeItsAnswersIsReset() {
        HttpAnswer large = HttpAnswer.of(200, null, new byte[300_000]);
        HttpService answering = Http.server(exchange -> exchange.send(large));
        try (Embedded server = Embedded.open(answering)) {
            server.client.peerTakes(0);
            server.client.peerSends(GET + GET);
            server.advance(Duration.ofSeconds(61));
            assertTrue(server.client.isReset());
            assertEquals(1, answering.counters().answersNotTaken());
        }
        try (Embedded server = Embedded.open(answering)) {
            server.client.peerTakes(0);
            server.client.peerSends(GET);
            for (int i = 0; i < 4; i++) {
                server.advance(Duration.ofSeconds(50));
                server.client.peerTakes(301_000); // all that was queued, and a little more
                server.client.peerSends(GET);
            }
            assertFalse(server.client.isReset());
        }
    }

    /** The socket takes no further byte for long, because its buffer is large and the client slow. */
    @Test
    void aClientThatTakesItsAnswersFromTheSocketIsNotReset() {
        HttpAnswer large = HttpAnswer.of(200, null, new byte[3_000_000]);
        HttpService answering = Http.server(exchange -> exchange.send(large));
        try (Embedded server = Embedded.open(answering)) {
            server.client.peerTakes(2_000_000);
            server.client.peerLeaves(2_000_000);
            server.client.peerSends(GET);
            for (int left = 1_700_000; left > 0; left -= 300_000) {
                server.client.peerLeaves(left);
                server.advance(Duration.ofSeconds(61));
                assertFalse(server.client.isReset(), left + " bytes are left");
            }
            server.advance(Duration.ofSeconds(61));
            assertTrue(server.client.isReset());
            assertEquals(1, answering.counters().answersNotTaken());
        }
    }

    @Test
    void aClientThatStillTakesItsAnswersIsNotIdle() {
        try (Embedded server = Embedded.open(service)) {
            server.client.peerLeaves(50);
            server.exchange(GET);
            for (int left = 50; left > 0; left -= 10) {
                server.client.peerLeaves(left);
                server.advance(Duration.ofSeconds(61));
                assertFalse(server.isEnded(), left + " bytes are left");
            }
            server.advance(Duration.ofSeconds(61));
            assertTrue(server.isEnded(), "the client takes nothing more");
            assertEquals(1, service.counters().idle());
        }
    }

    @Test
    void theLastAnswerOfADrainSaysThatTheConnectionCloses() {
        try (Embedded server = Embedded.open(service)) {
            assertFalse(server.exchange(GET).contains("Connection: "));
            server.client.drain();
            assertTrue(server.isEnded());
        }
        try (Embedded server = Embedded.open(service)) {
            server.exchange("GET /later HTTP/1.1\r\n" + HOST + "\r\n");
            server.client.drain();
            assertFalse(server.isEnded());
            kept.remove().send(200);
            server.client.awaitIdle();
            assertEquals("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", server.received());
            assertTrue(server.isEnded());
        }
    }

    @Test
    void requestsThatCameBeforeADrainAreAnswered() {
        try (Embedded server = Embedded.open(service)) {
            server.exchange("GET /later HTTP/1.1\r\n" + HOST + "\r\n" + GET + GET);
            server.client.drain();
            kept.remove().send(200);
            server.client.awaitIdle();
            String answers = server.received();
            assertEquals(3, AnswersTest.count(answers, "HTTP/1.1 200 OK"), answers);
            assertEquals(1, AnswersTest.count(answers, "Connection: close"), answers);
            assertTrue(server.isEnded());
        }
    }

    @Test
    void aBodyIsReadToItsEndInADrain() {
        try (Embedded server = Embedded.open(service)) {
            server.exchange("POST / HTTP/1.1\r\n" + HOST + "Content-Length: 5\r\n\r\n1234");
            server.client.drain();
            assertTrue(server.exchange("5").startsWith("HTTP/1.1 200 OK\r\nConnection: close\r\n"));
            assertTrue(server.isEnded());
        }
    }

    @Test
    void aServerThatIsAboutToDrainLetsItsClientsGo() {
        AtomicBoolean ending = new AtomicBoolean();
        try (Embedded server = Embedded.open(service.withEnding(ending::get))) {
            assertFalse(server.exchange(GET).contains("Connection: "));
            ending.set(true);
            String answers = server.exchange(GET + GET);
            assertEquals(2, AnswersTest.count(answers, "HTTP/1.1 200 OK"), answers);
            assertEquals(1, AnswersTest.count(answers, "Connection: close"), answers);
            assertTrue(server.isEnded());
        }
        try (Embedded server = Embedded.open(service.withEnding(() -> true))) {
            String answers = server.exchange(post("1") + post("2") + post("3"));
            assertEquals(3, AnswersTest.count(answers, "HTTP/1.1 200 OK"), answers);
            assertTrue(answers.indexOf("Connection: close") > answers.lastIndexOf("200"), answers);
        }
    }
}
