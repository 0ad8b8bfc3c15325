package org.cabrank.http.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.http.message.HttpStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestSyntaxTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String HEAD = "HEAD /x?y=%20 HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\nGET / HTTP/";

    private static final String CHUNKED = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

    private static final int HEAD_BYTES_MAX = HttpLimits.DEFAULT.headBytes();
    private static final int BODY_BYTES_MAX = (int) HttpLimits.DEFAULT.bodyBytes();

    private final RequestReader parser = new RequestReader();

    @Test
    void aRequestIsFoundInOneRead() {
        assertEquals(RequestReader.REQUEST, parse(GET));
        assertEquals("GET", parser.method());
        assertTrue(parser.keepsAlive());
        assertFalse(parser.version10());
    }

    @Test
    void aRequestIsIncompleteUntilItsLastByte() {
        for (int i = 0; i < GET.length() - 1; i++) {
            assertEquals(RequestReader.INCOMPLETE, parse(GET.substring(i, i + 1)), "after byte " + i);
        }
        assertEquals(RequestReader.REQUEST, parse(GET.substring(GET.length() - 1)));
    }

    @Test
    void pipelinedRequestsAreFoundOneByOne() {
        assertEquals(List.of("GET", "HEAD", "POST", "GET"), methods(List.of(GET + HEAD + POST + GET)));
    }

    @Test
    void pipelinedRequestsAreFoundHoweverTheyAreCut() {
        String stream = GET + HEAD + POST + GET + POST + HEAD;
        List<String> whole = methods(List.of(stream));
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
        assertEquals(List.of("POST", "HEAD"), methods(List.of(post + HEAD)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHOST:a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: \t a \t\r\nX: \"\u00e4\"\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 000\r\n\r\n",
                "GET / HTTP/1.7\r\nHost: a\r\n\r\n",
                "GET /?a=[b]|{c}%20^`\\ HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /%?100%&a=\"b\"<c>%g0%2 HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /\u00e6\u0097\u00a5?q=\u00c3\u00a4\u0080\u00ff HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET http://a?%\"<> HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET http://a HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET HTTPS://a.b:81/c?d HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET http://[::1]?d HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.0\r\n\r\n",
                "GET / HTTP/1.0\r\nExpect: wonders\r\n\r\n"
            })
    void unusualButLegalRequestsAreRequests(String request) {
        assertEquals(RequestReader.REQUEST, parse(request));
        assertEquals("GET", parser.method());
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
                "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n",
                "GET / HTTP/1.1\r\nHost : a\r\n",
                "GET / HTTP/1.1\r\nHost: a\rb",
                "GET / HTTP/1.1\r\nX: a\r\r\n",
                "GET / HTTP/1.1\r\nHost: a\u0000\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"
            })
    void garbageIsABadRequest(String garbage) {
        assertEquals(HttpStatus.BAD_REQUEST, parse(garbage));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\nGET / HTTP/1.1\r\n",
                "\r\rGET / HTTP/1.1\r\n",
                "GET / HTTP/1.1\nHost: a\n\n",
                "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX: b\nY: c\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n\n"
            })
    void aLineThatEndsWithoutCarriageReturnIsABadRequest(String request) {
        assertEquals(HttpStatus.BAD_REQUEST, parse(request));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET foo",
                "GET /\u007f",
                "GET /\u0001",
                "GET /\u001f",
                "GET /a\tb",
                "GET /a?b c",
                "GET http://\u00e4/",
                "GET http://a<b/",
                "GET * ",
                "GET /a#b",
                "GET ftp://a/",
                "GET http:/a",
                "GET http:///a",
                "GET http://a@b/",
                "GET http://a b/",
                "GET http://a:b/",
                "OPTIONS *a",
                "OPTIONS a",
                "CONNECT /",
                "CONNECT a",
                "CONNECT a:",
                "CONNECT http://a:80"
            })
    void aTargetThatIsNoneOfTheMethodIsABadRequest(String start) {
        assertEquals(HttpStatus.BAD_REQUEST, parse(start + " HTTP/1.1\r\nHost: a\r\n\r\n"));
    }

    @ParameterizedTest
    @CsvSource({"OPTIONS *, OPTIONS", "OPTIONS /a, OPTIONS", "CONNECT a:80, CONNECT", "CONNECT [::1]:80, CONNECT"})
    void targetsOfOtherFormsBelongToTheirMethods(String start, String method) {
        assertEquals(RequestReader.REQUEST, parse(start + " HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(method, parser.method());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "A-b.c_d~!$&'()*+,;=",
                "a%20b",
                "a:",
                "a:0080",
                "a:65535",
                "127.0.0.1:80",
                "[::]",
                "[::1]:80",
                "[1::]",
                "[1:2:3:4:5:6:7:8]",
                "[1::3:4:5:6:7:8]",
                "[::ffff:127.0.0.1]",
                "[1:2:3:4:5:6:255.0.10.1]",
                "[FE80::abcd]"
            })
    void hostsOfTheGrammarAreTaken(String host) {
        assertEquals(RequestReader.REQUEST, parse("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a b@@/",
                "a b",
                "a@b",
                "a/b",
                "a,b c",
                "\u00e4",
                "a%2",
                "a%",
                "a%gg",
                ":80",
                "a:b",
                "a:65536",
                "a:99999999999999999999",
                "a:80:80",
                "[",
                "[]",
                "[::1",
                "[::1]a",
                "::1",
                "[:]",
                "[:1]",
                "[1:]",
                "[:::]",
                "[1::2::3]",
                "[1:2:3:4:5:6:7]",
                "[1:2:3:4:5:6:7:8:9]",
                "[1:2:3:4:5:6:7::8]",
                "[12345::]",
                "[g::]",
                "[::256.0.0.1]",
                "[::1.2.3]",
                "[::1.2.3.4.5]",
                "[::01.2.3.4]",
                "[1.2.3.4]",
                "[1:2:3:4:5:6:7:1.2.3.4]",
                "[::1.2.3.4:5]",
                "[::1%eth0]",
                "[v1.a]"
            })
    void otherHostsAreBadRequests(String host) {
        assertEquals(HttpStatus.BAD_REQUEST, parse("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n"));
        assertEquals(
                HttpStatus.BAD_REQUEST, new RequestReader().read(("GET / HTTP/1.0\r\nHost: " + host + "\r\n\r\n")));
    }

    @ParameterizedTest
    @CsvSource({
        "Content-Length: -1, 400",
        "Content-Length: +1, 400",
        "Content-Length: 1 2, 400",
        "'Content-Length: 1, 1', 400",
        "Content-Length:, 400",
        "Content-Length: 0x1, 400",
        "'Content-Length: 1\r\nContent-Length: 2', 400",
        "'Content-Length: 1\r\nContent-Length: 1', 400",
        "Content-Length: 1048577, 413",
        "Content-Length: 99999999999999999999, 413",
        "'Content-Length: 1\r\nTransfer-Encoding: chunked', 400",
        "'Transfer-Encoding: chunked\r\nContent-Length: 1', 400",
        "Transfer-Encoding:, 400",
        "Transfer-Encoding: gzip, 400",
        "Transfer-Encoding: identity, 400",
        "'Transfer-Encoding: chunked, gzip', 400",
        "'Transfer-Encoding: chunked, chunked', 400",
        "'Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip', 400",
        "Transfer-Encoding: chun ked, 400",
        "'Transfer-Encoding: gzip, chunked', 501",
        "'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked', 501",
        "Expect: wonders, 417",
        "'Expect: 100-continue, wonders', 417"
    })
    void bodiesOfUnclearLengthAndUnknownExpectationsAreRefused(String field, int status) {
        assertEquals(status, parse("POST / HTTP/1.1\r\nHost: a\r\n" + field + "\r\n\r\n"));
    }

    @Test
    void aTransferCodingInHttp10IsABadRequest() {
        assertEquals(HttpStatus.BAD_REQUEST, parse("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0\r\n\r\n",
                "000\r\n\r\n",
                "5\r\nGET /\r\n0\r\n\r\n",
                "a\r\n0123456789\r\n1\r\nx\r\n0\r\n\r\n",
                "1 ;a\r\nx\r\n0\t; \ta\t=\t\"\"\r\n\r\n",
                "1;a=\"\\\"; \\\\ \u00e4\\\u00e4\" ; b=c ;d\r\nx\r\n0;A!=~\r\n\r\n",
                "0000000000000001\r\nx\r\n0000000000000000000000000000000000000000000000000000000000000000\r\n\r\n",
                "1;a=b;c=\"d\"\r\nx\r\n0;e\r\n\r\n",
                "1\r\nx\r\n0\r\nX: y\r\nHost: z z\r\nContent-Length: 7\r\n\r\n"
            })
    void aChunkedBodyIsSkipped(String body) {
        String post = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n";
        assertEquals(List.of("POST", "HEAD"), methods(List.of(post + body + HEAD)));
    }

    @ParameterizedTest
    @CsvSource({
        "'\r\n', 400",
        "'g\r\n', 400",
        "'-1\r\n', 400",
        "'0x1\r\n', 400",
        "' 1\r\n', 400",
        "'1 \r\n', 400",
        "'1\nx', 400",
        "'1\r\nxy\r\n', 400",
        "'1\r\nx\n', 400",
        "'1;a\u0000\r\n', 400",
        "'00000000000000000000000000000000000000000000000000000000000000000', 400",
        "'1;a=\"\r', 400",
        "'1;bad[=x\r\n', 400",
        "'0\r\nX\r\n\r\n', 400",
        "'0\r\n X: y\r\n\r\n', 400",
        "'100001\r\n', 413",
        "'ffffffffffffffff\r\n', 413"
    })
    void aMalformedChunkIsRefused(String body, int status) {
        assertEquals(status, parse("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body));
    }

    @Test
    void chunksTogetherHaveTheLimitOfABody() {
        String chunk = "8000\r\n" + "x".repeat(0x8000) + "\r\n";
        assertEquals(RequestReader.INCOMPLETE, parse(CHUNKED + chunk.repeat(BODY_BYTES_MAX / 0x8000)));
        assertEquals(HttpStatus.CONTENT_TOO_LARGE, parse("1"));
    }

    @Test
    void extensionsOfChunksTogetherHaveALimit() {
        String chunk = "1;" + "x".repeat(1_024) + "\r\nx\r\n";
        assertEquals(HttpStatus.BAD_REQUEST, parse(CHUNKED + chunk.repeat(9)));
    }

    @Test
    void trailerFieldsHaveTheLimitOfAHead() {
        assertEquals(HttpStatus.HEAD_TOO_LONG, parse(CHUNKED + "0\r\nX: " + "x".repeat(HEAD_BYTES_MAX) + "\r\n\r\n"));
    }

    @Test
    void anEndlessMethodIsNotImplemented() {
        assertEquals(HttpStatus.NOT_IMPLEMENTED, parse("X".repeat(HEAD_BYTES_MAX + 1)));
    }

    @Test
    void endlessEmptyLinesAreABadRequest() {
        assertEquals(HttpStatus.BAD_REQUEST, parse("\r\n".repeat(HEAD_BYTES_MAX)));
    }

    @Test
    void aForeignMajorVersionIsNotSupported() {
        assertEquals(HttpStatus.VERSION_NOT_SUPPORTED, parse("GET / HTTP/2.0\r\n"));
        assertEquals(HttpStatus.VERSION_NOT_SUPPORTED, new RequestReader().read(("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")));
    }

    @ParameterizedTest
    @CsvSource({"GET,GET", "HEAD,HEAD", "POST,POST", "get,get", "BREW,BREW", "PROPPATCHX,PROPPATCHX"})
    void methodsAreDistinguished(String token, String method) {
        assertEquals(RequestReader.REQUEST, parse(token + " / HTTP/1.1\r\nHost: a\r\n\r\n"));
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
        "1.1, 'Connection: clo se', true",
        "1.1, Expect: 100-continue, true"
    })
    void theConnectionStaysWhenBothSidesCanGoOn(String version, String field, boolean stays) {
        assertEquals(RequestReader.REQUEST, parse("GET / HTTP/" + version + "\r\nHost: a\r\n" + field + "\r\n\r\n"));
        assertEquals(stays, parser.keepsAlive());
    }

    @Test
    void fieldsOfOneRequestDoNotReachTheNext() {
        assertEquals(RequestReader.REQUEST, parse("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
        assertEquals(RequestReader.REQUEST, parse(GET));
        assertTrue(parser.keepsAlive());
    }

    @Test
    void aHeadOfExactlyTheLimitIsARequest() {
        assertEquals(RequestReader.REQUEST, parse(headOf(HEAD_BYTES_MAX)));
    }

    @Test
    void aLongerHeadIsTooLong() {
        assertEquals(HttpStatus.HEAD_TOO_LONG, parse(headOf(HEAD_BYTES_MAX + 1)));
    }

    @Test
    void aLongerHeadIsTooLongByteByByteToo() {
        String head = headOf(HEAD_BYTES_MAX + 1);
        int result = RequestReader.INCOMPLETE;
        for (int i = 0; i < head.length() && result == RequestReader.INCOMPLETE; i++) {
            result = parse(head.substring(i, i + 1));
        }
        assertEquals(HttpStatus.HEAD_TOO_LONG, result);
    }

    @Test
    void moreFieldsThanAllowedAreTooMany() {
        String fields = "X: y\r\n".repeat(HttpLimits.DEFAULT.fields() - 1);
        assertEquals(RequestReader.REQUEST, parse("GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n"));
        assertEquals(HttpStatus.HEAD_TOO_LONG, parse("GET / HTTP/1.1\r\nHost: a\r\n" + fields + "X: y\r\n\r\n"));
    }

    @Test
    void aTargetOfThatLengthIsTooLong() {
        assertEquals(HttpStatus.TARGET_TOO_LONG, parse("GET /" + "x".repeat(HEAD_BYTES_MAX)));
    }

    @Test
    void theLimitCountsEachRequestAnew() {
        for (int i = 0; i < 3; i++) {
            assertEquals(RequestReader.REQUEST, parse(headOf(HEAD_BYTES_MAX)));
        }
    }

    private static String headOf(int bytes) {
        String start = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
        String end = "\r\n\r\n";
        return start + "x".repeat(bytes - start.length() - end.length()) + end;
    }

    private int parse(String text) {
        return parser.read(text);
    }

    private static List<String> methods(List<String> reads) {
        RequestReader parser = new RequestReader();
        List<String> methods = new ArrayList<>();
        for (String read : reads) {
            int result = parser.read(read);
            while (result == RequestReader.REQUEST) {
                methods.add(parser.method());
                result = parser.next();
            }
            assertEquals(RequestReader.INCOMPLETE, result);
        }
        return methods;
    }
}
