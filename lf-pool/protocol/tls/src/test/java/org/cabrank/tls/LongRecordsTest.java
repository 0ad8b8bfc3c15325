package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that are longer than RFC 8446 allows. The JDK's engine accepts them if its parameters have no maximum packet size. */
@Timeout(
        value = 300,
        threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a loop that never ends holds the thread of the test
class LongRecordsTest {
    private static final int LONG_BYTES = 32_000;
    private static final int UNREAD_BYTES = 5_000;

    private static Tls accepting() throws GeneralSecurityException {
        SSLContext context = TestTls.SERVER.context();
        return Tls.server(new EngineFactory() {
                    @Override
                    public SSLEngine newEngine(String host, int port) {
                        return context.createSSLEngine();
                    }

                    @Override
                    public void configure(SSLEngine engine, SSLParameters parameters) {
                        engine.setSSLParameters(new SSLParameters(null, parameters.getProtocols()));
                    }
                })
                .build();
    }

    private static RawTlsClient.Outcome outcome(ConnectionHandler handler, int answerBytes, int... records)
            throws Exception {
        try (StreamServer server = StreamServer.builder()
                        .listen("127.0.0.1", 0)
                        .threadsPerShard(1)
                        .handler(accepting().handlers(() -> handler))
                        .start();
                RawTlsClient client =
                        new RawTlsClient(new InetSocketAddress("127.0.0.1", server.port()), RawTlsClient.TLS_1_3)) {
            client.shake();
            for (int bytes : records) {
                client.sendRecord(RawTlsClient.DATA, new byte[bytes]);
            }
            client.awaitData(answerBytes);
            client.sendRecord(RawTlsClient.ALERT, new byte[] {1, 0});
            return client.outcome();
        }
    }

    /** The header alone shows the length. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void headerBehindUnreadPlaintextWaitsForItsRecord(String version) throws Exception {
        PlainRecorder recorder = new PlainRecorder();
        ConnectionHandler waiting = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {}

            @Override
            public void closed(Connection connection, Throwable cause) {
                recorder.closed(connection, cause);
            }
        };
        try (EmbeddedConnection server = EmbeddedConnection.open(accepting().handler(waiting))) {
            EngineClient client = new EngineClient(SelfSigned.trusting(TestTls.SERVER.certificate()), server, version);
            client.send(new byte[UNREAD_BYTES]);
            server.peerSends(ByteBuffer.wrap(new byte[] {23, 3, 3, (byte) 0x80, 0}));
            server.awaitIdle();
            assertFalse(server.isClosed());
            server.peerEnds();
            assertTrue(server.isClosed());
        }
        assertInstanceOf(SSLException.class, recorder.cause, "cut off");
    }

    @Test
    void longRecordBehindUnreadPlaintextIsDelivered() throws Exception {
        int all = UNREAD_BYTES + LONG_BYTES;
        ConnectionHandler frame = (connection, data) -> {
            if (data.remaining() >= all) {
                connection.write(TestTls.utf8(String.valueOf(data.remaining())));
                data.position(data.limit());
            }
        };
        assertEquals(
                "37000[1,0]FIN", outcome(frame, 1, UNREAD_BYTES, LONG_BYTES).toString());
    }

    /** The engine then wants more room for each of its own records. */
    @Test
    void closeNotifyFollowsALongRecord() throws Exception {
        ConnectionHandler closing = (connection, data) -> {
            data.position(data.limit());
            connection.close();
        };
        assertEquals("[1,0]FIN", outcome(closing, 0, LONG_BYTES).toString());
    }
}
