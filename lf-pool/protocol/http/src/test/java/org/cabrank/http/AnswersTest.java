package org.cabrank.http;

import static org.cabrank.http.Embedded.GET;
import static org.cabrank.http.Embedded.HOST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of answers, and the end of the connection that they state. */
@Timeout(300)
class AnswersTest {
    private static final HttpHandler HELLO = exchange -> exchange.send(200, "text/plain", "hello");
    private static final String HELLO_11 =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";

    @Test
    void anAnswerHasADate() {
        try (Embedded server = Embedded.open(HELLO)) {
            server.client.peerSends(GET);
            String answer = server.client.peerReceives();
            assertTrue(
                    answer.matches("(?s).*\r\nDate: \\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT\r\n.*"),
                    answer);
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() {
        List<String> targets = new ArrayList<>();
        try (Embedded server = Embedded.open(exchange -> {
            targets.add(exchange.target().toString());
            exchange.send(200, null, exchange.target().toString());
        })) {
            String answers = server.exchange("GET /a HTTP/1.1\r\n" + HOST + "\r\nGET /b HTTP/1.1\r\n" + HOST + "\r\n");
            assertEquals(List.of("/a", "/b"), targets);
            assertEquals(
                    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n/aHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n/b",
                    answers);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, 1.0, '', close, true",
        "GET, 1.0, 'Connection: keep-alive\r\n', keep-alive, false",
        "POST, 1.0, '', close, true",
        "BREW, 1.0, 'Connection: keep-alive\r\n', keep-alive, false",
        "GET, 1.1, '', , false",
        "POST, 1.1, 'Connection: close\r\n', close, true",
        "BREW, 1.1, 'Connection: keep-alive\r\n', , false"
    })
    void answersStateTheEndOfTheConnection(String method, String version, String field, String stated, boolean ends) {
        try (Embedded server = Embedded.open(HELLO)) {
            String answer = server.exchange(method + " / HTTP/" + version + "\r\n" + HOST + field + "\r\n");
            assertEquals(stated == null ? "" : stated, field(answer, "Connection"), answer);
            assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n"), answer);
            assertEquals(ends, server.isEnded());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HEAD / HTTP/1.1, 'Host: a\r\n', 200",
        "HEAD / HTTP/1.0, '', 200",
        "HEAD / HTTP/1.1, '', 400",
        "HEAD foo HTTP/1.1, 'Host: a\r\n', 400",
        "HEAD / HTTP/1.0, 'Host: a b@@/\r\n', 400",
        "HEAD / HTTP/2.0, '', 505",
        "HEAD / HTTP/1.1, 'Host: a\r\nContent-Length: 9999999\r\n', 413",
        "HEAD / HTTP/1.1, 'Host: a\r\nTransfer-Encoding: gzip, chunked\r\n', 501",
        "HEAD / HTTP/1.1, 'Host: a\r\nExpect: wonders\r\n', 417"
    })
    void noBodyFollowsTheAnswerToHead(String line, String fields, int status) {
        try (Embedded server = Embedded.open(HELLO)) {
            String answer = server.exchange(line + "\r\n" + fields + "\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
            assertTrue(answer.endsWith("\r\n\r\n"), answer);
            assertEquals(1, count(answer, "HTTP/1.1 "), answer);
            assertFalse(field(answer, "Content-Length").isEmpty(), answer);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'GET foo HTTP/1.1\r\nHost: a\r\n\r\n', 400 Bad Request",
        "'GET / HTTP/1.1\nHost: a\n\n', 400 Bad Request",
        "'GET / HTTP/3.0\r\n\r\n', 505 HTTP Version Not Supported",
        "'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505 HTTP Version Not Supported",
        "'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n', 413 Content Too Large",
        "'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx', 400 Bad Request"
    })
    void anErrorIsAnsweredOnceAndEndsTheConnection(String request, String status) {
        HttpService service = Http.server(exchange -> exchange.wholeBody(10_000, (own, body) -> own.send(200)));
        try (Embedded server = Embedded.open(service)) {
            String answer = server.exchange(request + GET);
            assertTrue(answer.startsWith("HTTP/1.1 " + status + "\r\n"), answer);
            assertEquals(1, count(answer, "HTTP/1.1 "), answer);
            assertEquals("close", field(answer, "Connection"), answer);
            assertTrue(server.isEnded());
            assertEquals(1, service.counters().refused());
        }
    }

    @Test
    void anAnswerWithoutABodyHasNoLength() {
        try (Embedded server = Embedded.open(exchange -> exchange.send(204))) {
            assertEquals("HTTP/1.1 204 No Content\r\n\r\n", server.exchange(GET));
        }
        assertThrows(IllegalArgumentException.class, () -> HttpAnswer.text(204, "text"));
    }

    @Test
    void fieldsThatWouldBreakTheMessageAreRefused() {
        List<Throwable> refused = new ArrayList<>();
        try (Embedded server = Embedded.open(exchange -> {
            for (String[] field : new String[][] {
                {"A b", "c"},
                {"", "c"},
                {"A", "b\r\nC: d"},
                {"A", "\u0000"},
                {"A", "\u20ac"},
                {"Content-Length", "1"},
                {"transfer-encoding", "chunked"},
                {"Connection", "close"}
            }) {
                refused.add(assertThrows(
                        IllegalArgumentException.class, () -> exchange.addField(field[0], field[1]), field[0]));
            }
            exchange.addField("X-Own", "\u00e4 b").send(200);
        })) {
            assertEquals("HTTP/1.1 200 OK\r\nX-Own: \ufffd b\r\nContent-Length: 0\r\n\r\n", server.exchange(GET));
        }
        assertEquals(8, refused.size());
    }

    @Test
    void aRequestHasOneAnswer() {
        List<Throwable> refused = new ArrayList<>();
        try (Embedded server = Embedded.open(exchange -> {
            exchange.send(200, null, "one");
            refused.add(assertThrows(IllegalStateException.class, () -> exchange.send(200, null, "two")));
            refused.add(assertThrows(
                    IllegalStateException.class, () -> exchange.fields().count()));
        })) {
            assertEquals(1, count(server.exchange(GET), "HTTP/1.1 "));
        }
        assertEquals(2, refused.size());
    }

    @Test
    void aHandlerThatThrowsIsAnsweredWith500AndTheConnectionStays() {
        HttpService service = Http.server(exchange -> {
            if (exchange.target().is("/bad")) {
                throw new IllegalArgumentException("bad");
            }
            HELLO.request(exchange);
        });
        try (Embedded server = Embedded.open(service)) {
            String answer = server.exchange("GET /bad HTTP/1.1\r\n" + HOST + "\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 500 Internal Server Error\r\n"), answer);
            assertEquals("", field(answer, "Connection"));
            assertEquals(HELLO_11, server.exchange(GET));
            assertEquals(1, service.counters().handlerFailures());
        }
    }

    @Test
    void aHandlerWithoutAnAnswerIsAnsweredWith500() {
        try (Embedded server = Embedded.open(exchange -> {})) {
            assertTrue(server.exchange(GET).startsWith("HTTP/1.1 500 "));
        }
    }

    @Test
    void aHandlerThatThrowsInItsAnswerResetsTheConnection() {
        try (Embedded server = Embedded.open(exchange -> {
            exchange.begin(200, HttpExchange.UNKNOWN_LENGTH);
            exchange.write(StandardCharsets.US_ASCII.encode("part"));
            throw new IllegalStateException("in the middle");
        })) {
            server.exchange(GET);
            assertTrue(server.client.isReset());
        }
    }

    @Test
    void aLargeBodyFollowsItsHead() {
        byte[] body = new byte[100_000];
        HttpAnswer answer = HttpAnswer.of(200, null, body);
        try (Embedded server = Embedded.open(exchange -> exchange.send(answer))) {
            assertEquals(
                    "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".length() + body.length,
                    server.exchange(GET).length());
        }
        try (Embedded server = Embedded.open(exchange -> exchange.send(200, null, ByteBuffer.wrap(body)))) {
            assertEquals(
                    "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".length() + body.length,
                    server.exchange(GET).length());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 9, 10, 15, 16, 255, 4096, 20_000})
    void anAnswerInChunksIsThoseBytes(int bytes) {
        try (Embedded server = Embedded.open(exchange -> {
            exchange.begin(200, HttpExchange.UNKNOWN_LENGTH);
            exchange.write(ByteBuffer.wrap("x".repeat(bytes).getBytes(StandardCharsets.US_ASCII)));
            exchange.write(ByteBuffer.allocate(0));
            exchange.addTrailer("X-Sum", "1");
            exchange.end();
        })) {
            assertEquals(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(bytes) + "\r\n"
                            + "x".repeat(bytes) + "\r\n0\r\nX-Sum: 1\r\n\r\n",
                    server.exchange(GET));
            assertFalse(server.isEnded());
        }
    }

    @Test
    void anAnswerOfUnknownLengthEndsWithTheConnectionForHttp10() {
        try (Embedded server = Embedded.open(exchange -> {
            exchange.begin(200, HttpExchange.UNKNOWN_LENGTH);
            exchange.write(StandardCharsets.US_ASCII.encode("all"));
            exchange.end();
        })) {
            assertEquals(
                    "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall",
                    server.exchange("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
            assertTrue(server.isEnded());
        }
    }

    @Test
    void anAnswerHasTheLengthThatItAnnounces() {
        List<Throwable> refused = new ArrayList<>();
        try (Embedded server = Embedded.open(exchange -> {
            exchange.begin(200, 3);
            refused.add(assertThrows(
                    IllegalStateException.class, () -> exchange.write(StandardCharsets.US_ASCII.encode("four"))));
            exchange.write(StandardCharsets.US_ASCII.encode("two".substring(1)));
            refused.add(assertThrows(IllegalStateException.class, exchange::end));
        })) {
            server.exchange(GET);
            assertTrue(server.client.isReset());
        }
        assertEquals(2, refused.size());
    }

    @Test
    void theTargetIsTakenApart() {
        try (Embedded server = Embedded.open(exchange ->
                exchange.send(200, null, exchange.path() + " " + exchange.query() + " " + exchange.authority()))) {
            assertTrue(server.exchange("GET /a%20b?c=d?e HTTP/1.1\r\nHost: h:1\r\n\r\n")
                    .endsWith("/a%20b c=d?e h:1"));
            assertTrue(server.exchange("GET http://x:2?q HTTP/1.1\r\nHost: h\r\n\r\n")
                    .endsWith("/ q x:2"));
            assertTrue(server.exchange("GET http://x/p HTTP/1.1\r\nHost: h\r\n\r\n")
                    .endsWith("/p null x"));
            assertTrue(
                    server.exchange("GET //x:2/p HTTP/1.1\r\nHost: h\r\n\r\n").endsWith("//x:2/p null h"));
            assertTrue(server.exchange("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n").endsWith("* null h"));
            assertTrue(server.exchange("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                    .endsWith("/ null null"));
            assertTrue(
                    server.exchange("CONNECT x:443 HTTP/1.1\r\nHost: h\r\n\r\n").endsWith(" null x:443"));
        }
    }

    @Test
    void fieldsAreFoundWithoutCase() {
        try (Embedded server = Embedded.open(exchange -> {
            assertEquals("1", exchange.fields().first("x-one").toString());
            assertEquals(List.of("2", "3, 4"), exchange.fields().all("X-Two"));
            assertTrue(exchange.fields().hasElement("x-two", "4"));
            assertFalse(exchange.fields().hasElement("x-two", "3, 4"));
            assertEquals(null, exchange.fields().first("x-three"));
            assertEquals(17, exchange.fields().first("n").toLong());
            assertEquals(-1, exchange.fields().first("x-two").subSequence(0, 1).length() - 2);
            exchange.send(200);
        })) {
            assertTrue(
                    server.exchange("GET / HTTP/1.1\r\nHost: a\r\nX-One: 1\r\nX-Two:2\r\nx-TWO: 3, 4 \r\nN: 17\r\n\r\n")
                            .startsWith("HTTP/1.1 200"));
        }
    }

    static String field(String answer, String name) {
        return answer.lines()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .findFirst()
                .orElse("");
    }

    static int count(String text, String part) {
        return (text.length() - text.replace(part, "").length()) / part.length();
    }
}
