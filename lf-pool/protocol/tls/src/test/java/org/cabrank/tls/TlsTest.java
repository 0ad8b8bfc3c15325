package org.cabrank.tls;

import static org.cabrank.tls.TestTls.ECHO;
import static org.cabrank.tls.TestTls.SERVER;
import static org.cabrank.tls.TestTls.assertCutOffIsReported;
import static org.cabrank.tls.TestTls.assertEchoes;
import static org.cabrank.tls.TestTls.assertEndsInOrder;
import static org.cabrank.tls.TestTls.certificate;
import static org.cabrank.tls.TestTls.client;
import static org.cabrank.tls.TestTls.server;
import static org.cabrank.tls.TestTls.utf8;
import static org.cabrank.tls.TestTls.withForgedRecord;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes, sessions and ends of connections over TLS. */
@Timeout(300)
class TlsTest {
    // ---- echo ----

    @ParameterizedTest
    @CsvSource({
        "TLSv1.3, 1000000",
        "TLSv1.2, 1000000",
        "TLSv1.3, 1",
        "TLSv1.2, 1",
        "TLSv1.3, 7",
        "TLSv1.2, 7",
        "TLSv1.3, 1460"
    })
    void bytesPassUnchangedHoweverTheRecordsAreCut(String version, int chunk) throws Exception {
        // One byte at a time, a record that is not full; else more than one full record.
        int bytes = chunk == 1 ? 4_000 : chunk < 100 ? 20_000 : 1_000_000;
        PlainRecorder recorder = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server().protocols(version).build(), ECHO, client().build(), recorder, chunk)) {
            pair.exchange();
            assertEquals(version, recorder.connection.session().getProtocol());
            assertEchoes(pair, recorder, bytes, 50_000);
            assertEndsInOrder(pair, recorder);
        }
    }

    @Test
    void theConnectionTellsItsSession() throws Exception {
        List<TlsConnection> opened = new ArrayList<>();
        ConnectionHandler noting = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                opened.add((TlsConnection) connection);
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {}
        };
        Tls server = server().applicationProtocols("h2", "http/1.1")
                .clientCertificate(Tls.ClientCertificate.NEED)
                .contextByName(name -> null)
                .build();
        try (TlsPair pair = new TlsPair(
                server, noting, client().applicationProtocols("http/1.1").build(), noting, 100)) {
            pair.exchange();
            assertEquals(2, opened.size());
            for (TlsConnection side : opened) {
                assertEquals("http/1.1", side.applicationProtocol());
                assertEquals(1, side.session().getPeerCertificates().length);
            }
            assertTrue(opened.stream().anyMatch(side -> "server.test".equals(side.serverName())));
        }
        TlsCounters counters = server.counters();
        assertEquals(1, counters.handshakesBegun());
        assertEquals(1, counters.handshakesCompleted());
        assertEquals(0, counters.handshakesFailed());
    }

    @Test
    void descriptorsAreRefused() throws Exception {
        PlainRecorder recorder = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server().build(), ECHO, client().build(), recorder, 1000)) {
            pair.exchange();
            ByteBuffer data = utf8("x");
            UnsupportedOperationException refused = assertThrows(
                    UnsupportedOperationException.class,
                    () -> recorder.connection.unixSocket().writeDescriptors(data, 0));
            assertTrue(refused.getMessage().contains("TLS passes no descriptors"), refused::getMessage);
            assertEquals(1, data.remaining());
            assertThrows(UnsupportedOperationException.class, recorder.connection.unixSocket()::takeDescriptor);
            assertThrows(UnsupportedOperationException.class, recorder.connection.unixSocket()::receivedDescriptors);
        }
    }

    @Test
    void theContextIsChosenByTheNameThatTheClientAsksFor() throws Exception {
        SelfSigned chosen = certificate("named.test");
        List<String> asked = new ArrayList<>();
        Tls server = server().contextByName(name -> {
                    asked.add(name);
                    try {
                        return "named.test".equals(name) ? chosen.context() : null;
                    } catch (GeneralSecurityException impossible) {
                        throw new AssertionError(impossible);
                    }
                })
                .build();
        for (int chunk : new int[] {1, 10_000}) {
            Tls client = Tls.client(SelfSigned.trusting(chosen.certificate()), "named.test", 443)
                    .build();
            PlainRecorder recorder = new PlainRecorder();
            try (TlsPair pair = new TlsPair(server, ECHO, client, recorder, chunk)) {
                pair.exchange();
                assertNotNull(recorder.connection, () -> String.valueOf(pair.client.closeCause()));
                assertEquals(chosen.certificate(), recorder.connection.session().getPeerCertificates()[0]);
            }
        }
        assertEquals(List.of("named.test", "named.test"), asked);
    }

    @Test
    void aReloadedContextServesNewConnections() throws Exception {
        SelfSigned renewed = certificate("server.test");
        Tls server = server().build();
        PlainRecorder before = new PlainRecorder();
        PlainRecorder after = new PlainRecorder();
        Tls client = Tls.client(SelfSigned.trusting(SERVER.certificate(), renewed.certificate()), "server.test", 443)
                .build();
        try (TlsPair first = new TlsPair(server, ECHO, client, before, 1000)) {
            first.exchange();
            server.reload(renewed.context());
            try (TlsPair second = new TlsPair(server, ECHO, client, after, 1000)) {
                second.exchange();
                assertEquals(renewed.certificate(), after.connection.session().getPeerCertificates()[0]);
                before.connection.write(utf8("still served"));
                first.exchange();
                assertEquals("still served", before.text());
            }
        }
    }

    // ---- the end ----

    @Test
    void aConnectionThatIsCutOffIsReported() throws Exception {
        assertCutOffIsReported(server().build(), client().build());
    }

    @Test
    void oneDirectionEndsBeforeTheOther() throws Exception {
        PlainRecorder ofClient = new PlainRecorder();
        List<String> calls = new ArrayList<>();
        List<Connection> atServer = new ArrayList<>();
        ConnectionHandler answeringAtTheEnd = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                atServer.add(connection);
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                calls.add("data"); // left unread until the end
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                calls.add("end with " + StandardCharsets.UTF_8.decode(unread));
                connection.write(utf8("answer"));
                connection.close();
            }
        };
        try (TlsPair pair = new TlsPair(server().build(), answeringAtTheEnd, client().build(), ofClient, 1000)) {
            pair.exchange();
            ofClient.connection.write(utf8("question"));
            ofClient.connection.shutdownOutput();
            pair.exchange();
            assertEquals(List.of("data", "end with question"), calls);
            assertEquals("answer", ofClient.text());
            assertTrue(ofClient.inputClosed);
            assertTrue(pair.server.isClosed());
            assertNull(pair.server.closeCause());
            assertTrue(pair.client.isClosed());
            assertNull(ofClient.cause);
        }
    }

    @Test
    void aDrainedServerSaysGoodbye() throws Exception {
        PlainRecorder ofClient = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server().build(), ECHO, client().build(), ofClient, 1000)) {
            pair.exchange();
            pair.server.drain();
            pair.exchange();
            assertTrue(ofClient.inputClosed, "by a close_notify");
            assertNull(ofClient.cause);
            assertTrue(pair.client.isClosed());
        }
    }

    @Test
    void aBrokenRecordEndsTheConnectionAfterWhatCameBefore() throws Exception {
        PlainRecorder ofServer = new PlainRecorder();
        PlainRecorder ofClient = new PlainRecorder();
        Tls server = server().build();
        try (TlsPair pair = new TlsPair(server, ofServer, client().build(), ofClient, 1000)) {
            pair.exchange();
            ofClient.connection.write(utf8("good"));
            ByteBuffer records = pair.takeFromClient();
            byte[] forged = withForgedRecord(records);
            pair.server.peerSends(ByteBuffer.wrap(forged));
            assertEquals("good", ofServer.text());
            pair.server.peerEnds();
            assertInstanceOf(SSLException.class, ofServer.cause);
            assertEquals(1, server.counters().failures());
        }
    }
}
