package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
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
@Timeout(300)
class EngineClientTest {
    private static final SelfSigned CERTIFICATE = TestTls.certificate("server.test");

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
            EngineClient client = new EngineClient(trusting(), server, "TLSv1.3");
            for (int round = 0; round < 3; round++) {
                client.shakeAgain();
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
            EngineClient client = new EngineClient(trusting(), server, "TLSv1.2");
            client.send("before");
            assertEquals("before", client.receive());
            SSLException alert = assertThrows(SSLException.class, client::shakeAgain);
            assertTrue(alert.getMessage().contains("unexpected_message"), alert::getMessage);
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
                EngineClient client = new EngineClient(context, server, version);
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

    /** A call of an engine outside the JVM costs as much as a small record: none is made that only asks for more. */
    @Test
    void aRequestCostsOneCallOfTheEngineForEachRecord() throws Exception {
        List<String> calls = new ArrayList<>();
        SSLContext context = CERTIFICATE.context();
        SSLEngine counting = new DelegatingEngine(context) {
            @Override
            public SSLEngineResult wrap(ByteBuffer[] from, int offset, int length, ByteBuffer to) throws SSLException {
                calls.add("wrap");
                return super.wrap(from, offset, length, to);
            }

            @Override
            public SSLEngineResult unwrap(ByteBuffer from, ByteBuffer[] to, int offset, int length)
                    throws SSLException {
                calls.add("unwrap");
                return super.unwrap(from, to, offset, length);
            }
        };
        List<SSLEngine> engines =
                new ArrayList<>(List.of(context.createSSLEngine(), counting)); // the first is for build
        Tls tls = Tls.server((host, port) -> engines.remove(0)).build();
        try (EmbeddedConnection server = EmbeddedConnection.open(tls.handler(echo(new ArrayList<>())))) {
            EngineClient client = new EngineClient(trusting(), server, "TLSv1.3");
            client.send("first");
            assertEquals("first", client.receive());
            calls.clear();
            client.send("second");
            assertEquals("second", client.receive());
            assertEquals(List.of("unwrap", "wrap"), calls);
            calls.clear();
            client.gather();
            client.send("one ");
            client.send("two");
            client.sendGathered();
            assertEquals("one two", client.receive());
            assertEquals(List.of("unwrap", "unwrap", "wrap"), calls);
        }
    }
}
