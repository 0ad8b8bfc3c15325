package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that a well-behaved client rarely sends, by an engine that the test drives. */
@Timeout(60)
class EngineClientTest {
    private static final SelfSigned CERTIFICATE = TlsTest.certificate("server.test");

    /** A client of an embedded connection. */
    private static final class Client {
        final SSLEngine engine;
        private final EmbeddedConnection server;
        private ByteBuffer received = ByteBuffer.allocate(0);

        Client(SSLContext context, EmbeddedConnection server, String version) throws SSLException {
            this.server = server;
            engine = context.createSSLEngine("server.test", 443);
            engine.setUseClientMode(true);
            engine.setEnabledProtocols(new String[] {version});
            engine.beginHandshake();
            shake();
        }

        /** Exchanges messages until the engine wants nothing more. */
        void shake() throws SSLException {
            for (int step = 0; step < 100; step++) {
                switch (engine.getHandshakeStatus()) {
                    case NEED_WRAP -> wrap(ByteBuffer.allocate(0));
                    case NEED_TASK -> engine.getDelegatedTask().run();
                    case NEED_UNWRAP -> {
                        fill();
                        if (!received.hasRemaining()) {
                            return;
                        }
                        engine.unwrap(received, ByteBuffer.allocate(32 << 10));
                    }
                    default -> {
                        return;
                    }
                }
            }
        }

        private void wrap(ByteBuffer plaintext) throws SSLException {
            ByteBuffer records = ByteBuffer.allocate(32 << 10);
            engine.wrap(plaintext, records);
            server.peerSends(records.flip());
        }

        private void fill() {
            ByteBuffer more = server.peerReceivesBytes();
            received = ByteBuffer.allocate(received.remaining() + more.remaining())
                    .put(received)
                    .put(more)
                    .flip();
        }

        void send(String text) throws SSLException {
            wrap(StandardCharsets.UTF_8.encode(text));
        }

        String receive() throws SSLException {
            ByteBuffer plain = ByteBuffer.allocate(64 << 10);
            fill();
            while (received.hasRemaining()) {
                SSLEngineResult result = engine.unwrap(received, plain);
                if (result.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP) {
                    wrap(ByteBuffer.allocate(0));
                    fill();
                } else if (result.bytesConsumed() == 0) {
                    break;
                }
            }
            return StandardCharsets.UTF_8.decode(plain.flip()).toString();
        }
    }

    private static SSLContext trusting() throws GeneralSecurityException {
        return SelfSigned.trusting(CERTIFICATE.certificate());
    }

    private static ConnectionHandler echo(List<Throwable> ends) {
        return new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.write(data);
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                ends.add(cause);
            }
        };
    }

    @Test
    void aKeyUpdateIsAnsweredAndTheConnectionGoesOn() throws Exception {
        Tls tls = Tls.server(CERTIFICATE.context()).build();
        List<Throwable> ends = new ArrayList<>();
        try (EmbeddedConnection server = EmbeddedConnection.open(tls.handler(echo(ends)))) {
            Client client = new Client(trusting(), server, "TLSv1.3");
            for (int round = 0; round < 3; round++) {
                client.engine.beginHandshake(); // an update of the keys, in TLS 1.3
                client.shake();
                client.send("round " + round);
                assertEquals("round " + round, client.receive());
            }
            assertEquals(List.of(), ends);
        }
    }

    @Test
    void aRenegotiationIsRefused() throws Exception {
        Tls tls = Tls.server(CERTIFICATE.context()).build();
        List<Throwable> ends = new ArrayList<>();
        try (EmbeddedConnection server = EmbeddedConnection.open(tls.handler(echo(ends)))) {
            Client client = new Client(trusting(), server, "TLSv1.2");
            client.send("before");
            assertEquals("before", client.receive());
            client.engine.beginHandshake();
            client.shake();
            server.peerEnds();
            assertTrue(server.isClosed());
            assertInstanceOf(SSLException.class, ends.get(0));
            assertEquals(1, tls.counters().failures());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aSessionIsResumed(String version) throws Exception {
        Tls tls = Tls.server(CERTIFICATE.context()).build();
        SSLContext clients = trusting();
        List<Long> made = new ArrayList<>();
        for (SSLContext context : List.of(clients, clients, trusting())) {
            try (EmbeddedConnection server = EmbeddedConnection.open(tls.handler(echo(new ArrayList<>())))) {
                Client client = new Client(context, server, version);
                client.send("x");
                assertEquals("x", client.receive());
                made.add(client.engine.getSession().getCreationTime());
            }
            long now = System.currentTimeMillis();
            while (System.currentTimeMillis() == now) {
                Thread.onSpinWait(); // sessions differ by the time of their making
            }
        }
        assertEquals(made.get(0), made.get(1), "the second connection resumes");
        assertNotEquals(made.get(0), made.get(2), "a client without the session does not");
    }
}
