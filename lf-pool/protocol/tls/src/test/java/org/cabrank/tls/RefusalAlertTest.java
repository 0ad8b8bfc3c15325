package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer that is refused by this library, and not by the engine, is sent an alert before the end of the connection, too. */
@Timeout(300)
class RefusalAlertTest {
    private static final int ALERT = 21;
    private static final int HANDSHAKE = 22;
    private static final int WARNING = 1;
    private static final int FATAL = 2;
    private static final int CLOSE_NOTIFY = 0;
    private static final int UNEXPECTED_MESSAGE = 10;
    private static final int USER_CANCELED = 90;
    private static final int UNRECOGNIZED_NAME = 112;
    private static final int TLS_1_2 = 0x0303;
    private static final int ECDHE_ECDSA_AES_128_GCM_SHA256 = 0xc02b;

    private static ByteBuffer hello(int paddingBytes) {
        return RefusedHelloTest.hello(TLS_1_2, ECDHE_ECDSA_AES_128_GCM_SHA256, paddingBytes);
    }

    private static Tls.Builder byName(boolean wanted) throws Exception {
        Tls.Builder builder = TestTls.server();
        return wanted ? builder.contextByName(name -> null) : builder;
    }

    /** Requires unencrypted alerts, each of a level and a description. */
    private static void assertAlerts(EmbeddedConnection server, int... levelsAndDescriptions) {
        ByteBuffer answer = server.peerReceivesBytes();
        int[] seen = new int[answer.remaining() / 7 * 2];
        for (int alert = 0; alert < seen.length / 2; alert++) {
            assertEquals(ALERT, answer.get(alert * 7));
            assertEquals(2, answer.getShort(alert * 7 + 3));
            seen[2 * alert] = answer.get(alert * 7 + 5);
            seen[2 * alert + 1] = answer.get(alert * 7 + 6);
        }
        assertArrayEquals(levelsAndDescriptions, seen, () -> Arrays.toString(answer.array()));
    }

    // ---- handshakes ----

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHandshakeBeyondItsBoundIsRefusedWithAnAlert(boolean byName) throws Exception {
        Tls tls = byName(byName).handshakeBytesMax(2_000).build();
        PlainRecorder recorder = new PlainRecorder();
        try (EmbeddedConnection server = EmbeddedConnection.open(tls.handler(recorder))) {
            ByteBuffer hello = hello(6_000);
            while (hello.hasRemaining()) {
                server.peerSends(hello.slice(hello.position(), Math.min(100, hello.remaining())));
                hello.position(hello.position() + Math.min(100, hello.remaining()));
            }
            assertAlerts(server, FATAL, UNEXPECTED_MESSAGE);
            assertTrue(server.isOutputEnded());
        }
        assertEquals(1, tls.counters().handshakesFailed());
    }

    /** The client's certificate comes behind the change of keys in TLS 1.3. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void theBoundIsReachedByACertificate(String version) throws Exception {
        String[] hosts = new String[200];
        Arrays.setAll(hosts, host -> "client" + host + ".test");
        SelfSigned longCertificate = TestTls.certificate(hosts);
        Tls tls = Tls.server(TestTls.SERVER.context(longCertificate.certificate()))
                .clientCertificate(Tls.ClientCertificate.NEED)
                .handshakeBytesMax(2_000)
                .build();
        SSLContext context = longCertificate.context(TestTls.SERVER.certificate());
        try (EmbeddedConnection server = EmbeddedConnection.open(tls.handler(TestTls.ECHO))) {
            SSLException refused = assertThrows(SSLException.class, () -> {
                EngineClient client = new EngineClient(context, server, version);
                client.receiveBytes();
            });
            assertTrue(refused.getMessage().contains("unexpected_message"), refused::getMessage);
            assertTrue(server.isOutputEnded());
        }
        assertEquals(1, tls.counters().handshakesFailed());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClientThatStandsStillIsNotifiedThatItsHandshakeIsCanceled(boolean byName) throws Exception {
        Tls tls = byName(byName).handshakeTimeout(Duration.ofSeconds(3)).build();
        for (int sent : new int[] {0, 3, 50}) {
            try (EmbeddedConnection server = EmbeddedConnection.open(tls.handler(TestTls.ECHO))) {
                server.peerSends(hello(0).limit(sent));
                server.advance(Duration.ofSeconds(4));
                assertTrue(server.isClosed());
                if (sent == 0) {
                    assertAlerts(server); // it has asked for nothing
                } else {
                    assertAlerts(server, WARNING, USER_CANCELED, WARNING, CLOSE_NOTIFY);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClientThatEndsItsOutputIsNotifiedThatItsHandshakeIsCanceled(boolean byName) throws Exception {
        Tls tls = byName(byName).build();
        try (EmbeddedConnection server = EmbeddedConnection.open(tls.handler(TestTls.ECHO))) {
            server.peerSends(hello(0).limit(50));
            server.peerEnds();
            assertAlerts(server, WARNING, USER_CANCELED, WARNING, CLOSE_NOTIFY);
            assertTrue(server.isClosed());
        }
    }

    @Test
    void aChoiceThatThrowsRefusesTheName() throws Exception {
        Tls tls = TestTls.server()
                .contextByName(name -> {
                    throw new IllegalArgumentException("no host " + name);
                })
                .build();
        PlainRecorder recorder = new PlainRecorder();
        try (EmbeddedConnection server = EmbeddedConnection.open(tls.handler(recorder))) {
            server.peerSends(hello(0));
            assertAlerts(server, FATAL, UNRECOGNIZED_NAME);
            assertTrue(server.isClosed());
            assertInstanceOf(IllegalArgumentException.class, server.closeCause());
        }
        assertEquals(1, tls.counters().handshakesFailed());
        assertFalse(recorder.ended, "a handler that was not opened is not closed");
    }

    // ---- the bound of a hello ----

    /** Unread bytes of a service have another bound, which is lower here. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100, 100_000})
    void aHelloMayBeLongerThanUnreadBytes(int segmentBytes) throws Exception {
        Tls tls = byName(true).build();
        StreamLimits limits = StreamLimits.DEFAULT.withUnreadLimit(1_024);
        try (EmbeddedConnection server =
                EmbeddedConnection.open(tls.handler(TestTls.ECHO), limits, StreamTimeouts.DEFAULT)) {
            ByteBuffer hello = hello(6_000);
            while (hello.hasRemaining()) {
                int count = Math.min(segmentBytes, hello.remaining());
                server.peerSends(hello.slice(hello.position(), count));
                hello.position(hello.position() + count);
            }
            assertFalse(server.isClosed(), () -> String.valueOf(server.closeCause()));
            assertEquals(HANDSHAKE, server.peerReceivesBytes().get(0));
        }
    }

    // ---- after the handshake ----

    @Test
    void aRenegotiationIsRefusedWithAnAlertBehindTheAnswersBefore() throws Exception {
        Tls tls = TestTls.server().build();
        try (EmbeddedConnection server = EmbeddedConnection.open(tls.handler(TestTls.ECHO))) {
            EngineClient client =
                    new EngineClient(SelfSigned.trusting(TestTls.SERVER.certificate()), server, "TLSv1.2");
            client.gather();
            client.send("before");
            client.shakeAgain();
            client.sendGathered();
            assertEquals("before", client.receiveUntilAlert("unexpected_message"));
            assertTrue(server.isOutputEnded());
        }
        assertEquals(1, tls.counters().failures());
    }
}
