package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients whose request and close_notify arrive in one read: the answer is sent before the close_notify is looked at. */
@Timeout(300)
@ParameterizedClass
@ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
class DataBeforeCloseNotifyTest {
    private static final SelfSigned CERTIFICATE = TestTls.certificate("server.test");

    private final String version;

    @TempDir
    Path directory;

    DataBeforeCloseNotifyTest(String version) {
        this.version = version;
    }

    private static EmbeddedConnection open(ConnectionHandler handler) throws Exception {
        return EmbeddedConnection.open(Tls.server(CERTIFICATE.context()).build().handler(handler));
    }

    private EngineClient client(EmbeddedConnection server) throws Exception {
        return new EngineClient(SelfSigned.trusting(CERTIFICATE.certificate()), server, version);
    }

    private static byte[] random(int bytes) {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return content;
    }

    /** The handler of one connection that closes it at the peer's end, by the default of {@link ConnectionHandler#inputClosed}. */
    private abstract static class Closing implements ConnectionHandler {
        Connection connection;
        Throwable cause;

        @Override
        public void opened(Connection opened) {
            connection = opened;
        }

        @Override
        public void closed(Connection own, Throwable thrown) {
            cause = thrown;
        }
    }

    /** Requires all of {@code answer}, a close_notify behind it, and an orderly end. */
    private static void assertAnswered(EmbeddedConnection server, EngineClient client, byte[] answer) throws Exception {
        assertArrayEquals(answer, client.receiveBytes());
        assertTrue(client.engine.isInboundDone(), "by a close_notify");
        server.peerEnds();
        assertTrue(server.isClosed());
        assertNull(server.closeCause());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void bytesWrittenByACallbackAreSent() throws Exception {
        for (boolean ends : new boolean[] {false, true}) {
            try (EmbeddedConnection server = open(TestTls.ECHO)) {
                EngineClient client = client(server);
                client.gather();
                client.send("question");
                client.sendCloseNotify();
                client.sendGathered();
                if (ends) {
                    server.peerEnds();
                }
                assertAnswered(server, client, utf8("question"));
            }
        }
    }

    @Test
    void theTailOfALongMessageIsSentBack() throws Exception {
        byte[] sent = random(300_000);
        for (int segment : new int[] {1_000, 20_000, Integer.MAX_VALUE}) {
            try (EmbeddedConnection server = open(TestTls.ECHO)) {
                EngineClient client = client(server);
                client.gather();
                client.send(sent);
                client.sendCloseNotify();
                client.sendGathered(segment);
                assertAnswered(server, client, sent);
            }
        }
    }

    @Test
    void offloadedWorkAnswersFirst() throws Exception {
        Deque<Runnable> work = new ArrayDeque<>();
        ConnectionHandler offloading = (connection, data) -> {
            byte[] copy = new byte[data.remaining()];
            data.get(copy);
            connection.write(utf8Buffer("a"));
            connection.offload(work::add, () -> copy, (own, result) -> own.write(ByteBuffer.wrap(result)));
        };
        for (boolean ends : new boolean[] {false, true}) {
            try (EmbeddedConnection server = open(offloading)) {
                EngineClient client = client(server);
                client.gather();
                client.send("1");
                client.sendCloseNotify();
                client.sendGathered();
                if (ends) {
                    server.peerEnds();
                }
                assertEquals("a", client.receive());
                work.remove().run();
                server.awaitIdle();
                assertAnswered(server, client, utf8("1"));
            }
        }
    }

    private static ByteBuffer utf8Buffer(String text) {
        return ByteBuffer.wrap(utf8(text));
    }

    @Test
    void anAnswerOfAnotherThreadIsSentWhileReadingIsPaused() throws Exception {
        List<Connection> asked = new ArrayList<>();
        ConnectionHandler pausing = (connection, data) -> {
            data.position(data.limit());
            connection.pauseReading();
            asked.add(connection);
        };
        for (boolean ends : new boolean[] {false, true}) {
            try (EmbeddedConnection server = open(pausing)) {
                EngineClient client = client(server);
                client.gather();
                client.send("question");
                client.sendCloseNotify();
                client.sendGathered();
                if (ends) {
                    server.peerEnds();
                }
                Connection connection = asked.remove(0);
                connection.write(utf8Buffer("ans"));
                server.awaitIdle();
                connection.write(utf8Buffer("wer"));
                connection.resumeReading();
                server.awaitIdle();
                assertAnswered(server, client, utf8("answer"));
            }
        }
    }

    @Test
    void completionsThatWriteMoreAnswerFirst() throws Exception {
        ConnectionHandler chained = new Closing() {
            @Override
            public void data(Connection own, ByteBuffer data) {
                data.position(data.limit());
                own.write(utf8Buffer("1"));
                own.whenWritten((same, failed) -> {
                    same.write(utf8Buffer("2"));
                    same.whenWritten((still, failedToo) -> {
                        still.write(utf8Buffer("3"));
                        still.close();
                    });
                });
            }

            @Override
            public void inputClosed(Connection own, ByteBuffer unread) {
                // the last completion closes
            }
        };
        for (boolean ends : new boolean[] {false, true}) {
            try (EmbeddedConnection server = open(chained)) {
                EngineClient client = client(server);
                server.peerTakes(0);
                client.gather();
                client.send("question");
                client.sendCloseNotify();
                client.sendGathered();
                if (ends) {
                    server.peerEnds();
                }
                server.peerTakes(EmbeddedConnection.UNLIMITED);
                assertAnswered(server, client, utf8("123"));
            }
        }
    }

    /** Writes pieces while the connection is writable, and goes on when it is writable again. */
    private static final class Streaming extends Closing {
        private final byte[] answer;
        private int at = Integer.MAX_VALUE;

        Streaming(byte[] answer) {
            this.answer = answer;
        }

        @Override
        public void data(Connection own, ByteBuffer data) {
            data.position(data.limit());
            at = 0;
            writable(own);
        }

        @Override
        public void writable(Connection own) {
            while (at < answer.length && own.isWritable()) {
                int count = Math.min(10_000, answer.length - at);
                own.write(ByteBuffer.wrap(answer, at, count));
                at += count;
                if (at == answer.length) {
                    own.close();
                }
            }
        }

        @Override
        public void inputClosed(Connection own, ByteBuffer unread) {
            // the last piece closes
        }
    }

    @Test
    void anAnswerThatGoesOnWhenTheConnectionIsWritableIsSentWhole() throws Exception {
        byte[] answer = random(2_000_000);
        for (boolean ends : new boolean[] {false, true}) {
            try (EmbeddedConnection server = open(new Streaming(answer))) {
                EngineClient client = client(server);
                server.peerTakes(0);
                client.gather();
                client.send("question");
                client.sendCloseNotify();
                client.sendGathered();
                if (ends) {
                    server.peerEnds();
                }
                server.peerTakes(EmbeddedConnection.UNLIMITED);
                assertAnswered(server, client, answer);
            }
        }
    }

    @Test
    void aFileIsSentWhole() throws Exception {
        byte[] content = random(1_000_000);
        Path path = Files.write(directory.resolve("file"), content);
        for (boolean ends : new boolean[] {false, true}) {
            try (ReactorFile file = EmbeddedConnection.openFile(path);
                    EmbeddedConnection server = open((connection, data) -> {
                        data.position(data.limit());
                        connection.sendFile(file, 0, content.length);
                    })) {
                EngineClient client = client(server);
                server.peerTakes(0);
                client.gather();
                client.send("question");
                client.sendCloseNotify();
                client.sendGathered();
                if (ends) {
                    server.peerEnds();
                }
                server.peerTakes(EmbeddedConnection.UNLIMITED);
                assertAnswered(server, client, content);
            }
        }
    }

    /** Until TLS 1.2 writes behind the close_notify are dropped, and their completions fail. */
    @Test
    void aWriteBehindTheCloseNotifyIsSentOrFails() throws Exception {
        List<Throwable> failures = new ArrayList<>();
        ConnectionHandler late = new Closing() {
            @Override
            public void data(Connection own, ByteBuffer data) {
                data.position(data.limit());
            }

            @Override
            public void inputClosed(Connection own, ByteBuffer unread) {
                own.write(utf8Buffer("late"));
                own.whenWritten((same, failed) -> {
                    failures.add(failed);
                    same.close();
                });
            }
        };
        try (EmbeddedConnection server = open(late)) {
            EngineClient client = client(server);
            client.sendCloseNotify();
            boolean dropped = version.equals("TLSv1.2");
            assertAnswered(server, client, utf8(dropped ? "" : "late"));
            assertEquals(1, failures.size());
            if (dropped) {
                assertInstanceOf(IOException.class, failures.get(0));
                assertTrue(failures.get(0).getMessage().contains("close_notify"), failures.get(0)::getMessage);
            } else {
                assertNull(failures.get(0));
            }
        }
    }

    /** As engines of tcnative do even in TLS 1.3: the close_notify of the peer ends both directions. */
    private static final class EndingBoth extends DelegatingEngine {
        EndingBoth(SSLContext context) {
            super(context);
        }

        @Override
        public SSLEngineResult unwrap(ByteBuffer from, ByteBuffer[] to, int offset, int length) throws SSLException {
            SSLEngineResult result = super.unwrap(from, to, offset, length);
            if (result.getStatus() != SSLEngineResult.Status.CLOSED) {
                return result;
            }
            closeOutbound();
            return new SSLEngineResult(
                    result.getStatus(), SSLEngineResult.HandshakeStatus.NEED_WRAP, result.bytesConsumed(), 0);
        }
    }

    @Test
    void theCompletionOfAFileThatACloseNotifyHasCutOffFails() throws Exception {
        int count = 1_000_000;
        Path path = Files.write(directory.resolve("file"), new byte[count]);
        List<Throwable> outcomes = new ArrayList<>();
        Closing sending = new Closing() {
            @Override
            public void data(Connection own, ByteBuffer data) throws IOException {
                data.position(data.limit());
                try (ReactorFile file = EmbeddedConnection.openFile(path)) {
                    own.sendFile(file, 0, count);
                }
                own.whenWritten((same, failed) -> outcomes.add(failed));
            }
        };
        SSLContext context = CERTIFICATE.context();
        Tls tls = Tls.server((host, port) -> new EndingBoth(context)).build();
        try (EmbeddedConnection server = EmbeddedConnection.open(tls.handler(sending))) {
            EngineClient client = client(server);
            server.peerTakes(0);
            client.send("question");
            client.sendCloseNotify();
            server.peerTakes(EmbeddedConnection.UNLIMITED);
            server.peerEnds();
            int received = client.receiveBytes().length;
            assertTrue(server.isClosed());
            assertEquals(1, outcomes.size());
            assertEquals(received == count, outcomes.get(0) == null, () -> received + " bytes, " + outcomes);
        }
    }

    @Test
    void anEndWithoutACloseNotifyIsAnsweredFirst() throws Exception {
        byte[] content = random(1_000_000);
        Path path = Files.write(directory.resolve("file"), content);
        Closing closing = new Closing() {
            @Override
            public void data(Connection own, ByteBuffer data) throws IOException {
                data.position(data.limit());
                try (ReactorFile file = EmbeddedConnection.openFile(path)) {
                    own.sendFile(file, 0, content.length);
                }
            }
        };
        try (EmbeddedConnection server = open(closing)) {
            EngineClient client = client(server);
            server.peerTakes(0);
            client.send("question");
            server.peerEnds();
            server.peerTakes(EmbeddedConnection.UNLIMITED);
            client.gather(); // its answer to the close_notify cannot be sent any more
            assertArrayEquals(content, client.receiveBytes());
            assertTrue(client.engine.isInboundDone(), "by a close_notify");
            assertTrue(server.isClosed());
            assertInstanceOf(SSLException.class, closing.cause);
        }
    }

    @Test
    void aPausedConnectionStaysPausedWhenItsFileWasSent() throws Exception {
        byte[] content = random(1_000_000);
        Path path = Files.write(directory.resolve("file"), content);
        List<String> calls = new ArrayList<>();
        Closing pausing = new Closing() {
            @Override
            public void data(Connection own, ByteBuffer data) throws IOException {
                data.position(data.limit());
                own.sendFile(EmbeddedConnection.openFile(path), 0, content.length);
            }

            @Override
            public void inputClosed(Connection own, ByteBuffer unread) {
                calls.add("end");
                own.close();
            }
        };
        try (EmbeddedConnection server = open(pausing)) {
            EngineClient client = client(server);
            server.peerTakes(0);
            client.gather();
            client.send("question");
            client.sendCloseNotify();
            client.sendGathered();
            boolean held = calls.isEmpty(); // else TLS 1.3 has ended the input only, and the close waits for the file
            assertEquals(version.equals("TLSv1.2"), held);
            pausing.connection.pauseReading();
            server.awaitIdle();
            server.peerTakes(EmbeddedConnection.UNLIMITED);
            assertArrayEquals(content, client.receiveBytes());
            assertEquals(held, calls.isEmpty());
            assertEquals(!held, server.isOutputEnded());
            pausing.connection.resumeReading();
            server.awaitIdle();
            assertEquals(List.of("end"), calls);
        }
    }

    /** Reads a byte, and the next one when the socket has taken the answer. */
    private static final class OneByOne extends Closing {
        private final boolean offloads;
        private final Deque<Runnable> work = new ArrayDeque<>();
        private volatile int calls;

        OneByOne(boolean offloads) {
            this.offloads = offloads;
        }

        @Override
        public void data(Connection own, ByteBuffer data) {
            calls++;
            ByteBuffer answer = ByteBuffer.wrap(new byte[] {data.get()});
            if (offloads) {
                own.offload(work::add, () -> answer, Connection::write);
                return;
            }
            own.write(answer);
            own.pauseReading();
            own.whenWritten((same, failed) -> same.resumeReading());
        }
    }

    /** The end of the client waits in the socket when reading goes on. Plaintext that was decrypted before is served first. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void plaintextIsServedBeforeAnEndWithoutACloseNotify(boolean offloads) throws Exception {
        OneByOne handler = new OneByOne(offloads);
        try (EmbeddedConnection server = open(handler)) {
            EngineClient client = client(server);
            server.peerTakes(0);
            client.send("abcdef");
            server.peerEnds();
            server.peerTakes(EmbeddedConnection.UNLIMITED);
            while (!handler.work.isEmpty()) {
                handler.work.remove().run();
                server.awaitIdle();
            }
            client.gather(); // its end was seen, so it sends no close_notify
            assertEquals("abcdef", client.receive());
            assertTrue(client.engine.isInboundDone(), "by a close_notify");
            assertTrue(server.isClosed());
        }
        assertInstanceOf(SSLException.class, handler.cause);
    }

    /** The end is held while the task waits, and is reported during the pause. */
    @Test
    void noPlaintextIsServedDuringAPauseWhenATaskHasWaited() throws Exception {
        OneByOne handler = new OneByOne(false);
        List<Reply<String>> replies = new CopyOnWriteArrayList<>();
        try (EmbeddedConnection server = open(handler)) {
            EngineClient client = client(server);
            server.peerTakes(0);
            client.send("abcdef");
            handler.connection.execute(() -> replies.add(handler.connection.newReply()));
            handler.connection.execute(() -> await(replies.get(0)));
            server.peerEnds();
            while (handler.calls < 2) {
                server.peerTakes(1);
            }
            replies.get(0).complete("done");
            server.awaitIdle();
            assertEquals(2, handler.calls);
            server.peerTakes(EmbeddedConnection.UNLIMITED);
            client.gather(); // its end was seen, so it sends no close_notify
            assertEquals("abcdef", client.receive());
            assertTrue(server.isClosed());
        }
        assertInstanceOf(SSLException.class, handler.cause);
    }

    private static void await(Reply<String> reply) {
        try {
            reply.await(Await.PATIENCE);
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }
}
