package org.cabrank.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of requests that are sent in pieces: framing, back-pressure, consent, and responses that come before their end. */
@Timeout(300)
class UploadTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    private final EmbeddedServers servers = new EmbeddedServers();
    private final HttpClient client = HttpClient.over(servers);
    private HttpTransfer upload;

    @AfterEach
    void close() {
        client.close();
        servers.close();
    }

    private HttpCall put(long length) {
        return HttpCall.of("PUT", URI.create("http://a")).withBody(length, transfer -> upload = transfer);
    }

    private ReceivedResponse send(HttpCall call) {
        ReceivedResponse response = new ReceivedResponse();
        client.send(call, response);
        servers.last().awaitIdle();
        return response;
    }

    private void write(String text) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        upload.write(bytes);
        assertFalse(bytes.hasRemaining());
        servers.last().awaitIdle();
    }

    private String sent() {
        return servers.last().peerReceives();
    }

    @ParameterizedTest
    @CsvSource({
        "4, 'Content-Length: 4', ab, cd, ''",
        "-1, 'Transfer-Encoding: chunked', '2\r\nab\r\n', '2\r\ncd\r\n', '0\r\n\r\n'",
    })
    void aBodyIsSentAsItsSourceGivesIt(long length, String field, String first, String second, String end) {
        for (int i = 0; i < 2; i++) { // on one connection
            ReceivedResponse response = send(put(length));
            assertEquals("PUT / HTTP/1.1\r\nHost: a\r\n" + field + "\r\n\r\n", sent());
            write("ab");
            assertEquals(first, sent());
            write("");
            write("cd");
            assertEquals(second, sent());
            upload.end();
            servers.last().awaitIdle();
            assertEquals(end, sent());
            servers.last().peerSends(OK);
            assertTrue(response.isComplete());
            assertEquals(1, servers.connections());
        }
    }

    @Test
    void aBodyIsAsLongAsItWasSaidToBe() {
        ReceivedResponse tooLong = send(put(2));
        assertThrows(IllegalStateException.class, () -> write("abc"));
        write("ab");
        upload.end();
        assertThrows(IllegalStateException.class, () -> write("c"));
        servers.last().peerSends(OK);
        assertTrue(tooLong.isComplete());
        ReceivedResponse tooShort = send(put(2));
        write("a");
        assertThrows(IllegalStateException.class, upload::end);
        servers.last().awaitIdle();
        assertTrue(servers.last().isClosed());
        assertTrue(tooShort.failure() != null);
        assertThrows(IllegalArgumentException.class, () -> put(-2));
    }

    @Test
    void aSourceThatThrowsFailsTheRequest() {
        IllegalStateException thrown = new IllegalStateException("no source");
        ReceivedResponse response =
                send(HttpCall.of("PUT", URI.create("http://a")).withBody(2, transfer -> {
                    throw thrown;
                }));
        assertEquals(thrown, response.failure());
        assertTrue(servers.last().isClosed());
    }

    @Test
    void aSourceWaitsForAServerThatDoesNotRead() {
        int pieceBytes = 1 << 10;
        long[] written = {0};
        ByteBuffer piece = ByteBuffer.allocate(pieceBytes);
        Runnable[] writing = {null};
        writing[0] = () -> {
            while (upload.isWritable()) {
                upload.write(piece.clear());
                written[0] += pieceBytes;
            }
            upload.whenWritable(writing[0]);
        };
        send(put(HttpCall.UNKNOWN_LENGTH));
        EmbeddedConnection server = servers.last();
        server.peerTakes(0);
        upload.whenWritable(writing[0]);
        server.awaitIdle();
        long queueMax = server.connection().limits().highWatermark();
        assertTrue(written[0] > 0 && server.connection().queuedBytes() < queueMax, written[0] + " bytes");
        long before = written[0];
        server.awaitIdle();
        assertEquals(before, written[0]);
        server.peerTakes(before / 2);
        server.awaitIdle();
        assertTrue(server.connection().queuedBytes() < queueMax);
        server.peerTakes(before);
        server.awaitIdle();
        assertTrue(written[0] > before);
        upload.abort();
        server.awaitIdle();
        assertTrue(server.isClosed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 100 Continue\r\n\r\n", "", "HTTP/1.1 103 Early Hints\r\n\r\n"})
    void aBodyWaitsForTheConsentOfTheServerOrASecond(String consent) {
        ReceivedResponse response = send(put(2).expectContinue());
        assertEquals("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n", sent());
        assertNull(upload);
        servers.last().peerSends(consent);
        if (!consent.contains("100")) {
            servers.last().advance(Duration.ofMillis(900));
            assertNull(upload);
            servers.last().advance(Duration.ofMillis(200));
        }
        write("ab");
        upload.end();
        servers.last().awaitIdle();
        assertEquals("ab", sent());
        servers.last().peerSends("HTTP/1.1 100 Continue\r\n\r\n" + OK);
        assertTrue(response.isComplete());
        assertEquals(1, client.connections());
        assertThrows(IllegalStateException.class, () -> HttpCall.get("http://a").expectContinue());
    }

    @Test
    void aBodyThatTheServerDeclinesIsNotSent() {
        ReceivedResponse response = send(put(2).expectContinue());
        sent();
        servers.last().peerSends("HTTP/1.1 401 Unauthorized\r\nContent-Length: 4\r\n\r\nwh");
        servers.last().advance(Duration.ofSeconds(2));
        servers.last().peerSends("o?");
        assertEquals("401 who?", response.text());
        assertTrue(response.isComplete());
        assertEquals("", sent());
        assertNull(upload);
        assertTrue(servers.last().isOutputEnded());
        assertEquals(0, client.connections());
    }

    @Test
    void aTimeOutMayBeOfAnyLength() {
        for (Duration timeout : new Duration[] {Duration.ofDays(367), Duration.ofSeconds(Long.MAX_VALUE)}) {
            for (HttpCall call : new HttpCall[] {HttpCall.get("http://a"), put(0), put(2).expectContinue()}) {
                ReceivedResponse response = send(call.withTimeout(timeout));
                servers.last().peerSends(OK);
                assertTrue(response.isComplete(), response.failure() + "");
            }
        }
    }

    /** RFC 9110 section 10.1.1: a request without content must not have this expectation. */
    @Test
    void anEmptyBodyExpectsNoConsent() {
        HttpCall call = HttpCall.of("PUT", URI.create("http://a")).withBody(new byte[0]);
        HttpCall expecting = put(2).expectContinue();
        for (HttpCall each : List.of(call, call.expectContinue(), expecting.withBody(new byte[0]))) {
            ReceivedResponse response = send(each);
            assertEquals("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", sent());
            servers.last().peerSends(OK);
            assertTrue(response.isComplete());
        }
        assertEquals(1, servers.connections());
        HttpCall between = put(2).withField("A", "1").expectContinue().withField("B", "Expect: 100-continue");
        assertEquals(
                "A: 1\r\nB: Expect: 100-continue\r\n",
                between.withBody(new byte[0]).fields());
        assertEquals(between.fields(), between.withBody(new byte[1]).fields());
    }

    @Test
    void aFieldWhoseNameOrValueEndsLikeTheExpectationIsNone() {
        for (String[] field : new String[][] {{"X-Expect", "100-continue"}, {"X", "Expect: 100-continue"}}) {
            ReceivedResponse response = send(HttpCall.get("http://a").withField(field[0], field[1]));
            servers.last().advance(Duration.ofSeconds(2));
            servers.last().peerSends(OK);
            assertTrue(response.isComplete(), response.failure() + "");
        }
        assertEquals(1, servers.connections());
    }

    @Test
    void consentIsNotAwaitedBeyondTheTimeOutOfTheRequest() {
        ReceivedResponse response = send(put(2).expectContinue().withTimeout(Duration.ofMillis(200)));
        servers.last().advance(Duration.ofMillis(300));
        assertInstanceOf(java.util.concurrent.TimeoutException.class, response.failure());
        assertNull(upload);
    }

    @Test
    void aResponseThatComesBeforeTheEndOfTheBodyIsReceivedWhileTheBodyIsSent() {
        ReceivedResponse response = send(put(4));
        write("ab");
        servers.last().peerSends("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nAB");
        write("cd");
        upload.end();
        servers.last().awaitIdle();
        assertTrue(sent().endsWith("\r\n\r\nabcd"));
        servers.last().peerSends("CD");
        assertEquals("200 ABCD", response.text());
        assertEquals(1, client.connections());
    }

    @Test
    void aResponseBehindTheLastByteOfTheBodyFindsTheBodyComplete() {
        ReceivedResponse response = send(put(4));
        write("abcd");
        servers.last().peerSends(OK);
        assertTrue(response.isComplete());
        upload.end();
        send(HttpCall.get("http://a"));
        assertTrue(sent().endsWith("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(1, servers.connections());
    }

    /** The source's thread writes the last bytes and has not returned from the write, when the response to them comes. */
    @ParameterizedTest
    @ValueSource(longs = {2, HttpCall.UNKNOWN_LENGTH})
    void aResponseDuringTheLastWriteKeepsTheConnection(long length) {
        servers.answersDuringWrite(length == 2 ? "ab" : "0\r\n\r\n", OK);
        ReceivedResponse response = send(put(length));
        write("ab");
        upload.end();
        assertTrue(response.isComplete());
        servers.last().awaitIdle();
        ReceivedResponse next = send(HttpCall.get("http://a"));
        assertTrue(sent().endsWith("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
        servers.last().peerSends(OK);
        assertTrue(next.isComplete());
        assertEquals(1, servers.connections());
    }

    @Test
    void aCompleteResponseEndsTheBodyAndTheConnection() {
        ReceivedResponse response = send(put(4));
        write("ab");
        servers.last().peerSends(OK);
        assertTrue(response.isComplete());
        assertTrue(sent().endsWith("ab"));
        write("cd");
        upload.whenWritable(() -> {
            throw new AssertionError("the rest is not wanted");
        });
        upload.end();
        servers.last().awaitIdle();
        assertEquals("", sent());
        assertTrue(servers.last().isOutputEnded());
        send(HttpCall.get("http://a"));
        assertEquals(2, servers.connections());
    }

    @Test
    void anErrorThatClosesTheConnectionEndsTheBodyAtOnce() {
        ReceivedResponse response = send(put(4));
        sent();
        servers.last().peerSends("HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno");
        write("ab");
        assertEquals("", sent());
        servers.last().peerSends("");
        assertEquals("413 no", response.text());
        assertEquals(0, client.connections());
    }

    /** The server has closed a kept connection, so that the first request on the connection gets no response. */
    @ParameterizedTest
    @CsvSource({"true, true", "false, false"})
    void aRequestIsSentOnceMoreOnlyWithABodyThatIsKept(boolean whole, boolean repeated) {
        send(HttpCall.get("http://a"));
        EmbeddedConnection first = servers.last();
        first.peerSends(OK);
        HttpCall call = whole ? HttpCall.of("PUT", URI.create("http://a")).withBody(new byte[] {'x'}) : put(1);
        ReceivedResponse response = send(call);
        first.peerEnds();
        first.awaitIdle();
        assertEquals(repeated ? 2 : 1, servers.connections());
        if (repeated) {
            assertTrue(sent().endsWith("\r\n\r\nx"));
            servers.last().peerSends(OK);
            assertTrue(response.isComplete());
        } else {
            assertInstanceOf(EOFException.class, response.failure());
        }
    }
}
