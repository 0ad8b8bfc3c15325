package org.cabrank.http;

import static org.cabrank.http.Embedded.HOST;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cabrank.http.client.HttpCall;
import org.cabrank.http.client.HttpClient;
import org.cabrank.http.client.HttpResponse;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers with a compressed form: who gets it, its fields, and the bound of what it becomes. */
@Timeout(300)
class GzipTest {
    private static final String TEXT = "all work and no play\n".repeat(10_000);
    private static final HttpAnswer ANSWER =
            HttpAnswer.text(200, TEXT).withField("ETag", "\"1\"").withGzip().withField("X-Later", "2");

    static Stream<ServerModes> modes() {
        return ServerModes.all();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | false",
                "Accept-Encoding: gzip | true",
                "Accept-Encoding: br, GZIP;q=0.5 | true",
                "Accept-Encoding: x-gzip | true",
                "Accept-Encoding: * | true",
                "Accept-Encoding: *;q=0 | false",
                "Accept-Encoding: *, gzip;q=0 | false",
                "Accept-Encoding: gzip ; q=0.000 | false",
                "Accept-Encoding: identity | false",
                "Accept-Encoding: | false",
            })
    void aClientGetsTheFormThatItTakes(String field, boolean compressed) {
        try (Embedded server = Embedded.open(exchange -> exchange.send(ANSWER))) {
            String answer =
                    server.exchange("HEAD / HTTP/1.1\r\n" + HOST + (field.isEmpty() ? "" : field + "\r\n") + "\r\n");
            assertEquals(compressed, answer.contains("\r\nContent-Encoding: gzip\r\n"), answer);
            assertEquals(compressed, answer.contains("\r\nETag: \"1-gzip\"\r\n"), answer);
            assertEquals(!compressed, answer.contains("\r\nETag: \"1\"\r\n"), answer);
            assertTrue(answer.contains("\r\nVary: Accept-Encoding\r\n"), answer);
            assertTrue(answer.contains("\r\nX-Later: 2\r\n"), answer);
            assertEquals(!compressed, answer.contains("Content-Length: " + TEXT.length()), answer);
        }
    }

    @Test
    void aBodyThatDoesNotBecomeShorterStaysAsItIs() {
        HttpAnswer small = HttpAnswer.text(200, "x");
        assertSame(small, small.withGzip());
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aCompressedBodyIsDecodedWithinItsBound(ServerModes mode) throws Exception {
        try (StreamServer server = mode.start(exchange -> exchange.send(ANSWER));
                HttpClient client = Http.client(server.reactor())) {
            HttpCall call = HttpCall.get("http://127.0.0.1:" + server.port());
            HttpResponse plain = client.send(call).get(120, TimeUnit.SECONDS);
            assertEquals(TEXT, plain.text());
            assertSame(plain.body(), plain.decodedBody(1));
            HttpResponse compressed =
                    client.send(call.withField("Accept-Encoding", "gzip")).get(120, TimeUnit.SECONDS);
            assertTrue(compressed.body().length < 2_000);
            assertArrayEquals(plain.body(), compressed.decodedBody(TEXT.length()));
            IOException tooLong = assertThrows(IOException.class, () -> compressed.decodedBody(TEXT.length() - 1));
            assertTrue(tooLong.getMessage().contains("raise bytesMax"), tooLong.getMessage());
            assertFalse(compressed.text().equals(TEXT));
        }
    }

    @Test
    void aCompressedRequestIsDecodedWithinItsBound() throws Exception {
        byte[] compressed = ANSWER.gzip.body;
        assertEquals("200 " + TEXT.length(), decoded("gzip", compressed, TEXT.length()));
        assertEquals("413", decoded("gzip", compressed, TEXT.length() - 1));
        assertEquals("400", decoded("x-gzip", new byte[] {1, 2, 3}, 10));
        assertEquals("415", decoded("br", compressed, 10));
        assertEquals("415", decoded("gzip, br", compressed, 10));
        assertEquals("200 3", decoded(null, new byte[] {1, 2, 3}, 10));
    }

    /** Sends a body to a server that decodes within a bound, and returns its status and the length that it has found. */
    private static String decoded(String coding, byte[] body, int bytesMax) {
        try (Embedded server = Embedded.open(exchange ->
                exchange.decodedBody(bytesMax, (own, plain) -> own.send(200, null, " " + plain.remaining())))) {
            server.client.peerSends("POST / HTTP/1.1\r\n" + HOST
                    + (coding == null ? "" : "Content-Encoding: " + coding + "\r\n") + "Content-Length: " + body.length
                    + "\r\n\r\n");
            server.client.peerSends(ByteBuffer.wrap(body));
            String answer = server.received();
            int length = answer.indexOf("\r\n\r\n ");
            return answer.substring(9, 12) + (length < 0 ? "" : answer.substring(length + 4));
        }
    }

    @Test
    void otherCodingsAndMalformedBodiesAreRefused() {
        assertThrows(IOException.class, () -> response("br", new byte[] {1}).decodedBody(10));
        assertThrows(
                IOException.class, () -> response("gzip", new byte[] {1, 2, 3}).decodedBody(10));
    }

    private static HttpResponse response(String coding, byte[] body) {
        return new HttpResponse(200, Map.of("Content-Encoding", List.of(coding)), body);
    }
}
