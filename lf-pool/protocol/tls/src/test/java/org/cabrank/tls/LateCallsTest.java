package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that another thread makes during a callback act before plaintext is given to the service again. */
@Timeout(300)
class LateCallsTest {
    private static String text(ByteBuffer data) {
        return StandardCharsets.UTF_8.decode(data).toString();
    }

    private static void elsewhere(Connection connection, Consumer<Connection> call) throws Exception {
        Thread other = new Thread(() -> call.accept(connection));
        other.start();
        other.join();
    }

    /** Reads a byte and offloads work, whose continuation has another thread make a call. */
    private static final class Offloading implements ConnectionHandler {
        private final Queue<Runnable> work = new ArrayDeque<>();
        private final List<String> seen = new CopyOnWriteArrayList<>();
        private final Consumer<Connection> call;
        private volatile Connection own;
        private volatile boolean closed;

        Offloading(Consumer<Connection> call) {
            this.call = call;
        }

        @Override
        public void opened(Connection connection) {
            own = connection;
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            if (!seen.isEmpty()) {
                seen.add(text(data));
                return;
            }
            seen.add(String.valueOf((char) data.get()));
            connection.offload(work::add, () -> "done", (same, result) -> elsewhere(same, call));
        }

        @Override
        public void closed(Connection connection, Throwable cause) {
            closed = true;
        }
    }

    private static Offloading offload(EmbeddedConnection server, Offloading handler) throws Exception {
        EngineClient client = new EngineClient(SelfSigned.trusting(TestTls.SERVER.certificate()), server, "TLSv1.3");
        client.send("abc");
        assertEquals(List.of("a"), handler.seen);
        handler.work.remove().run();
        server.awaitIdle();
        return handler;
    }

    @Test
    void pauseDuringAContinuationActsBeforeUnreadPlaintextComesAgain() throws Exception {
        Offloading handler = new Offloading(Connection::pauseReading);
        try (EmbeddedConnection server =
                EmbeddedConnection.open(TestTls.server().build().handler(handler))) {
            offload(server, handler);
            assertEquals(List.of("a"), handler.seen);
            handler.own.resumeReading();
            server.awaitIdle();
            assertEquals(List.of("a", "bc"), handler.seen);
        }
    }

    @Test
    void closeDuringAContinuationActsBeforeUnreadPlaintextComesAgain() throws Exception {
        Offloading handler = new Offloading(Connection::close);
        try (EmbeddedConnection server =
                EmbeddedConnection.open(TestTls.server().build().handler(handler))) {
            offload(server, handler);
            assertEquals(List.of("a"), handler.seen);
            assertTrue(server.isOutputEnded());
            server.peerEnds();
            assertTrue(server.isClosed());
            assertTrue(handler.closed);
        }
    }

    @Test
    void unreadPlaintextComesAgainBehindAContinuation() throws Exception {
        Offloading handler = new Offloading(Connection::id);
        try (EmbeddedConnection server =
                EmbeddedConnection.open(TestTls.server().build().handler(handler))) {
            offload(server, handler);
            assertEquals(List.of("a", "bc"), handler.seen);
        }
    }

    /** The resume is called first, but acts behind the task. */
    private static void pauseByATaskAndResumeBehindIt(Connection connection) {
        connection.execute(connection::pauseReading);
        connection.resumeReading();
    }

    @Test
    void endWithoutACloseNotifyClosesAConnectionThatWasResumedBehindATask() throws Exception {
        Offloading handler = new Offloading(LateCallsTest::pauseByATaskAndResumeBehindIt);
        try (EmbeddedConnection server =
                EmbeddedConnection.open(TestTls.server().build().handler(handler))) {
            offload(server, handler);
            assertEquals(List.of("a", "bc"), handler.seen);
            server.peerEnds();
            assertTrue(server.isClosed());
        }
    }

    @Test
    void alertBehindAnAnswerIsReadByAConnectionThatWasResumedBehindATask() throws Exception {
        Offloading handler = new Offloading(LateCallsTest::pauseByATaskAndResumeBehindIt);
        try (EmbeddedConnection server =
                EmbeddedConnection.open(TestTls.server().build().handler(handler))) {
            EngineClient client =
                    new EngineClient(SelfSigned.trusting(TestTls.SERVER.certificate()), server, "TLSv1.2");
            client.send("abc");
            handler.work.remove().run();
            server.awaitIdle();
            server.peerTakes(0);
            handler.own.write(ByteBuffer.allocate(1));
            client.sendCloseNotify();
            server.peerTakes(EmbeddedConnection.UNLIMITED);
            server.peerEnds();
            assertTrue(server.isClosed());
            assertTrue(handler.closed);
        }
    }

    @Test
    void unreadPlaintextComesAgainAfterAResumeBehindATask() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        ConnectionHandler handler = (connection, data) -> {
            if (seen.isEmpty()) {
                seen.add(String.valueOf((char) data.get()));
                elsewhere(connection, LateCallsTest::pauseByATaskAndResumeBehindIt);
            } else {
                seen.add(text(data));
            }
        };
        try (EmbeddedConnection server =
                EmbeddedConnection.open(TestTls.server().build().handler(handler))) {
            new EngineClient(SelfSigned.trusting(TestTls.SERVER.certificate()), server, "TLSv1.3").send("abc");
            server.awaitIdle();
            assertEquals(List.of("a", "bc"), seen);
        }
    }

    /** The client sends data together with the last message of its handshake. */
    @Test
    void pauseDuringOpenedActsBeforeData() throws Exception {
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        CompletableFuture<String> received = new CompletableFuture<>();
        ConnectionHandler handler = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) throws Exception {
                elsewhere(connection, Connection::pauseReading);
                connection.execute(() -> opened.complete(connection)); // behind the pause
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                received.complete(text(data));
            }
        };
        try (StreamServer server = StreamServer.builder()
                        .listen("127.0.0.1", 0)
                        .threadsPerShard(1)
                        .handler(TestTls.server().build().handlers(() -> handler))
                        .start();
                RawTlsClient client = new RawTlsClient(address(server), RawTlsClient.TLS_1_3)) {
            byte[] hello = client.hello();
            client.send(RawTlsClient.record(RawTlsClient.HANDSHAKE, RawTlsClient.TLS_1_2, hello));
            client.readFlight(hello);
            client.finishWith(RawTlsClient.DATA, new byte[] {'x'});
            Connection connection = opened.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
            assertFalse(received.isDone());
            connection.resumeReading();
            assertEquals("x", received.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        }
    }

    private static SocketAddress address(StreamServer server) {
        return new InetSocketAddress("127.0.0.1", server.port());
    }
}
