package org.cabrank.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ProtocolException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.cabrank.http.message.Gzip;
import org.cabrank.http.message.HttpFields;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses whose coding gzip is undone as they come: back-pressure, the bound, odd codings, and bodies that end too soon. */
@Timeout(300)
class GzipResponseTest {
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String CODED = OK + "Content-Encoding: gzip\r\n";

    private final EmbeddedServers servers = new EmbeddedServers();
    private final HttpClient client = HttpClient.over(servers);

    @AfterEach
    void close() {
        client.close();
        servers.close();
    }

    private ReceivedResponse send(String method, boolean pausing) {
        ReceivedResponse response = new ReceivedResponse(pausing);
        client.send(HttpCall.of(method, URI.create("http://a")).acceptGzip(), response);
        servers.last().awaitIdle();
        return response;
    }

    private void serve(String head, byte[] body) {
        servers.last().peerSends(head);
        servers.last().peerSends(ByteBuffer.wrap(body));
        servers.last().awaitIdle();
    }

    private static byte[] gzip(String text) {
        return Gzip.encode(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void theRequestPermitsGzipOnce() {
        client.send(HttpCall.get("http://a").acceptGzip().acceptGzip(), new ReceivedResponse());
        servers.last().awaitIdle();
        assertEquals(
                "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n",
                servers.last().peerReceives());
    }

    @Test
    void piecesWaitForTheHandlerAlsoWhereFewBytesBecomeMany() {
        ReceivedResponse response = send("GET", true);
        String body = "abcdefgh".repeat(12_500);
        byte[] coded = gzip(body);
        serve(CODED + "Content-Length: " + coded.length + "\r\n\r\n", coded);
        int before = -1;
        int pieces = 0;
        for (; !response.isComplete(); pieces++) {
            int now = response.text().length();
            assertTrue(now > before && now - before <= 32 << 10, "from " + before + " to " + now);
            before = pieces == 0 ? 0 : now;
            response.transfer().resume();
            servers.last().awaitIdle();
        }
        assertEquals("200 " + body, response.text());
        assertTrue(pieces >= 100_000 / (32 << 10), pieces + " pieces");
        // The connection stays, and is not paused.
        ReceivedResponse next = send("GET", false);
        serve(OK + "Content-Length: 1\r\n\r\n", new byte[] {'x'});
        assertEquals("200 x", next.text());
        assertEquals(1, servers.connections());
    }

    @Test
    void aPausedBodyThatLastsUntilTheEndOfTheConnectionIsDecodedToItsEnd() {
        ReceivedResponse response = send("GET", true);
        String body = "abcdefgh".repeat(12_500);
        serve(CODED + "\r\n", gzip(body));
        servers.last().peerEnds();
        for (int i = 0; i < 100 && !response.isComplete() && response.failure() == null; i++) {
            response.transfer().resume();
            servers.last().awaitIdle();
        }
        assertTrue(response.isComplete(), response.failure() + "");
        assertEquals("200 " + body, response.text());
    }

    @Test
    void chunksMayEndAnywhereInTheCodedBytes() {
        ReceivedResponse response = send("GET", false);
        servers.last().peerSends(CODED + "Transfer-Encoding: chunked\r\n\r\n");
        for (byte coded : gzip("hello")) {
            servers.last().peerSends("1\r\n");
            servers.last().peerSends(ByteBuffer.wrap(new byte[] {coded}));
            servers.last().peerSends("\r\n");
        }
        assertEquals("200 hello", response.text());
        servers.last().peerSends("0\r\nX-Sum: 7\r\n\r\n");
        assertTrue(response.isComplete(), response.failure() + "");
        assertEquals(1, client.connections());
    }

    @ParameterizedTest
    @CsvSource({
        "GET, '200 OK\r\nContent-Encoding: identity\r\nContent-Length: 2', ab",
        "GET, '200 OK\r\nContent-Encoding: \r\nContent-Length: 2', ab",
        "GET, '200 OK\r\nContent-Length: 2', ab",
        "GET, '200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0', ''",
        "GET, '200 OK\r\nContent-Encoding: br\r\nContent-Length: 0', ''",
        "GET, '304 Not Modified\r\nContent-Encoding: gzip\r\nContent-Length: 20', ''",
        "GET, '204 No Content\r\nContent-Encoding: gzip', ''",
        "HEAD, '200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 20', ''",
    })
    void aResponseThatHasNothingToUndoIsReceivedAsItIs(String method, String head, String body) {
        ReceivedResponse response = send(method, false);
        serve("HTTP/1.1 " + head + "\r\n\r\n", body.getBytes(StandardCharsets.US_ASCII));
        assertTrue(response.isComplete(), response.failure() + "");
        assertEquals(head.substring(0, 3) + " " + body, response.text());
        assertEquals(1, client.connections());
    }

    /** The other fields are those of the server. */
    @Test
    void theDecodedResponseHasTheOtherFieldsAlone() {
        StringBuilder fields = new StringBuilder();
        HttpResponseHandler handler = new HttpResponseHandler() {
            @Override
            public void head(HttpTransfer transfer, int status, HttpFields received) {
                fields.append(received).append(received.count()).append(received.first("X-B"));
            }

            @Override
            public void data(HttpTransfer transfer, ByteBuffer bytes) {}

            @Override
            public void end(HttpTransfer transfer, HttpFields trailers) {}

            @Override
            public void failed(Throwable cause) {}
        };
        client.send(HttpCall.get("http://a").acceptGzip(), handler);
        servers.last().awaitIdle();
        serve(OK + "X-A: 1\r\ncontent-encoding: x-gzip\r\nContent-Length: 20\r\nX-B: 2\r\n\r\n", new byte[0]);
        assertEquals("{X-A=[1], X-B=[2]}22", fields.toString());
    }

    /** Netty, CVE-2026-42587: the bound held for gzip, and not for a coding that the request had not permitted. */
    @ParameterizedTest
    @ValueSource(strings = {"br", "deflate", "gzip, br", "gzip\r\nContent-Encoding: gzip"})
    void anotherCodingFails(String coding) {
        ReceivedResponse response = send("GET", false);
        serve(OK + "Content-Encoding: " + coding + "\r\nContent-Length: 4\r\n\r\n", new byte[4]);
        assertInstanceOf(ProtocolException.class, response.failure());
        assertTrue(response.failure().getMessage().contains("acceptGzip"), response.failure() + "");
        assertEquals(0, client.connections());
    }

    @ParameterizedTest
    @CsvSource({"false, true", "false, false", "true, true", "true, false"})
    void aBodyThatEndsBeforeItsGzipFails(boolean pausing, boolean announced) {
        ReceivedResponse response = send("GET", pausing);
        byte[] cut = Arrays.copyOf(gzip("hello"), 24);
        serve(CODED + (announced ? "Content-Length: 24\r\n" : "") + "\r\n", cut);
        if (!announced) {
            servers.last().peerEnds();
        }
        for (int i = 0; i < 3 && pausing && response.failure() == null; i++) {
            response.transfer().resume();
            servers.last().awaitIdle();
        }
        assertFalse(response.isComplete());
        assertInstanceOf(ProtocolException.class, response.failure());
        assertEquals("200 hello", response.text());
        assertEquals(0, client.connections());
    }

    @Test
    void aBombEndsAtTheLimitOfTheClient() {
        ReceivedResponse response = new ReceivedResponse();
        HttpClientOptions options = HttpClientOptions.DEFAULT;
        HttpClient bounded =
                client.withOptions(options.withLimits(options.limits().withBodyBytes(100_000)));
        bounded.send(HttpCall.get("http://a").acceptGzip(), response);
        servers.last().awaitIdle();
        byte[] bomb = Gzip.encode(new byte[1 << 20]);
        serve(CODED + "Content-Length: " + bomb.length + "\r\n\r\n", bomb);
        assertInstanceOf(ProtocolException.class, response.failure());
        assertTrue(response.failure().getMessage().contains("100000 bytes: raise"), response.failure() + "");
        assertTrue(response.text().length() <= 100_004);
        bounded.close();
    }

    @Test
    void withoutThePermissionTheBodyIsAsItCame() {
        ReceivedResponse response = new ReceivedResponse();
        client.send(HttpCall.get("http://a"), response);
        servers.last().awaitIdle();
        byte[] coded = gzip("hello");
        serve(CODED + "Content-Length: " + coded.length + "\r\n\r\n", coded);
        assertEquals(4 + coded.length, response.text().length());
        assertNull(response.failure());
    }
}
