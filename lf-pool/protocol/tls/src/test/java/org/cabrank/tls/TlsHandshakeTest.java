package org.cabrank.tls;

import static org.cabrank.tls.TestTls.CLIENT;
import static org.cabrank.tls.TestTls.ECHO;
import static org.cabrank.tls.TestTls.SERVER;
import static org.cabrank.tls.TestTls.assertPlainTextIsRefused;
import static org.cabrank.tls.TestTls.client;
import static org.cabrank.tls.TestTls.server;
import static org.cabrank.tls.TestTls.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Handshakes that fail, stand still, or wait for their turn. */
@Timeout(300)
class TlsHandshakeTest {
    // ---- handshakes that fail ----

    private static void assertHandshakeFails(Tls server, Tls client, String reasonOfClient) {
        PlainRecorder ofServer = new PlainRecorder();
        PlainRecorder ofClient = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server, ofServer, client, ofClient, 1000)) {
            pair.exchange();
            assertTrue(pair.server.isClosed());
            assertTrue(pair.client.isClosed());
            assertEquals(1, server.counters().handshakesFailed());
            assertNull(ofServer.connection);
            assertFalse(ofServer.ended, "a handler that was not opened is not closed");
        }
        if (ofClient.connection != null) { // TLS 1.3: the client has finished before the server refuses its certificate
            assertInstanceOf(SSLException.class, ofClient.cause, reasonOfClient);
        }
    }

    @Test
    void aClientWithoutTheCertificateThatIsNeededIsRefused() throws Exception {
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            assertHandshakeFails(
                    server().clientCertificate(Tls.ClientCertificate.NEED)
                            .protocols(version)
                            .build(),
                    Tls.client(SelfSigned.trusting(SERVER.certificate()), "server.test", 443)
                            .build(),
                    "certificate required");
        }
    }

    @Test
    void aClientWithoutTheCertificateThatIsWantedIsServed() throws Exception {
        PlainRecorder recorder = new PlainRecorder();
        Tls client = Tls.client(SelfSigned.trusting(SERVER.certificate()), "server.test", 443)
                .build();
        try (TlsPair pair = new TlsPair(
                server().clientCertificate(Tls.ClientCertificate.WANT).build(), ECHO, client, recorder, 1000)) {
            pair.exchange();
            assertNotNull(recorder.connection);
        }
    }

    @Test
    void certificatesOfAnotherNameAndUntrustedOnesAreRefusedByTheClient() throws Exception {
        assertHandshakeFails(
                server().build(),
                Tls.client(SelfSigned.trusting(SERVER.certificate()), "wrong.test", 443)
                        .build(),
                "wrong name");
        assertHandshakeFails(
                server().build(),
                Tls.client(SelfSigned.trusting(CLIENT.certificate()), "server.test", 443)
                        .build(),
                "untrusted");
    }

    @Test
    void sidesWithoutACommonVersionOrProtocolFail() throws Exception {
        assertHandshakeFails(
                server().protocols("TLSv1.3").build(),
                client().protocols("TLSv1.2").build(),
                "version");
        assertHandshakeFails(
                server().applicationProtocols("h2").build(),
                client().applicationProtocols("imap").build(),
                "no application protocol");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\u0000\u0000\u0000\u0000\u0000\u0000", "SSH-2.0-x\r\n"})
    void plainTextOnATlsPortIsClosedAndCounted(String text) throws Exception {
        for (boolean byName : new boolean[] {false, true}) {
            Tls.Builder builder = server();
            Tls server = (byName ? builder.contextByName(name -> null) : builder).build();
            assertPlainTextIsRefused(server, text);
        }
    }

    @Test
    void aHandshakeThatTakesTooLongIsEnded() throws Exception {
        Tls server = server().handshakeTimeout(Duration.ofSeconds(3)).build();
        try (EmbeddedConnection raw = EmbeddedConnection.open(server.handler(ECHO))) {
            raw.advance(Duration.ofSeconds(2));
            assertFalse(raw.isClosed());
            raw.advance(Duration.ofSeconds(2));
            assertTrue(raw.isClosed());
        }
        assertEquals(1, server.counters().handshakesTimedOut());
        assertEquals(1, server.counters().handshakesFailed());
    }

    @Test
    void aHandshakeIsBounded() throws Exception {
        Tls server =
                server().handshakeBytesMax(2000).contextByName(name -> null).build();
        try (EmbeddedConnection raw = EmbeddedConnection.open(server.handler(ECHO))) {
            ByteBuffer hello = ByteBuffer.allocate(9000);
            hello.put(new byte[] {22, 3, 1, (byte) (8995 >>> 8), (byte) 8995, 1, 0, (byte) (8991 >>> 8), (byte) 8991});
            raw.peerSends(hello.clear().limit(8000));
            raw.peerSends(hello.position(8000).limit(9000));
            assertTrue(raw.isOutputEnded());
        }
        assertEquals(1, server.counters().handshakesFailed());
    }

    /** A client may stop in every state of the handshake: nothing hangs, nothing is opened, each is counted. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aClientThatStopsAtAnyByteOfTheHandshakeIsClosed(String version) throws Exception {
        for (int stop = 0; stop < 4000; stop += 97) {
            Tls server = server().protocols(version).build();
            PlainRecorder recorder = new PlainRecorder();
            try (TlsPair pair = new TlsPair(server, recorder, client().build(), ECHO, 50)) {
                int left = pair.exchangeUntil(stop);
                pair.server.peerEnds();
                assertTrue(pair.server.isOutputEnded());
                assertTrue(pair.server.isClosed());
                boolean completed = recorder.connection != null;
                assertEquals(completed ? 0 : 1, server.counters().handshakesFailed(), "at " + stop);
                if (completed) {
                    assertInstanceOf(SSLException.class, recorder.cause, "truncated");
                    assertEquals(1, server.counters().truncations());
                }
                if (left > 0) {
                    return;
                }
            }
        }
    }

    /** A client may stand still in every state of the handshake: it is timed out and counted, and its engine and place are released. */
    @ParameterizedTest
    @CsvSource({"TLSv1.2, false", "TLSv1.3, false", "TLSv1.2, true", "TLSv1.3, true"})
    void aClientThatStandsStillAtAnyByteOfTheHandshakeIsTimedOut(String version, boolean withCertificate)
            throws Exception {
        AtomicInteger engines = new AtomicInteger();
        SSLContext context = SERVER.context(CLIENT.certificate());
        EngineFactory counted = new EngineFactory() {
            @Override
            public SSLEngine newEngine(String host, int port) {
                engines.incrementAndGet();
                return context.createSSLEngine();
            }

            @Override
            public void release(SSLEngine engine) {
                engines.decrementAndGet();
            }
        };
        Tls server = Tls.server(counted)
                .protocols(version)
                .clientCertificate(withCertificate ? Tls.ClientCertificate.NEED : Tls.ClientCertificate.NONE)
                .handshakeTimeout(Duration.ofSeconds(3))
                .handshakesMax(1)
                .build();
        int stopped = 0;
        int left = 0;
        for (int stop = 0; left == 0; stop += 53) {
            PlainRecorder recorder = new PlainRecorder();
            try (TlsPair pair = new TlsPair(server, recorder, client().build(), new PlainRecorder(), 40)) {
                left = pair.exchangeUntil(stop);
                pair.server.advance(Duration.ofSeconds(4));
                if (recorder.connection == null) {
                    assertTrue(pair.server.isClosed(), "at " + stop);
                    stopped++;
                    assertEquals(stopped, server.counters().handshakesTimedOut(), "at " + stop);
                } else {
                    assertFalse(pair.server.isClosed(), "at " + stop);
                    break;
                }
            }
            assertEquals(0, engines.get(), "at " + stop);
        }
        assertEquals(stopped, server.counters().handshakesFailed());
        assertEquals(1, server.counters().handshakesCompleted());
        assertTrue(stopped > 5, stopped + " times");
    }

    // ---- bounded handshakes ----

    @Test
    void noMoreHandshakesThanProcessorsRunAtATimeAndOneThreadIsLeft() {
        assertEquals(1, Tls.defaultMax(1, 8));
        assertEquals(3, Tls.defaultMax(4, 8));
        assertEquals(2, Tls.defaultMax(4, 2));
        assertEquals(1, Tls.defaultMax(4, 1));
    }

    @Test
    void operationsOfHandshakesRunOnTheExecutorAndNoMoreThanAllowed() throws Exception {
        List<Runnable> work = new ArrayList<>();
        Tls server = server().handshakeExecutor(work::add).handshakesMax(1).build();
        List<TlsPair> pairs = new ArrayList<>();
        List<PlainRecorder> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                PlainRecorder recorder = new PlainRecorder();
                clients.add(recorder);
                pairs.add(new TlsPair(server, ECHO, client().build(), recorder, 1000));
                pairs.get(i).exchange();
            }
            assertEquals(3, pairs.size());
            assertNotEquals(0, work.size());
            for (int round = 0; round < 50 && server.counters().handshakesCompleted() < 3; round++) {
                List<Runnable> due = List.copyOf(work);
                work.clear();
                due.forEach(Runnable::run);
                pairs.forEach(TlsPair::exchange);
            }
            assertEquals(3, server.counters().handshakesCompleted());
            for (int i = 0; i < 3; i++) {
                clients.get(i).connection.write(utf8("hello " + i));
                pairs.get(i).exchange();
                assertEquals("hello " + i, clients.get(i).text());
            }
        } finally {
            pairs.forEach(TlsPair::close);
        }
    }

    @Test
    void aHandshakeWhoseOperationsTakeTooLongIsCountedAsTimedOut() throws Exception {
        List<Runnable> work = new ArrayList<>();
        Tls server = server().handshakeExecutor(work::add)
                .handshakeTimeout(Duration.ofSeconds(3))
                .build();
        try (TlsPair pair = new TlsPair(server, ECHO, client().build(), new PlainRecorder(), 1000)) {
            pair.exchange();
            assertEquals(1, work.size());
            pair.server.advance(Duration.ofSeconds(4));
            assertTrue(pair.server.isClosed());
        }
        assertEquals(1, server.counters().handshakesTimedOut());
        assertEquals(1, server.counters().handshakesFailed());
    }

    @Test
    void theEngineOfRefusedSettingsIsReleased() throws Exception {
        AtomicInteger released = new AtomicInteger();
        SSLContext context = SERVER.context();
        EngineFactory factory = new EngineFactory() {
            @Override
            public SSLEngine newEngine(String host, int port) {
                return context.createSSLEngine();
            }

            @Override
            public void release(SSLEngine engine) {
                released.incrementAndGet();
            }
        };
        Tls.Builder unknown = Tls.server(factory).protocols("unknown");
        assertThrows(IllegalArgumentException.class, unknown::build);
        assertEquals(1, released.get());
    }
}
