package org.cabrank.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ProtocolException;
import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a response, and the further use of its connection, however the bytes are cut (RFC 9112 sections 6, 7 and 9). */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class ResponseFramingTest {
    private static final int CUT_DISTANCE = 3;
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String EMPTY = OK + "Content-Length: 0\r\n\r\n";

    /** Returns what a handler has received, and the outcome for the connection: kept, closed or refused. */
    static String outcome(String method, List<String> pieces) {
        try (EmbeddedServers servers = new EmbeddedServers();
                HttpClient client = HttpClient.over(servers)) {
            ReceivedResponse response = new ReceivedResponse();
            client.send(HttpCall.of(method, URI.create("http://a")), response);
            EmbeddedConnection server = servers.last();
            pieces.forEach(server::peerSends);
            boolean open = !server.isOutputEnded() && !server.isClosed();
            if (!response.isComplete() && response.failure() == null) {
                server.peerEnds();
                open = false;
            }
            server.awaitIdle();
            assertTrue(response.isComplete() != (response.failure() != null), response.text());
            if (!response.isComplete()) {
                assertTrue(response.failure() instanceof IOException, response.failure() + "");
                return response.failure() instanceof ProtocolException ? "refused" : "broken off";
            }
            return response.text() + (open ? " kept" : " closed");
        }
    }

    private static void assertOutcome(String method, String bytes, String expected) {
        assertEquals(expected, outcome(method, List.of(bytes)));
        assertEquals(
                expected,
                outcome(method, bytes.chars().mapToObj(Character::toString).toList()),
                "byte by byte");
        // Responses of other lengths are cut at other places.
        for (int at = 1 + bytes.length() % CUT_DISTANCE; at < bytes.length(); at += CUT_DISTANCE) {
            assertEquals(
                    expected, outcome(method, List.of(bytes.substring(0, at), bytes.substring(at))), "cut at " + at);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, 'Content-Length: 3\r\n\r\nabc', 200 abc kept",
        "GET, 'Content-Length: 0\r\n\r\n', 200  kept",
        "GET, 'Content-Length: 003\r\n\r\nabc', 200 abc kept",
        "GET, 'Content-Length: 3\r\nConnection: close\r\n\r\nabc', 200 abc closed",
        "GET, 'Content-Length: 3\r\nConnection: upgrade, Close\r\n\r\nabc', 200 abc closed",
        "GET, '\r\nabc', 200 abc closed",
        "GET, 'Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n', 200 abc kept",
        "GET, 'Transfer-Encoding: chunked\r\n\r\n01 ; x = \"\\\"\" ;y\r\na\r\n0000000000000000\r\n\r\n', 200 a kept",
        "GET, 'Transfer-Encoding: Chunked\r\n\r\n0\r\nT: 1\r\nU: 2\r\n\r\n', '200  {T=[1], U=[2]} kept'",
        "HEAD, 'Content-Length: 3\r\n\r\n', 200  kept",
        "HEAD, 'Transfer-Encoding: chunked\r\n\r\n', 200  kept",
        "HEAD, '\r\n', 200  kept",
    })
    void aBodyEndsWhereItsFramingStates(String method, String fieldsAndBody, String expected) {
        assertOutcome(method, OK + fieldsAndBody, expected);
    }

    /** The connection is closed if a body may follow in spite of the status, or its fields contradict each other. */
    @ParameterizedTest
    @CsvSource({
        "GET, 204, '', kept",
        "GET, 204, 'Content-Length: 0\r\n', kept",
        "GET, 204, 'Content-Length: 5\r\n', closed",
        "GET, 204, 'Transfer-Encoding: chunked\r\n', closed",
        "HEAD, 204, 'Content-Length: 5\r\n', closed",
        "GET, 304, '', kept",
        "GET, 304, 'Content-Length: 5\r\n', kept",
        "GET, 304, 'Content-Length: 99999999999\r\n', kept",
        "GET, 304, 'Transfer-Encoding: chunked\r\n', kept",
        "GET, 304, 'Transfer-Encoding: gzip, chunked\r\n', closed",
        "GET, 304, 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', closed",
        "GET, 304, 'Content-Length: 5\r\nContent-Length: 6\r\n', closed",
        "HEAD, 200, 'Content-Length: 5\r\n', kept",
        "HEAD, 200, 'Transfer-Encoding: chunked\r\n', kept",
        "HEAD, 200, 'Transfer-Encoding: gzip, chunked\r\n', closed",
        "HEAD, 200, 'Transfer-Encoding: gzip\r\n', closed",
        "HEAD, 200, 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', closed",
        "HEAD, 200, 'Content-Length: x\r\n', closed",
        "HEAD, 404, 'Transfer-Encoding: chunked\r\nConnection: close\r\n', closed",
    })
    void aStatusWithoutABodyHasNoneWhateverItsFieldsState(String method, int status, String fields, String use) {
        assertOutcome(method, "HTTP/1.1 " + status + "\r\n" + fields + "\r\n", status + "  " + use);
    }

    /** Some servers send such a body, which is not the next response. */
    @Test
    void aBodyBehindAStatusWithoutOneIsNotTheNextResponse() {
        String poison = OK + "Content-Length: 6\r\n\r\npoison";
        try (EmbeddedServers servers = new EmbeddedServers();
                HttpClient client = HttpClient.over(servers)) {
            ReceivedResponse first = new ReceivedResponse();
            ReceivedResponse second = new ReceivedResponse();
            client.send(HttpCall.get("http://a"), first);
            servers.last().peerSends("HTTP/1.1 204\r\nContent-Length: " + poison.length() + "\r\n\r\n");
            assertTrue(first.isComplete());
            client.send(HttpCall.get("http://a"), second);
            servers.connection(0).peerSends(poison);
            assertEquals("", second.text());
            servers.connection(1).peerSends(EMPTY);
            assertEquals("200 ", second.text());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na', 200 a closed",
        "'HTTP/1.0 200 OK\r\nContent-Length: 1\r\nConnection: keep-alive\r\n\r\na', 200 a kept",
        "'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\na', 200 a closed",
    })
    void aServerOfHttp10KeepsTheConnectionOnlyIfItSaysSo(String bytes, String expected) {
        assertOutcome("GET", bytes, expected);
    }

    @Test
    void interimResponsesComeBeforeTheResponse() {
        assertOutcome(
                "GET",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\nContent-Length: 0\r\n\r\n" + OK
                        + "Content-Length: 1\r\n\r\na",
                "200 a kept");
        assertOutcome(
                "GET", "HTTP/1.1 103\r\nContent-Length: 9\r\n\r\n" + OK + "Content-Length: 1\r\n\r\na", "200 a closed");
        String interim = "HTTP/1.1 102 Processing\r\n\r\n";
        assertEquals("200  kept", outcome("GET", List.of(interim.repeat(32) + EMPTY)));
        assertEquals("refused", outcome("GET", List.of(interim.repeat(33) + EMPTY)));
    }

    /** Bytes behind a response would be taken for the response to the next request. */
    @ParameterizedTest
    @CsvSource({
        "GET, 'Content-Length: 3\r\n\r\nabcd', 200 abc closed",
        "GET, 'Content-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison', 200  closed",
        "GET, 'Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n\r\n', 200 a closed",
        "HEAD, 'Content-Length: 3\r\n\r\nabc', 200  closed",
    })
    void aConnectionWithBytesBehindAResponseIsNotUsedAgain(String method, String fieldsAndBody, String expected) {
        assertOutcome(method, OK + fieldsAndBody, expected);
    }

    /** Many servers send a 408 before they close an idle connection: no failure, and no response to the next request. */
    @Test
    void aResponseWithoutARequestEndsItsConnection() {
        try (EmbeddedServers servers = new EmbeddedServers();
                HttpClient client = HttpClient.over(servers)) {
            ReceivedResponse first = new ReceivedResponse();
            client.send(HttpCall.get("http://a"), first);
            EmbeddedConnection server = servers.last();
            server.peerSends(EMPTY);
            assertTrue(first.isComplete());
            server.peerSends("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n");
            assertTrue(server.isClosed());
            assertNull(server.closeCause());
            ReceivedResponse second = new ReceivedResponse();
            client.send(HttpCall.post("http://a", "text/plain", "x"), second);
            servers.connection(1).peerSends(EMPTY);
            assertEquals("200 ", second.text());
        }
    }

    /** Another end of the body could be seen by an intermediary: response splitting. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                OK + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                OK + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na",
                OK + "Content-Length: 1, 1\r\n\r\na",
                OK + "Content-Length: +1\r\n\r\na",
                OK + "Content-Length: -1\r\n\r\na",
                OK + "Content-Length: 0x1\r\n\r\na",
                OK + "Content-Length: \r\n\r\na",
                OK + "Content-Length : 1\r\n\r\na",
                OK + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: identity\r\n\r\na",
                OK + "Transfer-Encoding: \r\n\r\na",
                OK + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                OK + "Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: chunked\r\n\r\n1 \r\na\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: chunked\r\n\r\n0;x=\"\r\n\r\n\"\r\n\r\n",
                OK + "Transfer-Encoding: chunked\r\n\r\n0;x=\"a\r\n\r\n",
                OK + "Transfer-Encoding: chunked\r\n\r\n0;bad[=x\r\n\r\n",
                OK + "Transfer-Encoding: chunked\r\n\r\n0;x=\"a\nb\"\r\n\r\n",
                OK + "Transfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: chunked\r\n\r\n1000000000000000\r\na",
                "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
                "\r\n" + EMPTY,
                "HTTP/2.0 200 OK\r\n\r\n",
                "http/1.1 200 OK\r\n\r\n",
                "HTTP/1.1  200 OK\r\n\r\n",
                "HTTP/1.1 20 OK\r\n\r\n",
                "HTTP/1.1 2000 OK\r\n\r\n",
                "HTTP/1.1 099 OK\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\n\r\n",
                "HTTP/1.1 200 O\u0000K\r\n\r\n",
                "abc",
            })
    void aResponseOfUnclearEndIsRefused(String bytes) {
        assertOutcome("GET", bytes, "refused");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n",
                "HTTP/1.1 100 Continue\r\n\r\n",
            })
    void aResponseThatBreaksOffIsNotTakenForAWholeOne(String bytes) {
        assertOutcome("GET", bytes, "broken off");
    }

    private static Throwable failure(List<String> pieces) {
        try (EmbeddedServers servers = new EmbeddedServers();
                HttpClient client = HttpClient.over(servers)) {
            ReceivedResponse response = new ReceivedResponse();
            client.send(HttpCall.get("http://a"), response);
            pieces.forEach(servers.last()::peerSends);
            return response.failure();
        }
    }

    private static void assertLimit(String limit, String setting, String... pieces) {
        Throwable failure = failure(List.of(pieces));
        assertTrue(failure instanceof ProtocolException, failure + "");
        assertTrue(failure.getMessage().contains(" " + limit), failure.getMessage());
        assertTrue(failure.getMessage().contains("raise HttpLimits." + setting), failure.getMessage());
    }

    /** The message names the limit and the setting. */
    @Test
    void responsesHaveLimits() {
        HttpLimits limits = HttpClientOptions.DEFAULT.limits();
        String line = "A: " + "b".repeat(limits.headBytes() - OK.length() - 7) + "\r\n";
        assertOutcomeOf("200  closed", OK + line + "\r\n");
        assertLimit("8192 bytes", "headBytes", OK + "A" + line + "\r\n");
        assertLimit("8192 bytes", "headBytes", OK + line, "A: b");
        assertLimit("8192 bytes", "headBytes", "HTTP/1.1 200 " + "O".repeat(limits.headBytes()));
        String many = "A: b\r\n".repeat(limits.fields());
        assertOutcomeOf("200  closed", OK + many + "\r\n");
        assertLimit("100 fields", "fields", OK + many + "A: b\r\n\r\n");
        String chunks = OK + "Transfer-Encoding: chunked\r\n\r\n";
        assertLimit("8192 bytes", "headBytes", chunks + "0\r\nA: " + "b".repeat(limits.headBytes()));
        assertLimit("100 fields", "headBytes or HttpLimits.fields", chunks + "0\r\n" + many + "A: b\r\n\r\n");
        assertLimit("8192 bytes", "headBytes", chunks + "1;" + "b".repeat(limits.headBytes()));
        long tooLong = limits.bodyBytes() + 1;
        assertLimit("16777216 bytes", "bodyBytes", OK + "Content-Length: " + tooLong + "\r\n\r\na");
        String piece = "x".repeat(1 << 20);
        String[] untilEnd = IntStream.range(0, 18)
                .mapToObj(i -> i == 0 ? OK + "\r\n" : piece)
                .toArray(String[]::new);
        assertLimit("16777216 bytes", "bodyBytes", untilEnd);
    }

    private static void assertOutcomeOf(String expected, String bytes) {
        assertEquals(expected, outcome("GET", List.of(bytes)));
    }

    // ---- heads that connections do not keep ----

    @Test
    void aHeadThatTheConnectionsOfTheReactorDoNotKeepIsRefusedWhenItIsSet() throws IOException {
        StreamLimits small = StreamLimits.DEFAULT.withUnreadLimit(4 << 10);
        try (StreamReactor reactor = StreamReactor.builder().limits(small).start();
                HttpClient client = HttpClient.over(reactor)) { // with a limit that fits
            HttpClientOptions fits = options((4 << 10) - 1);
            client.withOptions(fits).withSecure((host, port, handler) -> null).close();
            IllegalArgumentException refused =
                    assertThrows(IllegalArgumentException.class, () -> client.withOptions(options(4 << 10)));
            assertTrue(refused.getMessage().contains("StreamLimits.unreadLimit"), refused.getMessage());
            assertThrows(
                    IllegalArgumentException.class,
                    () -> client.withSecure((host, port, handler) -> null).withOptions(options(8 << 10)));
        }
    }

    @Test
    void aHeadThatAConnectionOfAConnectorDoesNotKeepFailsTheRequest() {
        try (EmbeddedServers servers = new EmbeddedServers();
                HttpClient client = HttpClient.over(servers).withOptions(options(64 << 10))) {
            ReceivedResponse response = new ReceivedResponse();
            client.send(HttpCall.get("http://a"), response);
            assertTrue(response.failure() instanceof IOException, response.failure() + "");
            assertTrue(response.failure().getMessage().contains("lower headBytes"), response.failure() + "");
            assertEquals("", servers.last().peerReceives());
        }
    }

    private static HttpClientOptions options(int headBytes) {
        return HttpClientOptions.DEFAULT.withLimits(HttpLimits.DEFAULT.withHeadBytes(headBytes));
    }
}
