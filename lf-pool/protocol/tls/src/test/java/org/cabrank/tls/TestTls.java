package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Random;
import javax.net.ssl.SSLException;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.testkit.EmbeddedConnection;

/** Certificates, settings and checks of TLS that tests share. */
final class TestTls {
    static final SelfSigned SERVER = certificate("server.test", "other.test");
    static final SelfSigned CLIENT = certificate("client.test");

    /** Length of a forged record, in bytes. */
    static final int FORGED_BYTES = 30;

    private TestTls() {}

    static SelfSigned certificate(String... hosts) {
        try {
            Instant now = Instant.now();
            return SelfSigned.of(now.minusSeconds(3600), now.plusSeconds(3600), hosts);
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    static Tls.Builder server() throws GeneralSecurityException {
        return Tls.server(SERVER.context(CLIENT.certificate()));
    }

    static Tls.Builder client() throws GeneralSecurityException {
        return Tls.client(CLIENT.context(SERVER.certificate()), "server.test", 443);
    }

    static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);

    static ByteBuffer utf8(String text) {
        return StandardCharsets.UTF_8.encode(text);
    }

    /** Writes as many random bytes as wanted, in pieces of random size, and requires the peer to send them back. */
    static void assertEchoes(TlsPair pair, PlainRecorder recorder, int bytes, int writeMax) {
        Random random = new Random(bytes + writeMax);
        byte[] sent = new byte[bytes];
        random.nextBytes(sent);
        for (int from = 0; from < bytes; ) {
            int count = Math.min(bytes - from, 1 + random.nextInt(writeMax));
            recorder.connection.write(ByteBuffer.wrap(sent, from, count));
            pair.exchange();
            from += count;
        }
        assertArrayEquals(sent, recorder.bytes());
    }

    /** Ends the connection by the client, and requires an orderly end at both sides. */
    static void assertEndsInOrder(TlsPair pair, PlainRecorder recorder) {
        recorder.connection.close();
        pair.exchange();
        assertTrue(pair.server.isClosed());
        assertNull(pair.server.closeCause());
        assertTrue(pair.client.isClosed());
        assertNull(recorder.cause);
    }

    /** Returns the records with a forged one of 30 bytes behind them. */
    static byte[] withForgedRecord(ByteBuffer records) {
        byte[] forged = new byte[records.remaining() + FORGED_BYTES];
        int at = records.remaining();
        records.get(forged, 0, at);
        forged[at] = 23; // application data of TLS 1.2 and 1.3
        forged[at + 1] = 3;
        forged[at + 2] = 3;
        forged[at + 4] = FORGED_BYTES - 5;
        return forged;
    }

    /** Requires a server to answer plain text with an alert, and to count it. */
    static void assertPlainTextIsRefused(Tls server, String text) {
        PlainRecorder recorder = new PlainRecorder();
        try (EmbeddedConnection raw = EmbeddedConnection.open(server.handler(recorder))) {
            raw.peerSends(text);
            assertTrue(raw.isOutputEnded());
            raw.peerEnds();
            assertTrue(raw.isClosed());
        }
        assertNull(recorder.connection);
        assertEquals(1, server.counters().handshakesFailed());
    }

    /** Requires a server to report an end of the client without a close_notify. */
    static void assertCutOffIsReported(Tls server, Tls client) {
        PlainRecorder ofServer = new PlainRecorder();
        PlainRecorder ofClient = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server, ofServer, client, ofClient, 1000)) {
            pair.exchange();
            ofClient.connection.write(utf8("the whole trut"));
            pair.exchange();
            pair.server.peerEnds();
            assertEquals("the whole trut", ofServer.text());
            assertTrue(pair.server.isClosed());
            assertInstanceOf(SSLException.class, ofServer.cause);
            assertFalse(ofServer.inputClosed, "this was no end of the peer");
            assertEquals(1, server.counters().truncations());
        }
    }
}
