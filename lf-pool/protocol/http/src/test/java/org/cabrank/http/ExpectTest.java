package org.cabrank.http;

import static org.cabrank.http.Embedded.GET;
import static org.cabrank.http.Embedded.HOST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.cabrank.http.client.HttpCall;
import org.cabrank.http.client.HttpResponse;
import org.cabrank.http.message.HttpFields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that wait for a permission to send a body (100-continue). Several cases are faults that other servers had. */
@Timeout(300)
class ExpectTest {
    private static final String HEAD =
            "POST / HTTP/1.1\r\n" + HOST + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n";
    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

    private static final HttpHandler ECHO =
            exchange -> exchange.wholeBody(1_000, (own, body) -> own.send(200, null, body));

    private HttpExchange kept;

    /** Echoes in pieces. */
    private static final class Echo implements HttpBody {
        @Override
        public void data(HttpExchange own, ByteBuffer bytes) {
            own.write(bytes);
        }

        @Override
        public void end(HttpExchange own, HttpFields trailers) {
            own.end();
        }
    }

    /** Jetty #204, Netty #7170, Ballerina #15976: the body came with the head, and one of the answers was missing or wrong. */
    @Test
    void aBodyThatDoesNotWaitIsServedAndSoIsTheNextRequest() {
        try (Embedded server = Embedded.open(ECHO)) {
            String answer = server.exchange(HEAD + "ok" + GET);
            assertTrue(
                    answer.startsWith(CONTINUE + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n"),
                    answer);
            assertFalse(server.isEnded());
        }
    }

    /** Undertow #144: the permission ended the answer of a request in chunks. */
    @Test
    void aBodyInChunksIsPermittedAndAnswered() {
        try (Embedded server = Embedded.open(ECHO)) {
            String head = HEAD.replace("Content-Length: 2", "Transfer-Encoding: chunked");
            assertEquals(CONTINUE, server.exchange(head));
            assertEquals("", server.exchange("2\r\nok\r\n"));
            assertTrue(server.exchange("0\r\n\r\n").endsWith("\r\n\r\nok"));
        }
    }

    /** dusty #163: the server waited for the body of a request that it had refused. */
    @Test
    void aBodyThatComesInSpiteOfARefusalIsNoRequest() {
        AtomicInteger requests = new AtomicInteger();
        try (Embedded server = Embedded.open(exchange -> {
            requests.incrementAndGet();
            exchange.send(403);
        })) {
            String answer = server.exchange(HEAD);
            assertTrue(answer.startsWith("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n"), answer);
            assertTrue(server.isEnded());
            assertEquals("", server.exchange("ok" + GET));
            assertEquals(1, requests.get());
        }
        try (Embedded server = Embedded.open(exchange -> exchange.send(403))) {
            String answer = server.exchange(HEAD + "GET / HTTP/1.1\r\n\r\n");
            assertEquals(answer.indexOf("HTTP/1.1"), answer.lastIndexOf("HTTP/1.1"), answer);
        }
    }

    /** xrootd #1120: the permission had fields. Those that the service has added belong to the answer. */
    @Test
    void thePermissionHasNoFields() {
        try (Embedded server = Embedded.open(
                exchange -> exchange.addField("X-Own", "1").wholeBody(10, (own, body) -> own.send(200)))) {
            assertEquals(CONTINUE, server.exchange(HEAD));
            assertEquals("HTTP/1.1 200 OK\r\nX-Own: 1\r\nContent-Length: 0\r\n\r\n", server.exchange("ok"));
        }
    }

    @Test
    void anAnswerInTheSameCallTakesThePlaceOfThePermission() {
        try (Embedded server = Embedded.open(exchange -> {
            exchange.body(new Echo());
            exchange.send(403);
        })) {
            assertTrue(server.exchange(HEAD).startsWith("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n"));
            assertTrue(server.isEnded());
        }
    }

    @Test
    void anAnswerThatBeginsBeforeTheBodyIsBehindThePermission() {
        try (Embedded server = Embedded.open(exchange -> {
            exchange.body(new Echo());
            exchange.begin(200, 2);
        })) {
            assertEquals(CONTINUE + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", server.exchange(HEAD));
            assertEquals("ok", server.exchange("ok"));
            assertFalse(server.isEnded());
        }
    }

    /** For a relay: the other server permits the body, or refuses it. */
    @Test
    void aBodyThatIsPausedIsPermittedWhenItIsResumed() {
        HttpHandler pausing = exchange -> {
            exchange.body(new Echo());
            exchange.pauseBody();
            kept = exchange.detach();
        };
        try (Embedded server = Embedded.open(pausing)) {
            assertEquals("", server.exchange(HEAD));
            server.advance(Duration.ofMinutes(2));
            assertEquals("", server.received());
            kept.resumeBody();
            server.client.awaitIdle();
            assertEquals(CONTINUE, server.received());
            kept.begin(200, 2);
            server.client.awaitIdle();
            assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", server.received() + server.exchange("ok"));
            assertFalse(server.isEnded());
        }
        try (Embedded server = Embedded.open(pausing)) {
            assertEquals("", server.exchange(HEAD));
            kept.send(403);
            server.client.awaitIdle();
            assertEquals("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", server.received());
            assertTrue(server.isEnded());
        }
    }

    /** The client has nothing to send until it is answered. */
    @Test
    void timeForABodyRunsFromItsPermission() {
        try (Embedded server = Embedded.open(exchange -> kept = exchange.detach())) {
            assertEquals("", server.exchange(HEAD));
            server.advance(HttpTimeouts.DEFAULT.body().multipliedBy(3));
            assertEquals("", server.received());
            kept.send(403);
            server.client.awaitIdle();
            assertTrue(server.received().startsWith("HTTP/1.1 403 Forbidden\r\n"));
        }
        try (Embedded server = Embedded.open(ECHO)) {
            assertEquals(CONTINUE, server.exchange(HEAD));
            server.advance(HttpTimeouts.DEFAULT.body().plusSeconds(1));
            assertTrue(server.received().startsWith("HTTP/1.1 408 Request Timeout\r\n"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void timeForABodyDoesNotRunDuringOffloadedWork(boolean expects) {
        CompletableFuture<Runnable> work = new CompletableFuture<>();
        try (Embedded server = Embedded.open(exchange -> exchange.offload(
                work::complete,
                () -> null,
                (own, nothing) -> own.wholeBody(10, (same, body) -> same.send(200, null, body))))) {
            String head = expects ? HEAD : HEAD.replace("Expect: 100-continue\r\n", "");
            assertEquals("", server.exchange(head));
            server.advance(HttpTimeouts.DEFAULT.body().multipliedBy(3));
            work.join().run();
            server.client.awaitIdle();
            assertEquals(expects ? CONTINUE : "", server.received());
            server.advance(HttpTimeouts.DEFAULT.body().dividedBy(2));
            assertTrue(server.exchange("ok").endsWith("\r\n\r\nok"));
        }
    }

    @Test
    void aBodyThatOffloadedWorkDoesNotWantHasItsTime() {
        try (Embedded server = Embedded.open(
                exchange -> exchange.offload(Runnable::run, () -> null, (own, nothing) -> own.send(200)))) {
            String answer = server.exchange(HEAD.replace("Expect: 100-continue\r\n", ""));
            server.client.awaitIdle();
            assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", answer + server.received());
            assertFalse(server.isEnded());
            server.advance(HttpTimeouts.DEFAULT.body().plusSeconds(1));
            assertTrue(server.isEnded());
        }
    }

    @Test
    void offloadedWorkDecidesOnTheBody() {
        try (Embedded server = Embedded.open(exchange -> exchange.offload(
                Runnable::run,
                () -> null,
                (own, nothing) -> own.wholeBody(10, (same, body) -> same.send(200, null, body))))) {
            String answer = server.exchange(HEAD);
            server.client.awaitIdle();
            assertEquals(CONTINUE, answer + server.received());
            assertTrue(server.exchange("ok").endsWith("\r\n\r\nok"));
            assertFalse(server.isEnded());
        }
    }

    // ---- both sides, with sockets ----

    static Stream<Site.Mode> modes() {
        return Site.Mode.all();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aBodyIsSentWhenItIsWantedAndNotWhenItIsRefused(Site.Mode mode) throws Exception {
        try (Site site = Site.start(mode, exchange -> {
            if (exchange.path().is("/refused")) {
                exchange.send(403);
            } else {
                ECHO.request(exchange);
            }
        })) {
            AtomicInteger begun = new AtomicInteger();
            HttpCall call = HttpCall.of("PUT", URI.create(site.uri()))
                    .withBody(5, transfer -> {
                        begun.incrementAndGet();
                        transfer.write(ByteBuffer.wrap("hello".getBytes(StandardCharsets.US_ASCII)));
                        transfer.end();
                    })
                    .expectContinue();
            HttpResponse wanted = site.client().send(call).get(120, TimeUnit.SECONDS);
            assertEquals("200 hello", wanted.status() + " " + wanted.text());
            assertEquals(1, begun.get());
            HttpCall refused = HttpCall.of("PUT", URI.create(site.uri() + "/refused"))
                    .withBody(5, transfer -> begun.incrementAndGet())
                    .expectContinue();
            assertEquals(
                    403, site.client().send(refused).get(120, TimeUnit.SECONDS).status());
            assertEquals(1, begun.get());
        }
    }
}
