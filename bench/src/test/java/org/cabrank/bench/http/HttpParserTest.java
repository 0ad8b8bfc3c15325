package org.cabrank.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpParserTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String HEAD = "HEAD /x?y=%20 HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\nGET / HTTP/";

    private final HttpParser parser = new HttpParser();

    @Test
    void aRequestIsFoundInOneRead() {
        assertEquals(HttpParser.REQUEST, parse(GET));
        assertEquals(HttpMethod.GET, parser.method());
        assertTrue(parser.keepsAlive());
        assertFalse(parser.version10());
    }

    @Test
    void aRequestIsIncompleteUntilItsLastByte() {
        byte[] bytes = GET.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < bytes.length - 1; i++) {
            assertEquals(HttpParser.INCOMPLETE, parser.parse(ByteBuffer.wrap(bytes, i, 1)), "after byte " + i);
        }
        assertEquals(HttpParser.REQUEST, parser.parse(ByteBuffer.wrap(bytes, bytes.length - 1, 1)));
    }

    @Test
    void pipelinedRequestsAreFoundOneByOne() {
        assertEquals(
                List.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.KNOWN, HttpMethod.GET),
                methods(List.of(GET + HEAD + POST + GET)));
    }

    @Test
    void pipelinedRequestsAreFoundHoweverTheyAreCut() {
        String stream = GET + HEAD + POST + GET + POST + HEAD;
        List<HttpMethod> whole = methods(List.of(stream));
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 2_000; round++) {
            List<String> pieces = new ArrayList<>();
            for (int at = 0; at < stream.length(); ) {
                int end = Math.min(stream.length(), at + 1 + random.nextInt(1 + random.nextInt(60)));
                pieces.add(stream.substring(at, end));
                at = end;
            }
            assertEquals(whole, methods(pieces), () -> "cut as " + pieces);
        }
    }

    @Test
    void aBodyIsSkippedEvenWhenItLooksLikeARequest() {
        String body = GET.repeat(3);
        String post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        assertEquals(List.of(HttpMethod.KNOWN, HttpMethod.HEAD), methods(List.of(post + HEAD)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\nHost: a\n\n",
                "GET / HTTP/1.1\r\nHOST:a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: \t a \t\r\nX: \"\u00e4\"\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n",
                "GET / HTTP/1.7\r\nHost: a\r\n\r\n",
                "GET * HTTP/1.0\r\n\r\n"
            })
    void unusualButLegalRequestsAreRequests(String request) {
        assertEquals(HttpParser.REQUEST, parse(request));
        assertEquals(HttpMethod.GET, parser.method());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " GET / HTTP/1.1\r\n",
                "GET  / HTTP/1.1\r\n",
                "G\u0001T / HTTP/1.1\r\n",
                "GET / HTTP/1.1 \r\n",
                "GET / HTTP/1\r\n",
                "GET / HTTP/1.x\r\n",
                "GET / http/1.1\r\n",
                "GET /\r\n",
                "GET /\u0000 HTTP/1.1\r\n",
                "GET / HTTP/1.1\rX",
                "GET / HTTP/1.1\r\n: a\r\n",
                "GET / HTTP/1.1\r\n Host: a\r\n",
                "GET / HTTP/1.1\r\nHost : a\r\n",
                "GET / HTTP/1.1\r\nHost: a\rb",
                "GET / HTTP/1.1\r\nHost: a\u0000\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "GET / HTTP/1.1\r\nContent-Length: -1\r\n",
                "GET / HTTP/1.1\r\nContent-Length: 1 2\r\n",
                "GET / HTTP/1.1\r\nContent-Length:\r\n",
                "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n",
                "GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"
            })
    void garbageIsABadRequest(String garbage) {
        assertEquals(HttpParser.BAD_REQUEST, parse(garbage));
    }

    @Test
    void aForeignMajorVersionIsNotSupported() {
        assertEquals(HttpParser.VERSION_NOT_SUPPORTED, parse("GET / HTTP/2.0\r\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "GET,GET",
        "HEAD,HEAD",
        "POST,KNOWN",
        "CONNECT,KNOWN",
        "get,UNKNOWN",
        "BREW,UNKNOWN",
        "PROPPATCHX,UNKNOWN"
    })
    void methodsAreToldApart(String token, HttpMethod method) {
        assertEquals(HttpParser.REQUEST, parse(token + " / HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(method, parser.method());
    }

    @ParameterizedTest
    @CsvSource({
        "1.1, X: y, true",
        "1.1, Connection: close, false",
        "1.1, CONNECTION: Close, false",
        "1.1, 'Connection: upgrade, close', false",
        "1.1, Connection: closed, true",
        "1.0, X: y, false",
        "1.0, Connection: keep-alive, true",
        "1.0, 'Connection: keep-alive, close', false",
        "1.1, Transfer-Encoding: chunked, false",
        "1.1, Expect: 100-continue, false"
    })
    void theConnectionStaysWhenBothSidesCanGoOn(String version, String field, boolean stays) {
        assertEquals(HttpParser.REQUEST, parse("GET / HTTP/" + version + "\r\nHost: a\r\n" + field + "\r\n\r\n"));
        assertEquals(stays, parser.keepsAlive());
    }

    @Test
    void fieldsOfOneRequestDoNotReachTheNext() {
        assertEquals(HttpParser.REQUEST, parse("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
        assertEquals(HttpParser.REQUEST, parse(GET));
        assertTrue(parser.keepsAlive());
    }

    @Test
    void aHeadOfExactlyTheLimitIsARequest() {
        assertEquals(HttpParser.REQUEST, parse(headOf(HttpParser.HEAD_BYTES_MAX)));
    }

    @Test
    void aLongerHeadIsTooLong() {
        assertEquals(HttpParser.HEAD_TOO_LONG, parse(headOf(HttpParser.HEAD_BYTES_MAX + 1)));
    }

    @Test
    void aLongerHeadIsTooLongByteByByteToo() {
        byte[] bytes = headOf(HttpParser.HEAD_BYTES_MAX + 1).getBytes(StandardCharsets.US_ASCII);
        int result = HttpParser.INCOMPLETE;
        for (int i = 0; i < bytes.length && result == HttpParser.INCOMPLETE; i++) {
            result = parser.parse(ByteBuffer.wrap(bytes, i, 1));
        }
        assertEquals(HttpParser.HEAD_TOO_LONG, result);
    }

    @Test
    void aTargetOfThatLengthIsTooLong() {
        assertEquals(HttpParser.TARGET_TOO_LONG, parse("GET /" + "x".repeat(HttpParser.HEAD_BYTES_MAX)));
    }

    @Test
    void theLimitCountsEachRequestAnew() {
        for (int i = 0; i < 3; i++) {
            assertEquals(HttpParser.REQUEST, parse(headOf(HttpParser.HEAD_BYTES_MAX)));
        }
    }

    private static String headOf(int bytes) {
        String start = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
        String end = "\r\n\r\n";
        return start + "x".repeat(bytes - start.length() - end.length()) + end;
    }

    private int parse(String text) {
        return parser.parse(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static List<HttpMethod> methods(List<String> reads) {
        HttpParser parser = new HttpParser();
        List<HttpMethod> methods = new ArrayList<>();
        for (String read : reads) {
            ByteBuffer data = ByteBuffer.wrap(read.getBytes(StandardCharsets.ISO_8859_1));
            int result = parser.parse(data);
            while (result == HttpParser.REQUEST) {
                methods.add(parser.method());
                result = parser.parse(data);
            }
            assertEquals(HttpParser.INCOMPLETE, result);
        }
        return methods;
    }
}
