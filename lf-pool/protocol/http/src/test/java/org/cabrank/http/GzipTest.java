package org.cabrank.http;

import static org.cabrank.http.Embedded.HOST;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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
    void otherCodingsAndMalformedBodiesAreRefused() {
        assertThrows(IOException.class, () -> response("br", new byte[] {1}).decodedBody(10));
        assertThrows(
                IOException.class, () -> response("gzip", new byte[] {1, 2, 3}).decodedBody(10));
    }

    private static HttpResponse response(String coding, byte[] body) {
        return new HttpResponse(200, Map.of("Content-Encoding", List.of(coding)), body);
    }
}
