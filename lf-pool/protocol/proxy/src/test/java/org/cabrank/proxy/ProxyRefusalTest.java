package org.cabrank.proxy;

import static org.cabrank.proxy.ProxiedConnections.HEADER;
import static org.cabrank.proxy.ProxiedConnections.PEER;
import static org.cabrank.proxy.ProxiedConnections.SECOND;
import static org.cabrank.proxy.ProxiedConnections.behind;
import static org.cabrank.proxy.ProxiedConnections.counts;
import static org.cabrank.proxy.ProxiedConnections.open;
import static org.cabrank.proxy.ProxiedConnections.reason;
import static org.cabrank.proxy.ProxiedConnections.text;
import static org.cabrank.proxy.ProxiedConnections.trusting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.cabrank.stream.DeadlineException;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Refused connections, and those that are served without a header: malformed headers, time-outs, trust, limits of clients. */
@Timeout(300)
class ProxyRefusalTest {
    // ---- connections of one client ----

    private static EmbeddedConnection openFor(ProxyProtocol protocol, ProxyHeader header) {
        EmbeddedConnection connection = open(protocol, new RecordingHandler());
        connection.peerSends(header.encode());
        return connection;
    }

    private static ProxyHeader of(String client, int port) {
        return ProxyHeader.v2(SampleHeaders.address(client, port), SampleHeaders.LISTENER);
    }

    @Test
    void connectionsOfOneClientAreLimitedByTheHeader() {
        ProxyProtocol protocol = trusting().connectionsPerClientMax(2).build();
        try (EmbeddedConnection first = openFor(protocol, of("192.0.2.1", 1));
                EmbeddedConnection second = openFor(protocol, of("192.0.2.1", 2));
                EmbeddedConnection third = openFor(protocol, of("192.0.2.1", 3));
                EmbeddedConnection other = openFor(protocol, of("192.0.2.2", 1))) {
            assertFalse(first.isClosed() || second.isClosed() || other.isClosed());
            assertTrue(third.isClosed());
            assertTrue(reason(third).contains("has 2 connections, the limit"), reason(third));
            assertEquals(1, protocol.counters().overLimit());
            assertEquals(3, protocol.counters().served());
            first.peerEnds();
            assertTrue(first.isClosed());
            try (EmbeddedConnection fourth = openFor(protocol, of("192.0.2.1", 4));
                    EmbeddedConnection fifth = openFor(protocol, of("192.0.2.1", 5))) {
                assertFalse(fourth.isClosed());
                assertTrue(fifth.isClosed());
            }
            assertEquals(2, protocol.counters().overLimit());
        }
    }

    /** A proxy's own connections name no client, and must not be refused. */
    @Test
    void connectionsWithoutAClientAreNotLimited() {
        ProxyProtocol protocol = trusting().connectionsPerClientMax(1).build();
        for (ProxyHeader header : List.of(ProxyHeader.v2Local(), ProxyHeader.v2Unknown(), ProxyHeader.v1Unknown())) {
            try (EmbeddedConnection first = openFor(protocol, header);
                    EmbeddedConnection second = openFor(protocol, header)) {
                assertFalse(first.isClosed() || second.isClosed());
            }
        }
        assertEquals(0, protocol.counters().overLimit());
        assertThrows(IllegalArgumentException.class, () -> trusting().connectionsPerClientMax(0));
    }

