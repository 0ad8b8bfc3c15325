package org.cabrank.http;

import static org.cabrank.http.Embedded.GET;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.cabrank.http.wire.RequestReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that two servers could read differently: each is refused, and nothing behind it is answered. */
@Timeout(300)
class SmugglingTest {
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\n";
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n";
    private static final String HIDDEN = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n";

    /** Each with a hidden request behind it. */
    static Stream<String> attacks() {
        return Stream.of(
                        // Two lengths.
                        POST + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        POST + "Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n",
                        POST + "Content-Length: 0\r\nContent-Length: 44\r\n\r\n",
                        POST + "Content-Length: 44\r\ncontent-length: 44\r\n\r\n",
                        POST + "Content-Length: 44, 44\r\n\r\n",
                        POST + "Content-Length: +0\r\n\r\n",
                        POST + "Content-Length: 0x0\r\n\r\n",
                        POST + "Content-Length: 0_0\r\n\r\n",
                        POST + "Content-Length: \r\n\r\n",
                        POST + "Content-Length: 18446744073709551616\r\n\r\n",
                        // Codings that hide the chunked one.
                        POST + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                        POST + "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n",
                        POST + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
                        POST + "Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n",
                        POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        POST + "Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n",
                        POST + "Transfer-Encoding: chunked\u000b\r\n\r\n0\r\n\r\n",
                        POST + "Transfer-Encoding:\u000bchunked\r\n\r\n0\r\n\r\n",
                        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        // Spaces and folds.
                        POST + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
                        POST + " Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        POST + "X: y\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        POST + "X: y\r\n\tz\r\n\r\n",
                        POST + "Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n",
                        " " + GET,
                        "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
                        "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n",
                        "GET / HTTP/1.1 \r\nHost: a\r\n\r\n",
                        "GET / x HTTP/1.1\r\nHost: a\r\n\r\n",
                        // Line ends.
                        "GET / HTTP/1.1\nHost: a\n\n",
                        POST + "X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        POST + "X: y\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        POST + "X: y\r\n\n",
                        POST + "X: \u0000\r\n\r\n",
                        // Hosts.
                        "GET / HTTP/1.1\r\n\r\n",
                        "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
                        "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n",
                        "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
                        "GET http://a@b/ HTTP/1.1\r\nHost: b\r\n\r\n",
                        // Chunks.
                        CHUNKED + "\r\n\r\n\r\n",
                        CHUNKED + "\r\n0x0\r\n\r\n",
                        CHUNKED + "\r\n-0\r\n\r\n",
                        CHUNKED + "\r\n 0\r\n\r\n",
                        CHUNKED + "\r\n0 \r\n\r\n",
                        CHUNKED + "\r\n0\n\r\n",
                        CHUNKED + "\r\n0;x\n\r\n",
                        CHUNKED + "\r\n0;x\ry\r\n\r\n",
                        CHUNKED + "\r\n0;x=\"\r\n\r\n",
                        CHUNKED + "\r\n0;x=\"\r\n\r\n\"\r\n\r\n",
                        CHUNKED + "\r\n0;x=\"a\rb\"\r\n\r\n",
                        CHUNKED + "\r\n0;x=\"a\nb\"\r\n\r\n",
                        CHUNKED + "\r\n0;x=\"\\\r\n\"\r\n\r\n",
                        CHUNKED + "\r\n0;x=\"a\\\"\r\n\r\n",
                        CHUNKED + "\r\n0;x=\"a\"b\r\n\r\n",
                        CHUNKED + "\r\n0;x=\"a\"\"b\"\r\n\r\n",
                        CHUNKED + "\r\n0;x=a\"b\"\r\n\r\n",
                        CHUNKED + "\r\n0;x\"a\"\r\n\r\n",
                        CHUNKED + "\r\n0;\"x\"=a\r\n\r\n",
                        CHUNKED + "\r\n0;bad[=x\r\n\r\n",
                        CHUNKED + "\r\n0;x=a[\r\n\r\n",
                        CHUNKED + "\r\n0;x=a b\r\n\r\n",
                        CHUNKED + "\r\n0;x y\r\n\r\n",
                        CHUNKED + "\r\n0;\r\n\r\n",
                        CHUNKED + "\r\n0;;x\r\n\r\n",
                        CHUNKED + "\r\n0;x=\r\n\r\n",
                        CHUNKED + "\r\n0;=a\r\n\r\n",
                        CHUNKED + "\r\n0;x==a\r\n\r\n",
                        CHUNKED + "\r\n0;x=a=b\r\n\r\n",
                        CHUNKED + "\r\n0 x\r\n\r\n",
                        CHUNKED + "\r\n0=x\r\n\r\n",
                        CHUNKED + "\r\n0;x \r\n\r\n",
                        CHUNKED + "\r\n0;x=\"\u0000\"\r\n\r\n",
                        CHUNKED + "\r\n0;x=\"\u007f\"\r\n\r\n",
                        CHUNKED + "\r\n0;x=\u00e4\r\n\r\n",
                        CHUNKED + "\r\n;x\r\n\r\n",
                        CHUNKED + "\r\n+0\r\n\r\n",
                        CHUNKED + "\r\n0_0\r\n\r\n",
                        CHUNKED + "\r\n" + "0".repeat(65) + "\r\n\r\n",
                        CHUNKED + "\r\n0\r\nX: y\r\n z\r\n\r\n",
                        CHUNKED + "\r\n0\r\n: y\r\n\r\n",
                        CHUNKED + "\r\n0\r\nX: y\n\r\n",
                        CHUNKED + "\r\n0\r\nX: \u0000\r\n\r\n",
                        CHUNKED + "\r\n1\r\nab\r\n0\r\n\r\n",
                        CHUNKED + "\r\n1\r\na0\r\n\r\n",
                        CHUNKED + "\r\n1\r\na\n0\r\n\r\n",
                        CHUNKED + "\r\n1000000000000000000000000000000000\r\n\r\n",
                        CHUNKED + "\r\n0\r\nX y\r\n\r\n",
                        CHUNKED + "\r\n0\r\nX : y\r\n\r\n",
                        // Other protocols.
                        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                        "GET /\r\n",
                        "\u0016\u0003\u0001\u0002\u0000\u0001\u0000")
                .map(attack -> attack + HIDDEN);
    }

