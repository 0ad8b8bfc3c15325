package org.cabrank.tls;

import static org.cabrank.tls.TestTls.CLIENT;
import static org.cabrank.tls.TestTls.ECHO;
import static org.cabrank.tls.TestTls.FORGED_BYTES;
import static org.cabrank.tls.TestTls.SERVER;
import static org.cabrank.tls.TestTls.assertCutOffIsReported;
import static org.cabrank.tls.TestTls.assertEchoes;
import static org.cabrank.tls.TestTls.assertEndsInOrder;
import static org.cabrank.tls.TestTls.assertPlainTextIsRefused;
import static org.cabrank.tls.TestTls.client;
import static org.cabrank.tls.TestTls.server;
import static org.cabrank.tls.TestTls.utf8;
import static org.cabrank.tls.TestTls.withForgedRecord;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** TLS with engines of other providers than the JDK, on either side, in both versions. */
@ParameterizedClass(name = "server {0}, client {1}, {2}")
@MethodSource("engines")
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class OtherEnginesTest {
    private static final boolean SOAK = Long.getLong("cabrank.soak.seconds") != null;

    /** Bytes from one stop in the handshake to the next: a stop in each message, and in a soak many more. */
    private static final int STOPS_APART = SOAK ? 61 : 151;

    private final Engines ofServer;
    private final Engines ofClient;
    private final String version;
    private final List<EngineFactory> factories = new ArrayList<>();

    OtherEnginesTest(Engines ofServer, Engines ofClient, String version) {
        this.ofServer = ofServer;
        this.ofClient = ofClient;
        this.version = version;
    }

    /** Each engine on either side of an engine of the JDK; in a soak of every other engine and of its kind as well. */
    static Stream<Arguments> engines() {
        return Stream.of("TLSv1.2", "TLSv1.3")
                .flatMap(version -> Stream.of(Engines.values())
                        .flatMap(server -> Stream.of(Engines.values())
                                .filter(client -> SOAK
                                        ? server != Engines.JDK || client != Engines.JDK
                                        : (server == Engines.JDK) != (client == Engines.JDK))
                                .map(client -> Arguments.of(server, client, version))));
    }

    @AfterEach
    void everyEngineIsReleased() {
        for (EngineFactory factory : factories) {
            if (factory instanceof Engines.Tcnative tcnative) {
                tcnative.made.forEach(engine -> assertEquals(0, engine.refCnt()));
            }
        }
    }

    private EngineFactory engines(Engines of, Engines.Side side) throws Exception {
        EngineFactory factory = of.of(side);
        factories.add(factory);
        return factory;
    }

    private Tls server(X509Certificate trusted, String... protocols) throws Exception {
        Tls.Builder builder =
                Tls.server(engines(ofServer, new Engines.Side(false, SERVER, trusted, version, protocols)));
        if (trusted != null) {
            builder.clientCertificate(Tls.ClientCertificate.NEED);
        }
        return builder.protocols(version).applicationProtocols(protocols).build();
    }

    private Tls client(SelfSigned own, String... protocols) throws Exception {
        Engines.Side side = new Engines.Side(true, own, SERVER.certificate(), version, protocols);
        return Tls.client(engines(ofClient, side), "server.test", 443)
                .protocols(version)
                .applicationProtocols(protocols)
                .build();
    }

    private void echoes(int bytes, int chunk, int writeMax) throws Exception {
        Tls server = server(null, "h2", "http/1.1");
        PlainRecorder recorder = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server, ECHO, client(null, "http/1.1"), recorder, chunk)) {
            pair.exchange();
            assertNotNull(recorder.connection, () -> pair.server.closeCause() + ", " + pair.client.closeCause());
            assertEquals(version, recorder.connection.session().getProtocol());
            assertEquals("http/1.1", recorder.connection.applicationProtocol());
            assertEchoes(pair, recorder, bytes, writeMax);
            assertEndsInOrder(pair, recorder);
        }
        assertEquals(0, server.counters().truncations());
        assertEquals(0, server.counters().failures());
    }

    @Test
    void muchIsSentInBothDirections() throws Exception {
        echoes(1_000_000, 10_000, 100_000);
        echoes(200_000, 1_460, 40_000);
    }

    @Test
    void recordsAreCutAtEveryByte() throws Exception {
        echoes(SOAK ? 5_000 : 1_500, 1, 700); // several records
        echoes(SOAK ? 40_000 : 20_000, SOAK ? 7 : 67, 20_000); // more than one full record
    }

    @Test
    void theServersEndIsAClosingToo() throws Exception {
        PlainRecorder recorder = new PlainRecorder();
        ConnectionHandler oneLine = (connection, data) -> {
            connection.write(data);
            connection.close();
        };
        try (TlsPair pair = new TlsPair(server(null), oneLine, client(null), recorder, 1_000)) {
            pair.exchange();
            recorder.connection.write(utf8("one"));
            pair.exchange();
            assertEquals("one", recorder.text());
            assertTrue(recorder.inputClosed, "by a close_notify");
            assertNull(recorder.cause);
            assertTrue(pair.server.isClosed());
            assertNull(pair.server.closeCause());
        }
    }

    @Test
    void aConnectionThatIsCutOffIsReported() throws Exception {
        assertCutOffIsReported(server(null), client(null));
    }

    @Test
    void aCertificateOfTheClientIsVerified() throws Exception {
        Tls server = server(CLIENT.certificate());
        PlainRecorder atServer = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server, atServer, client(CLIENT), new PlainRecorder(), 1_000)) {
            pair.exchange();
            assertNotNull(atServer.connection, () -> String.valueOf(pair.server.closeCause()));
            assertEquals(CLIENT.certificate(), atServer.connection.session().getPeerCertificates()[0]);
        }
        PlainRecorder refused = new PlainRecorder();
        for (SelfSigned wrong : new SelfSigned[] {null, TestTls.certificate("client.test")}) {
            try (TlsPair pair = new TlsPair(server, refused, client(wrong), new PlainRecorder(), 1_000)) {
                pair.exchange();
                assertNull(refused.connection);
                assertTrue(pair.server.isClosed());
                assertTrue(pair.client.isClosed());
            }
        }
        assertEquals(2, server.counters().handshakesFailed());
        assertEquals(1, server.counters().handshakesCompleted());
    }

    @Test
    void aServerThatIsNotTrustedIsRefused() throws Exception {
        Tls server = server(null);
        Engines.Side trustsAnother = new Engines.Side(true, null, CLIENT.certificate(), version);
        Tls client = Tls.client(engines(ofClient, trustsAnother), "server.test", 443)
                .protocols(version)
                .build();
        PlainRecorder atClient = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server, new PlainRecorder(), client, atClient, 1_000)) {
            pair.exchange();
            assertNull(atClient.connection);
            assertTrue(pair.client.isClosed());
            assertTrue(pair.server.isClosed());
            assertEquals(1, client.counters().handshakesFailed());
        }
    }

    @Test
    void plainTextIsRefused() throws Exception {
        assertPlainTextIsRefused(server(null), "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    @Test
    void aBrokenRecordEndsTheConnection() throws Exception {
        Tls server = server(null);
        PlainRecorder atServer = new PlainRecorder();
        PlainRecorder atClient = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server, atServer, client(null), atClient, 1_000)) {
            pair.exchange();
            atClient.connection.write(utf8("good"));
            ByteBuffer records = pair.takeFromClient();
            byte[] forged = withForgedRecord(records);
            pair.server.peerSends(ByteBuffer.wrap(forged));
            assertEquals("good", atServer.text());
            if (server.counters().failures() == 0) { // tcnative sends its alert now, and throws at the next record
                pair.server.peerSends(ByteBuffer.wrap(forged, forged.length - FORGED_BYTES, FORGED_BYTES));
            }
            pair.server.peerEnds();
            assertInstanceOf(SSLException.class, atServer.cause);
            assertEquals(1, server.counters().failures());
        }
    }

    /** A client may stop anywhere: nothing is opened, each is counted, and the engine is released. */
    @Test
    void aClientThatStopsInTheHandshakeIsClosed() throws Exception {
        for (int stop = 0; stop < 4_000; stop += STOPS_APART) {
            Tls server = server(null);
            PlainRecorder recorder = new PlainRecorder();
            try (TlsPair pair = new TlsPair(server, recorder, client(null), ECHO, 50)) {
                int left = pair.exchangeUntil(stop);
                pair.server.peerEnds();
                assertTrue(pair.server.isClosed(), "at " + stop);
                boolean completed = recorder.connection != null;
                assertEquals(completed ? 0 : 1, server.counters().handshakesFailed(), "at " + stop);
                if (left > 0) {
                    return;
                }
            }
        }
    }

    @Test
    void aConnectionThatWaitsOnItsHandlerIsServedOn() throws Exception {
        List<Connection> paused = new ArrayList<>();
        ConnectionHandler pausing = (connection, data) -> {
            paused.add(connection);
            connection.write(utf8(String.valueOf((char) data.get())));
            connection.pauseReading();
        };
        PlainRecorder atClient = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server(null), pausing, client(null), atClient, 1_000)) {
            pair.exchange();
            atClient.connection.write(utf8("abc"));
            pair.exchange();
            for (int i = 0; i < 2; i++) {
                paused.get(i).resumeReading();
                pair.exchange();
            }
            assertEquals("abc", atClient.text());
        }
    }
}