    // ---- malformed headers ----

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 1 x\r\nrequest",
                "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\nrequest",
                "\r\n\r\n\0\r\nQUIT\n\u0031\u0011\0\0",
                "\r\n\r\n\0\r\nQUIT\n\u0021\u0011\u0010\0",
            })
    void malformedHeadersCloseTheConnectionWithAReason(String bytes) {
        RecordingHandler handler = new RecordingHandler();
        ProxyProtocol protocol = trusting().build();
        for (int cut = 0; cut < bytes.length(); cut++) {
            try (EmbeddedConnection connection = open(protocol, handler)) {
                connection.peerSends(bytes.substring(0, cut));
                if (!connection.isClosed()) {
                    connection.peerSends(bytes.substring(cut));
                }
                assertTrue(reason(connection).contains("PROXY header"), reason(connection));
                assertEquals("", connection.peerReceives());
            }
        }
        assertEquals(List.of(), handler.calls);
        assertEquals(bytes.length(), protocol.counters().malformed());
        assertEquals(0, protocol.counters().served() + protocol.counters().abandoned());
    }

    @Test
    void headersAreBounded() {
        ProxyHeader longHeader = HEADER.with(new ProxyTlv(0xe0, new byte[600]));
        int length = longHeader.encode().remaining();
        RecordingHandler handler = new RecordingHandler();
        try (EmbeddedConnection connection =
                open(trusting().headerMax(length - 1).build(), handler)) {
            connection.peerSends(longHeader.encode().limit(16));
            assertTrue(reason(connection).contains("exceeds the bound of " + (length - 1)), reason(connection));
        }
        try (EmbeddedConnection connection = open(trusting().headerMax(length).build(), handler)) {
            connection.peerSends(longHeader.encode());
            assertEquals(List.of("opened"), handler.calls);
        }
    }

    @Test
    void theLimitsOfTheConnectionMustAllowTheHeader() {
        StreamLimits limits = StreamLimits.DEFAULT.withUnreadLimit(1 << 10);
        ProxyProtocol tooLong = trusting().build();
        try (EmbeddedConnection connection = EmbeddedConnection.open(
                tooLong.handlers(RecordingHandler::new).get(), limits, StreamTimeouts.DEFAULT)) {
            assertTrue(connection.closeCause().getMessage().contains("raise StreamLimits.unreadLimit to 4096"));
        }
        RecordingHandler handler = new RecordingHandler();
        ProxyHeader longest = HEADER.with(new ProxyTlv(0xe0, new byte[0]));
        longest = HEADER.with(
                new ProxyTlv(0xe0, new byte[(1 << 10) - longest.encode().remaining()]));
        ProxyProtocol fits = trusting().headerMax(1 << 10).build();
        ByteBuffer bytes = behind(longest, "abc");
        assertEquals((1 << 10) + 3, bytes.remaining());
        try (EmbeddedConnection connection =
                EmbeddedConnection.open(fits.handlers(() -> handler).get(), limits, StreamTimeouts.DEFAULT)) {
            connection.peerSends(bytes.slice(0, (1 << 10) - 1));
            connection.peerSends(bytes.slice((1 << 10) - 1, 4));
            assertEquals("abc", handler.received.toString());
        }
    }

    @Test
    void anEndInsideAHeaderIsMalformed() {
        RecordingHandler handler = new RecordingHandler();
        ProxyProtocol protocol = trusting().build();
        try (EmbeddedConnection connection = open(protocol, handler)) {
            connection.peerSends("PROXY ");
            connection.peerEnds();
            assertEquals("the peer has ended its output 6 bytes into a PROXY header", reason(connection));
        }
        assertEquals("000000100", counts(protocol));
        assertEquals(List.of(), handler.calls);
    }

    @Test
    void connectionsThatEndBeforeAHeaderAreCounted() {
        RecordingHandler handler = new RecordingHandler();
        ProxyProtocol protocol = trusting().build();
        try (EmbeddedConnection checked = open(protocol, handler)) {
            checked.peerEnds();
            assertTrue(checked.isClosed());
            assertNull(checked.closeCause());
        }
        try (EmbeddedConnection reset = open(protocol, handler)) {
            reset.peerSends("PROXY");
            reset.peerResets();
            assertTrue(reset.isClosed());
        }
        try (EmbeddedConnection drained = open(protocol, handler)) {
            drained.drain();
            assertTrue(drained.isOutputEnded());
            drained.peerEnds();
            assertTrue(drained.isClosed());
        }
        assertEquals("000000003", counts(protocol));
        assertEquals(List.of(), handler.calls);
    }

    // ---- time-outs ----

    @ParameterizedTest
    @ValueSource(strings = {"", "P", "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r", "\r\n\r\n\0\r\nQUIT\n\u0021"})
    void theWaitForTheHeaderIsBounded(String part) {
        RecordingHandler handler = new RecordingHandler();
        ProxyProtocol protocol = trusting().headerTimeout(Duration.ofSeconds(2)).build();
        try (EmbeddedConnection connection = open(protocol, handler)) {
            connection.advance(SECOND);
            connection.peerSends(part);
            connection.advance(Duration.ofMillis(999));
            assertFalse(connection.isClosed());
            connection.advance(Duration.ofMillis(2));
            assertTrue(reason(connection).startsWith("the trusted peer has sent no complete PROXY header within PT2S"));
        }
        assertEquals("000000010", counts(protocol));
        assertEquals(List.of(), handler.calls);
    }

    @Test
    void theDefaultTimeoutIsFiveSeconds() {
        try (EmbeddedConnection connection = open(trusting().build(), new RecordingHandler())) {
            connection.advance(Duration.ofMillis(4_999));
            assertFalse(connection.isClosed());
            connection.advance(Duration.ofMillis(2));
            assertTrue(connection.isClosed());
        }
    }

    @Test
    void theDeadlineIsRemovedBehindTheHeader() {
        RecordingHandler handler = new RecordingHandler();
        try (EmbeddedConnection connection = open(trusting().build(), handler)) {
            connection.advance(SECOND);
            connection.peerSends(HEADER.encode());
            connection.advance(Duration.ofHours(1));
            assertEquals(List.of("opened"), handler.calls);
            connection.connection().deadline(SECOND);
            connection.awaitIdle();
            connection.advance(SECOND.plusMillis(1));
            assertInstanceOf(DeadlineException.class, handler.cause);
            assertEquals(List.of("opened", "deadlinePassed", "closed"), handler.calls);
        }
    }

    // ---- trust ----

    @Test
    void untrustedPeersAreClosedByDefault() {
        RecordingHandler handler = new RecordingHandler();
        ProxyProtocol protocol =
                ProxyProtocol.builder().trusted("10.0.0.0/8", "::/0").build();
        try (EmbeddedConnection connection = open(protocol, handler)) {
            String reason = reason(connection);
            assertTrue(reason.contains("127.0.0.1:50000 is no trusted proxy"), reason);
        }
        assertEquals("000001000", counts(protocol));
        assertEquals(List.of(), handler.calls);
    }

    @Test
    void untrustedPeersMayBeServedWithoutLookingForAHeader() {
        RecordingHandler handler = new RecordingHandler();
        ProxyProtocol protocol = ProxyProtocol.builder()
                .trusted("10.0.0.0/8")
                .untrusted(UntrustedPeers.SERVE)
                .build();
        String line = text(ProxyHeader.v1(SampleHeaders.CLIENT, SampleHeaders.LISTENER));
        try (EmbeddedConnection connection = open(protocol, handler)) {
            assertEquals(List.of("opened"), handler.calls);
            connection.peerSends(line);
            assertEquals(line, handler.received.toString());
            assertEquals(PEER, handler.connection.remoteAddress());
            assertEquals(Optional.empty(), handler.connection.header());
            connection.advance(Duration.ofHours(1));
            assertFalse(connection.isClosed());
        }
        assertEquals("000010000", counts(protocol));
    }

    @Test
    void trustIsByAddress() throws Exception {
        ProxyProtocol some = ProxyProtocol.builder()
                .trusted("10.0.0.0/8", "192.0.2.1")
                .trusted("fd00::/8")
                .build();
        assertTrue(some.trusts(SampleHeaders.address("10.1.2.3", 1)));
        assertTrue(some.trusts(SampleHeaders.address("192.0.2.1", 1)));
        byte[] mapped = IpLiteral.mapped(IpLiteral.ipv4("192.0.2.1"));
        assertTrue(some.trusts(new InetSocketAddress(Inet6Address.getByAddress(null, mapped, -1), 1)));
        assertTrue(some.trusts(SampleHeaders.address("fd00::1", 1)));
        assertFalse(some.trusts(SampleHeaders.address("192.0.2.2", 1)));
        assertFalse(some.trusts(SampleHeaders.address("fe00::1", 1)));
        assertFalse(some.trusts(UnixDomainSocketAddress.of("")));
        ProxyProtocol unix = ProxyProtocol.builder().trustedUnixSockets(true).build();
        assertTrue(unix.trusts(UnixDomainSocketAddress.of("")));
        assertFalse(unix.trusts(SampleHeaders.address("127.0.0.1", 1)));
    }

    @Test
    void theBuilderRefusesWhatIsUnsafe() {
        ProxyProtocol.Builder builder = ProxyProtocol.builder();
        assertTrue(assertThrows(IllegalStateException.class, builder::build)
                .getMessage()
                .contains("trusted(\"10.0.0.0/8\")"));
        assertThrows(IllegalArgumentException.class, () -> builder.trusted("10.0.0.0/8", "proxy.example.org"));
        assertThrows(IllegalArgumentException.class, () -> builder.headerTimeout(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> builder.headerTimeout(Duration.ofSeconds(-1)));
        assertThrows(IllegalArgumentException.class, () -> builder.headerTimeout(Duration.ofDays(367)));
        assertThrows(IllegalArgumentException.class, () -> builder.headerMax(231));
        assertThrows(IllegalArgumentException.class, () -> builder.headerMax(65_552));
        assertThrows(NullPointerException.class, () -> builder.untrusted(null));
        assertNotNull(builder.headerMax(65_551).headerMax(232).build());
    }

    // ---- headers that are not required ----

    @Test
    void aHeaderThatIsNotRequiredIsReadIfThereIsOne() {
        RecordingHandler handler = new RecordingHandler();
        ProxyProtocol protocol = trusting().required(false).build();
        try (EmbeddedConnection connection = open(protocol, handler)) {
            connection.peerSends(behind(HEADER, "abc"));
            assertEquals(SampleHeaders.CLIENT, handler.connection.remoteAddress());
            assertEquals("abc", handler.received.toString());
        }
        assertEquals("010000000", counts(protocol));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\n", "PROX", "PROXYx", "\r\n\r\n\0\r\nQUIT!", "\r\nHELO"})
    void aConnectionWithoutAHeaderIsServedIfNoneIsRequired(String text) {
        for (int cut = 0; cut < text.length(); cut++) {
            RecordingHandler handler = new RecordingHandler();
            ProxyProtocol protocol = trusting().required(false).build();
            String bytes = text + "!";
            try (EmbeddedConnection connection = open(protocol, handler)) {
                connection.peerSends(bytes.substring(0, cut));
                connection.peerSends(bytes.substring(cut));
                assertEquals(bytes, handler.received.toString());
                assertEquals(PEER, handler.connection.remoteAddress());
                assertEquals(Optional.empty(), handler.connection.header());
            }
            assertEquals("000100000", counts(protocol));
        }
    }

    @Test
    void aSilentConnectionIsServedAtTheTimeoutIfNoHeaderIsRequired() {
        RecordingHandler handler = new RecordingHandler();
        ProxyProtocol protocol = trusting().required(false).build();
        try (EmbeddedConnection connection = open(protocol, handler)) {
            connection.advance(Duration.ofMillis(5_001));
            assertEquals(List.of("opened"), handler.calls);
            connection.peerSends(text(ProxyHeader.v1Unknown()));
            assertEquals("PROXY UNKNOWN\r\n", handler.received.toString());
            connection.advance(Duration.ofHours(1));
            assertFalse(connection.isClosed());
        }
        assertEquals("000100000", counts(protocol));
        try (EmbeddedConnection connection = open(protocol, handler)) {
            connection.peerSends("PRO");
            connection.advance(Duration.ofMillis(5_001));
            assertInstanceOf(ProxyProtocolException.class, connection.closeCause());
        }
        assertEquals("000100010", counts(protocol));
    }
}
