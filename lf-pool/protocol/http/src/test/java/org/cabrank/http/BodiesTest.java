package org.cabrank.http;

import static org.cabrank.http.Embedded.GET;
import static org.cabrank.http.Embedded.HOST;
import static org.cabrank.http.Embedded.chunked;
import static org.cabrank.http.Embedded.post;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.http.message.HttpFields;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.http.message.HttpText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bodies of requests: their pieces, back-pressure, limits, 100-continue. */
@Timeout(300)
class BodiesTest {
    private static final HttpHandler ECHO =
            exchange -> exchange.wholeBody(1 << 20, (own, body) -> own.send(200, null, body));

    /** Notes what a receiver is called with. */
    private static final class Recorder implements HttpBody {
        final StringBuilder pieces = new StringBuilder();
        Throwable failure;
        HttpExchange exchange;

        @Override
        public void data(HttpExchange own, ByteBuffer bytes) {
            exchange = own;
            pieces.append(StandardCharsets.ISO_8859_1.decode(bytes)).append('|');
            if (pieces.toString().equals("pause|")) {
                own.pauseBody();
            }
        }

        @Override
        public void end(HttpExchange own, HttpFields trailers) {
            pieces.append("end").append(trailers);
            own.send(200, null, pieces.toString());
        }

        @Override
        public void failed(HttpExchange own, Throwable cause) {
            failure = cause;
        }
    }

    @Test
    void bodiesAreReceivedHoweverTheyAreCut() {
        String requests = post("hello") + chunked("wor", "ld") + GET + post("");
        String expected = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
                + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nworld"
                + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".repeat(2);
        for (int cut = 0; cut <= requests.length(); cut++) {
            try (Embedded server = Embedded.open(ECHO)) {
                String answers = server.exchange(requests.substring(0, cut)) + server.exchange(requests.substring(cut));
                assertEquals(expected, answers, "cut at " + cut);
            }
        }
        try (Embedded server = Embedded.open(ECHO)) {
            StringBuilder answers = new StringBuilder();
            for (int i = 0; i < requests.length(); i++) {
                answers.append(server.exchange(requests.substring(i, i + 1)));
            }
            assertEquals(expected, answers.toString());
        }
    }

    @Test
    void piecesAndTrailersReachTheReceiver() {
        Recorder recorder = new Recorder();
        try (Embedded server = Embedded.open(exchange -> exchange.body(recorder))) {
            String request = chunked("ab", "c");
            server.exchange(request.substring(0, request.length() - 2));
            assertEquals("ab|c|", recorder.pieces.toString());
            assertTrue(server.exchange("X-Sum: 7\r\n\r\n").endsWith("ab|c|end{X-Sum=[7]}"));
        }
    }

    @Test
    void aBodyThatNobodyAsksForIsDropped() {
        try (Embedded server = Embedded.open(exchange -> exchange.send(200))) {
            String answers = server.exchange(post(GET + GET) + chunked(GET) + GET);
            assertEquals(3, AnswersTest.count(answers, "HTTP/1.1 200 OK"), answers);
        }
    }

    @Test
    void theReceiverIsNotCalledAfterTheAnswer() {
        List<String> calls = new ArrayList<>();
        try (Embedded server = Embedded.open(exchange -> exchange.body(new HttpBody() {
            @Override
            public void data(HttpExchange own, ByteBuffer bytes) {
                calls.add("data");
                own.send(403);
            }

            @Override
            public void end(HttpExchange own, HttpFields trailers) {
                calls.add("end");
            }
        }))) {
            assertTrue(server.exchange(chunked("a", "b")).startsWith("HTTP/1.1 403 Forbidden\r\n"));
            assertTrue(server.exchange(chunked("a")).startsWith("HTTP/1.1 403 Forbidden\r\n"));
            assertEquals(List.of("data", "data"), calls);
        }
    }

    @Test
    void theClientIsAskedToContinueWhenTheBodyIsWanted() {
        String head = "POST / HTTP/1.1\r\n" + HOST + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n";
        try (Embedded server = Embedded.open(ECHO)) {
            assertEquals("HTTP/1.1 100 Continue\r\n\r\n", server.exchange(head));
            assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", server.exchange("ok"));
            assertFalse(server.isEnded());
        }
        try (Embedded server = Embedded.open(exchange -> exchange.send(401))) {
            assertEquals(
                    "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
                    server.exchange(head));
            assertTrue(server.isEnded());
        }
        try (Embedded server = Embedded.open(ECHO)) {
            String old = head.replace("HTTP/1.1", "HTTP/1.0");
            assertEquals("", server.exchange(old)); // a client of HTTP/1.0 does not know interim answers
            assertTrue(server.exchange("ok").startsWith("HTTP/1.1 200 OK\r\n"));
        }
    }