    private static Embedded open(List<String> served) {
        return Embedded.open(exchange -> exchange.wholeBody(1_000, (own, body) -> {
            served.add(own.target().toString());
            own.send(200);
        }));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void noRequestIsHiddenBehindAnother(String attack) {
        List<String> served = new ArrayList<>();
        try (Embedded server = open(served)) {
            String answers = server.exchange(attack);
            assertEquals(1, AnswersTest.count(answers, "HTTP/1.1 "), answers);
            assertTrue(answers.matches("(?s)HTTP/1\\.1 (400|413|501|505) .*"), answers);
            assertTrue(answers.contains("\r\nConnection: close\r\n"), answers);
            assertTrue(server.isEnded());
            assertEquals(List.of(), served);
        }
    }

    @Test
    void eachRequestGivesTheSameResultHoweverItIsCut() {
        List<String> requests = new ArrayList<>(attacks().toList());
        requests.add(POST + "Content-Length: 3\r\n\r\nabc" + GET);
        requests.add(CHUNKED + "\r\n3;x=y\r\nabc\r\n1\r\nd\r\n0\r\nT: u\r\n\r\n" + GET);
        requests.add(
                CHUNKED + "\r\n3 ; x = \"a\\\"\\\\;\t\u00e4\"\t;y;z=t\r\nabc\r\n" + "0".repeat(64) + "\r\n\r\n" + GET);
        requests.add("\r\n\r\nOPTIONS * HTTP/1.1\r\nHost:\t[::1]:8080 \r\nX:\r\n\r\n");
        for (String request : requests) {
            String whole = outcomes(request);
            for (int cut = 1; cut < request.length(); cut++) {
                assertEquals(whole, outcomes(request.substring(0, cut), request.substring(cut)), request);
            }
            assertEquals(whole, outcomes(request.split("")), request);
        }
    }

    private static String outcomes(String... pieces) {
        RequestReader reader = new RequestReader();
        StringBuilder outcomes = new StringBuilder();
        for (String piece : pieces) {
            int result = reader.read(piece);
            while (result == RequestReader.REQUEST) {
                outcomes.append(reader.method())
                        .append(reader.content())
                        .append(reader.trailers())
                        .append('|');
                result = reader.next();
            }
            if (result != RequestReader.INCOMPLETE) {
                return outcomes.append(result).toString();
            }
        }
        return outcomes.toString();
    }

    @Test
    void aBodyThatLooksLikeARequestIsABody() {
        List<String> served = new ArrayList<>();
        try (Embedded server = open(served)) {
            server.exchange(Embedded.post(HIDDEN) + Embedded.chunked(HIDDEN, HIDDEN) + GET);
            assertEquals(List.of("/", "/", "/"), served);
            assertFalse(server.isEnded());
        }
    }
}
