package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** No plaintext stays in memory after its callback, in whichever way the callback ends. */
@Timeout(300)
class ErasedPlaintextTest {
    private static final SelfSigned CERTIFICATE = TestTls.certificate("server.test");
    private static final String SECRET = "a secret";

    /** Too much for the buffer of small writes, so the engine is given the buffer that is looked at. */
    private static final String LONG_SECRET = SECRET.repeat(5_000);

    private final List<ByteBuffer> seen = new ArrayList<>();
    private final List<Throwable> causes = new ArrayList<>();

    private static SSLContext context() {
        try {
            return CERTIFICATE.context();
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static Tls server() {
        return Tls.server(context()).build();
    }

    /** Serves with an engine that the test looks into. */
    private static Tls server(SSLEngine engine) {
        List<SSLEngine> engines =
                new ArrayList<>(List.of(context().createSSLEngine(), engine)); // the first is for build
        return Tls.server((host, port) -> engines.remove(0)).build();
    }

    private static EngineClient client(EmbeddedConnection server) throws Exception {
        return new EngineClient(SelfSigned.trusting(CERTIFICATE.certificate()), server, "TLSv1.3");
    }

    private static ByteBuffer utf8(String text) {
        return StandardCharsets.UTF_8.encode(text);
    }

    private static boolean hasSecret(ByteBuffer bytes) {
        return StandardCharsets.ISO_8859_1
                .decode(bytes.duplicate().clear())
                .toString()
                .contains("secret");
    }

    private void assertErased() {
        assertFalse(seen.isEmpty());
        for (ByteBuffer bytes : seen) {
            assertFalse(hasSecret(bytes));
        }
    }

    /** Notes the buffer, and does what the test wants. */
    private abstract class Thief implements ConnectionHandler {
        @Override
        public void data(Connection connection, ByteBuffer data) throws Exception {
            assertTrue(hasSecret(data));
            seen.add(data);
            call(connection, data);
        }

        abstract void call(Connection connection, ByteBuffer data) throws Exception;

        @Override
        public void closed(Connection connection, Throwable cause) {
            causes.add(cause);
        }
    }

    private Thief thief(ConnectionHandler calling) {
        return new Thief() {
            @Override
            void call(Connection connection, ByteBuffer data) throws Exception {
                calling.data(connection, data);
            }
        };
    }

    private static void fail() {
        throw new IllegalStateException("the handler fails");
    }

    /** Notes the buffers of the thread, which no callback has any more, after each call of data. */
    private ConnectionHandler notingBuffers(ConnectionHandler tls) {
        return new ConnectionHandler() {
            @Override
            public void opened(Connection connection) throws Exception {
                tls.opened(connection);
            }

            @Override
            public void data(Connection connection, ByteBuffer data) throws Exception {
                try {
                    tls.data(connection, data);
                } finally {
                    TlsBuffers buffers = TlsBuffers.take(false);
                    seen.add(buffers.gather);
                    seen.add(buffers.plain);
                    buffers.giveBack();
                    ByteBuffer all = data.duplicate().clear();
                    seen.add(ByteBuffer.allocate(all.capacity()).put(all)); // the memory of the reactor
                }
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) throws Exception {
                tls.inputClosed(connection, unread);
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                tls.closed(connection, cause);
            }
        };
    }

    @Test
    void aHandlerThatReturns() throws Exception {
        ConnectionHandler reading = thief((connection, data) -> data.position(data.limit()));
        try (EmbeddedConnection server = EmbeddedConnection.open(notingBuffers(server().handler(reading)))) {
            client(server).send(SECRET);
            assertErased();
        }
    }

    @Test
    void aHandlerThatThrows() throws Exception {
        ConnectionHandler throwing = thief((connection, data) -> {
            connection.write(data);
            fail();
        });
        try (EmbeddedConnection server = EmbeddedConnection.open(notingBuffers(server().handler(throwing)))) {
            EngineClient client = client(server);
            client.send(SECRET);
            assertInstanceOf(IllegalStateException.class, causes.get(0));
            assertErased();
            assertEquals(SECRET, client.receive(), "what was written before is sent");
        }
    }

    @Test
    void aHandlerThatThrowsWithBytesThatWereLeftUnreadBefore() throws Exception {
        ConnectionHandler throwing = thief((connection, data) -> {
            if (seen.size() > 1) {
                fail();
            }
        });
        for (String text : List.of(SECRET, LONG_SECRET.substring(0, 10_000))) { // little is moved, much is not
            seen.clear();
            try (EmbeddedConnection server = EmbeddedConnection.open(server().handler(throwing))) {
                EngineClient client = client(server);
                client.send(text);
                client.send(text);
                assertTrue(server.isClosed());
                assertErased();
            }
        }
    }

    @Test
    void aHandlerThatThrowsAtTheEndOfTheInput() throws Exception {
        ConnectionHandler throwing = new Thief() {
            @Override
            void call(Connection connection, ByteBuffer data) {
                // leaves all unread
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                assertTrue(hasSecret(unread));
                seen.add(unread);
                fail();
            }
        };
        try (EmbeddedConnection server = EmbeddedConnection.open(server().handler(throwing))) {
            EngineClient client = client(server);
            client.send(SECRET);
            client.engine.closeOutbound();
            client.send("");
            assertInstanceOf(IllegalStateException.class, causes.get(0));
            assertErased();
        }
    }

    @Test
    void anEngineThatFailsBehindADecryptedRecord() throws Exception {
        DelegatingEngine failing = new DelegatingEngine(context()) {
            private int records;

            @Override
            public SSLEngineResult unwrap(ByteBuffer from, ByteBuffer[] to, int offset, int length)
                    throws SSLException {
                SSLEngineResult result = super.unwrap(from, to, offset, length);
                if (result.bytesProduced() > 0 && ++records == 2) {
                    throw new IllegalStateException("the engine fails");
                }
                return result;
            }
        };
        ConnectionHandler tls = server(failing).handler(thief((connection, data) -> {}));
        try (EmbeddedConnection server = EmbeddedConnection.open(notingBuffers(tls))) {
            EngineClient client = client(server);
            client.gather();
            client.send(SECRET);
            client.send(SECRET);
            client.sendGathered();
            assertInstanceOf(IllegalStateException.class, causes.get(0));
            assertErased();
        }
    }

    /** Notes the plaintext that the engine is given, and fails from then on if it is to. */
    private final class NotingEngine extends DelegatingEngine {
        private final boolean fails;

        NotingEngine(boolean fails) {
            super(context());
            this.fails = fails;
        }

        @Override
        public SSLEngineResult wrap(ByteBuffer[] from, int offset, int length, ByteBuffer to) throws SSLException {
            if (hasSecret(from[offset])) {
                seen.add(from[offset]);
                if (fails) {
                    throw new IllegalStateException("the engine fails");
                }
            }
            return super.wrap(from, offset, length, to);
        }
    }

    @Test
    void anEngineThatFailsToEncryptASmallWrite() throws Exception {
        ConnectionHandler answering = (connection, data) -> connection.write(data);
        try (EmbeddedConnection server =
                EmbeddedConnection.open(server(new NotingEngine(true)).handler(answering))) {
            client(server).send(SECRET);
            assertTrue(server.isClosed());
            assertErased();
        }
    }

    @Test
    void writesOfOtherThreads() throws Exception {
        for (boolean fails : new boolean[] {false, true}) {
            List<Connection> opened = new ArrayList<>();
            ConnectionHandler noting = new Thief() {
                @Override
                public void opened(Connection connection) {
                    opened.add(connection);
                }

                @Override
                void call(Connection connection, ByteBuffer data) {
                    // nothing is sent
                }
            };
            try (EmbeddedConnection server =
                    EmbeddedConnection.open(server(new NotingEngine(fails)).handler(noting))) {
                EngineClient client = client(server);
                opened.get(0).write(utf8(LONG_SECRET));
                server.awaitIdle();
                assertErased();
                assertEquals(fails, server.isClosed());
                assertEquals(fails ? "" : LONG_SECRET, client.receive());
                seen.clear();
            }
        }
    }

    @Test
    void writesBehindAFile(@TempDir Path directory) throws Exception {
        Path path = Files.write(directory.resolve("file"), new byte[100_000]);
        for (boolean fails : new boolean[] {false, true}) {
            ReactorFile file = EmbeddedConnection.openFile(path);
            ConnectionHandler sending = (connection, data) -> {
                data.position(data.limit());
                connection.sendFile(file, 0, 100_000);
                connection.write(utf8(LONG_SECRET));
            };
            try (EmbeddedConnection server =
                    EmbeddedConnection.open(server(new NotingEngine(fails)).handler(sending))) {
                EngineClient client = client(server);
                server.peerTakes(0);
                client.send("x");
                server.peerTakes(EmbeddedConnection.UNLIMITED);
                assertErased();
                assertEquals(fails, server.isClosed());
                assertEquals(100_000 + (fails ? 0 : LONG_SECRET.length()), client.receiveBytes().length);
                seen.clear();
            } finally {
                file.close();
            }
        }
    }
}