    @Test
    void aPausedBodyWaitsAndContinues() {
        Recorder recorder = new Recorder();
        try (Embedded server = Embedded.open(exchange -> exchange.body(recorder))) {
            assertEquals("", server.exchange("POST / HTTP/1.1\r\n" + HOST + "Content-Length: 8\r\n\r\npause"));
            assertEquals("", server.exchange("abc" + GET));
            assertEquals("pause|", recorder.pieces.toString());
            recorder.exchange.resumeBody(); // by a thread outside of callbacks
            server.client.awaitIdle();
            String answers = server.received();
            assertTrue(
                    answers.startsWith("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\npause|abc|end{}HTTP/1.1 200 OK"),
                    answers);
        }
    }

    @Test
    void aBodyThatIsPausedAtItsLastPieceEndsWhenItIsResumed() {
        Recorder recorder = new Recorder();
        try (Embedded server = Embedded.open(exchange -> exchange.body(recorder))) {
            assertEquals("", server.exchange(post("pause")));
            recorder.exchange.resumeBody();
            server.client.awaitIdle();
            assertTrue(server.received().endsWith("pause|end{}"));
            assertTrue(server.exchange(GET).startsWith("HTTP/1.1 200"));
        }
    }

    @Test
    void anAnswerEndsThePauseOfABody() {
        Recorder recorder = new Recorder();
        try (Embedded server = Embedded.open(exchange -> {
            if (exchange.method().equals("GET")) {
                exchange.send(204);
            } else {
                exchange.body(recorder);
            }
        })) {
            for (boolean inCallback : new boolean[] {false, true}) {
                recorder.pieces.setLength(0);
                assertEquals("", server.exchange("POST / HTTP/1.1\r\n" + HOST + "Content-Length: 8\r\n\r\npause"));
                if (inCallback) {
                    server.client.connection().execute(() -> recorder.exchange.send(403));
                } else {
                    recorder.exchange.send(403);
                }
                server.client.awaitIdle();
                assertTrue(server.received().startsWith("HTTP/1.1 403"));
                assertTrue(server.exchange("abc" + GET).startsWith("HTTP/1.1 204"), "the rest was dropped");
            }
        }
    }

    @Test
    void limitsOfABodyAreHeld() {
        HttpService service = Http.server(ECHO).withLimits(HttpLimits.DEFAULT.withBodyBytes(10));
        try (Embedded server = Embedded.open(service)) {
            assertTrue(server.exchange(post("x".repeat(10))).startsWith("HTTP/1.1 200"));
            assertTrue(server.exchange(chunked("x".repeat(9), "y")).startsWith("HTTP/1.1 200"));
            assertTrue(server.exchange(chunked("x".repeat(9), "yz")).startsWith("HTTP/1.1 413"));
            assertTrue(server.isEnded());
        }
        try (Embedded server = Embedded.open(exchange -> exchange.wholeBody(3, (own, body) -> own.send(200)))) {
            String answer = server.exchange(post("four"));
            assertTrue(answer.startsWith("HTTP/1.1 413 Content Too Large\r\nConnection: close\r\n"), answer);
        }
    }

    @Test
    void aBodyThatBreaksOffFailsItsReceiver() {
        Recorder recorder = new Recorder();
        try (Embedded server = Embedded.open(exchange -> exchange.body(recorder))) {
            server.exchange("POST / HTTP/1.1\r\n" + HOST + "Content-Length: 8\r\n\r\nab");
            server.client.peerEnds();
            assertTrue(server.received().startsWith("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n"));
            assertEquals(java.io.EOFException.class, recorder.failure.getClass());
        }
        Recorder reset = new Recorder();
        try (Embedded server = Embedded.open(exchange -> exchange.body(reset))) {
            server.exchange("POST / HTTP/1.1\r\n" + HOST + "Content-Length: 8\r\n\r\nab");
            server.client.peerResets();
            server.client.awaitIdle();
            assertTrue(reset.failure.getMessage().contains("ECONNRESET"), reset.failure.toString());
            assertFalse(reset.exchange.isOpen());
        }
    }

    /** The memory of the received bytes serves other connections after the callback; see ConnectionHandler.data. */
    @Test
    void viewsOfTheHeadAreValidInLaterCallbacks() {
        List<HttpText> views = new ArrayList<>();
        try (Embedded server = Embedded.open(exchange -> {
            views.add(exchange.target());
            views.add(exchange.path());
            views.add(exchange.fields().name(1));
            views.add(exchange.fields().first("X"));
            exchange.wholeBody(100, (own, body) -> own.send(200, null, String.join(" ", views)));
        })) {
            for (String field : new String[] {"one", "two"}) {
                String head = "POST /" + field + "?q HTTP/1.1\r\n" + HOST + "X: " + field;
                assertEquals("", server.exchange(head + "\r\nContent-Length: 99\r\n\r\n"));
                assertTrue(server.exchange("-".repeat(99)).endsWith("/" + field + "?q /" + field + " X " + field));
                views.clear();
            }
        }
    }

    @Test
    void theHeadCanBeReadInLaterCallbacks() {
        try (Embedded server = Embedded.open(exchange -> exchange.wholeBody(
                100,
                (own, body) -> own.send(
                        200, null, own.method() + own.path() + own.fields().first("host"))))) {
            String request = post("12345");
            server.exchange(request.substring(0, request.length() - 3));
            server.exchange("3");
            assertTrue(server.exchange("45").endsWith("POST/a"));
        }
    }
}
