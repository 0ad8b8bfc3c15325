package org.cabrank.tls;

import static org.cabrank.tls.TestTls.client;
import static org.cabrank.tls.TestTls.server;
import static org.cabrank.tls.TestTls.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.cabrank.lf.Reply;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler's ways with plaintext: unread bytes, pauses, offloaded work, nested waits, writes of other threads. */
@Timeout(300)
class TlsHandlerTest {
    // ---- a handler's ways ----

    @Test
    void bytesThatAreLeftUnreadComeAgainWithMore() throws Exception {
        List<String> calls = new ArrayList<>();
        ConnectionHandler wholeWords = (connection, data) -> {
            byte[] all = new byte[data.remaining()];
            data.get(data.position(), all);
            String text = new String(all, StandardCharsets.UTF_8);
            int end = text.lastIndexOf(' ') + 1;
            data.position(data.position() + end);
            calls.add(text.substring(0, end));
        };
        PlainRecorder ofClient = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server().build(), wholeWords, client().build(), ofClient, 1000)) {
            pair.exchange();
            for (String part : List.of("one tw", "o thr", "ee ")) {
                ofClient.connection.write(utf8(part));
                pair.exchange();
            }
            assertEquals(List.of("one ", "two ", "three "), calls);
        }
    }

    @Test
    void unreadBytesAreBounded() throws Exception {
        PlainRecorder ofClient = new PlainRecorder();
        List<Throwable> causes = new ArrayList<>();
        ConnectionHandler neverReading = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {}

            @Override
            public void closed(Connection connection, Throwable cause) {
                causes.add(cause);
            }
        };
        try (TlsPair pair = new TlsPair(server().build(), neverReading, client().build(), ofClient, 5000)) {
            pair.exchange();
            for (int i = 0; i < 20 && causes.isEmpty(); i++) {
                ofClient.connection.write(ByteBuffer.allocate(8 << 10));
                pair.exchange();
            }
            assertInstanceOf(org.cabrank.stream.UnreadLimitException.class, causes.get(0));
        }
    }

    @Test
    void aPauseHoldsPlaintextThatIsDecryptedAlready() throws Exception {
        List<String> calls = new ArrayList<>();
        ConnectionHandler pausing = (connection, data) -> {
            calls.add(String.valueOf((char) data.get()));
            connection.pauseReading();
        };
        List<Connection> server = new ArrayList<>();
        ConnectionHandler noting = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                server.add(connection);
            }

            @Override
            public void data(Connection connection, ByteBuffer data) throws Exception {
                pausing.data(connection, data);
            }
        };
        PlainRecorder ofClient = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server().build(), noting, client().build(), ofClient, 1000)) {
            pair.exchange();
            ofClient.connection.write(utf8("abc"));
            pair.exchange();
            assertEquals(List.of("a"), calls);
            ofClient.connection.write(utf8("d"));
            ofClient.connection.shutdownOutput();
            pair.exchange();
            for (int i = 0; i < 4; i++) {
                server.get(0).resumeReading();
                pair.exchange();
            }
            assertEquals(List.of("a", "b", "c", "d"), calls);
            server.get(0).resumeReading();
            pair.exchange();
            assertTrue(pair.server.isClosed(), "the end follows the last byte");
        }
    }

    @Test
    void offloadedWorkHoldsFurtherPlaintextBack() throws Exception {
        List<String> calls = new ArrayList<>();
        List<Runnable> work = new ArrayList<>();
        ConnectionHandler offloading = (connection, data) -> {
            char first = (char) data.get();
            calls.add("begin " + first);
            connection.offload(work::add, () -> first, (own, result) -> {
                assertInstanceOf(TlsConnection.class, own);
                own.write(utf8("" + Character.toUpperCase(result)));
                calls.add("end " + result);
            });
        };
        PlainRecorder ofClient = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server().build(), offloading, client().build(), ofClient, 1000)) {
            pair.exchange();
            ofClient.connection.write(utf8("abc"));
            pair.exchange();
            for (int i = 0; i < 3; i++) {
                assertEquals(2 * i + 1, calls.size());
                work.remove(0).run();
                pair.exchange();
            }
            assertEquals(List.of("begin a", "end a", "begin b", "end b", "begin c", "end c"), calls);
            assertEquals("ABC", ofClient.text());
        }
    }

    @Test
    void aNestedWaitGivesTheRestToTheNextCallback() throws Exception {
        List<String> calls = new ArrayList<>();
        List<Reply<String>> replies = new ArrayList<>();
        ConnectionHandler waiting = (connection, data) -> {
            char first = (char) data.get();
            calls.add("begin " + first);
            if (first == 'a') {
                connection.write(utf8("sent before the wait"));
                Reply<String> reply = connection.newReply();
                replies.add(reply);
                String outcome = reply.await(Duration.ofSeconds(120));
                calls.add(outcome + " with " + data.remaining() + " bytes");
                connection.write(utf8(", and after"));
            } else {
                data.position(data.limit());
            }
        };
        PlainRecorder ofClient = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server().build(), waiting, client().build(), ofClient, 1000)) {
            pair.exchange();
            ofClient.connection.write(utf8("abc"));
            pair.exchange();
            assertEquals(List.of("begin a", "begin b"), calls);
            assertEquals("sent before the wait", ofClient.text());
            replies.get(0).complete("done");
            pair.exchange();
            assertEquals(List.of("begin a", "begin b", "done with 0 bytes"), calls);
            assertEquals("sent before the wait, and after", ofClient.text());
        }
    }

    @Test
    void writesOfOtherThreadsKeepTheirOrder() throws Exception {
        PlainRecorder ofClient = new PlainRecorder();
        PlainRecorder ofServer = new PlainRecorder();
        try (TlsPair pair = new TlsPair(server().build(), ofServer, client().build(), ofClient, 10_000)) {
            pair.exchange();
            List<Thread> writers = new ArrayList<>();
            for (int writer = 0; writer < 4; writer++) {
                String name = "" + (char) ('a' + writer);
                writers.add(new Thread(() -> {
                    for (int i = 0; i < 200; i++) {
                        ofServer.connection.write(utf8(name), utf8(i + "\n"));
                    }
                }));
            }
            writers.forEach(Thread::start);
            for (Thread writer : writers) {
                writer.join();
            }
            pair.exchange();
            String[] lines = ofClient.text().split("\n");
            assertEquals(800, lines.length);
            int[] next = new int[4];
            for (String line : lines) {
                int writer = line.charAt(0) - 'a';
                assertEquals(next[writer]++, Integer.parseInt(line.substring(1)));
            }
        }
    }

    // ---- calls of the service ----

    /** In TLS 1.2 the client finishes last: no byte of the server follows that would call the handler. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void openedIsCalledWhileADependentActionOfTheConnectWaits(String version) throws Exception {
        CompletableFuture<TlsConnection> connect = new CompletableFuture<>();
        BlockingQueue<Reply<String>> replies = new LinkedBlockingQueue<>();
        List<String> calls = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> answered = connect.thenAccept(connection -> {
            Reply<String> reply = connection.newReply();
            replies.add(reply);
            calls.add(TlsHandlerTest.await(reply));
        });
        ConnectionHandler greeting = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                calls.add("opened");
                connection.write(utf8("hello"));
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                calls.add("data");
            }
        };
        PlainRecorder ofServer = new PlainRecorder();
        Tls tls = client().protocols(version).build();
        try (TlsPair pair =
                new TlsPair(server().build().handler(ofServer), new TlsHandler(tls, greeting, connect), 1000)) {
            pair.exchange();
            Reply<String> reply = replies.poll(120, TimeUnit.SECONDS);
            pair.exchange();
            assertEquals(List.of("opened"), calls);
            assertEquals("hello", ofServer.text());
            reply.complete("reply");
            answered.get(120, TimeUnit.SECONDS);
            pair.exchange();
            assertEquals(List.of("opened", "reply"), calls);
        }
    }

    /** The work of the dependent action holds the connection back, as without TLS. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void openedIsCalledAfterTheWorkThatADependentActionOfTheConnectHasOffloaded(String version) throws Exception {
        CompletableFuture<TlsConnection> connect = new CompletableFuture<>();
        Queue<Runnable> work = new ConcurrentLinkedQueue<>();
        List<String> calls = new CopyOnWriteArrayList<>();
        connect.thenAccept(connection -> {
            connection.offload(work::add, () -> "result", (own, result) -> calls.add(result + " of the action"));
            connection.execute(() -> calls.add("task"));
        });
        ConnectionHandler offloading = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                calls.add("opened");
                connection.offload(work::add, () -> "result", (own, result) -> calls.add(result + " of opened"));
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                calls.add(StandardCharsets.UTF_8.decode(data).toString());
            }
        };
        PlainRecorder ofServer = new PlainRecorder();
        Tls tls = client().protocols(version).build();
        try (TlsPair pair =
                new TlsPair(server().build().handler(ofServer), new TlsHandler(tls, offloading, connect), 1000)) {
            pair.exchange();
            ofServer.connection.write(utf8("hello"));
            pair.exchange();
            assertEquals(List.of(), calls);
            work.remove().run();
            pair.exchange();
            assertEquals(List.of("result of the action", "opened"), calls);
            work.remove().run();
            pair.exchange();
            assertEquals(List.of("result of the action", "opened", "result of opened", "task", "hello"), calls);
        }
    }

    private static String await(Reply<String> reply) {
        try {
            return reply.await(Duration.ofSeconds(120));
        } catch (Exception failed) {
            return failed.toString();
        }
    }

    /** The connection below is being closed in order, and knows nothing of a failure. */
    @ParameterizedTest
    @CsvSource({"TLSv1.2, true", "TLSv1.3, true", "TLSv1.2, false", "TLSv1.3, false"})
    void completionsOfBytesThatAFailureHasDroppedFail(String version, boolean writtenBefore) throws Exception {
        List<Throwable> outcomes = new CopyOnWriteArrayList<>();
        List<Connection> opened = new ArrayList<>();
        ConnectionHandler answering = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                opened.add(connection);
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                data.position(data.limit());
                if (writtenBefore) {
                    connection.write(utf8("answer"));
                }
            }
        };
        try (EmbeddedConnection server =
                EmbeddedConnection.open(server().build().handler(answering))) {
            EngineClient client = new EngineClient(SelfSigned.trusting(TestTls.SERVER.certificate()), server, version);
            ByteBuffer question = client.record("question");
            server.peerSends(ByteBuffer.wrap(TestTls.withForgedRecord(question)));
            assertTrue(server.isOutputEnded());
            if (!writtenBefore) {
                opened.get(0).write(utf8("answer"));
            }
            opened.get(0).whenWritten((connection, failed) -> outcomes.add(failed));
            server.awaitIdle();
            server.peerEnds();
            assertTrue(server.isClosed());
        }
        assertInstanceOf(SSLException.class, outcomes.get(0));
    }

    private enum Breach {
        THROWS,
        CONSUMES_AND_THROWS,
        TAKES_NOTHING
    }

    private static EngineFactory breakingWithPlaintext(Breach breach) throws Exception {
        SSLContext context = TestTls.SERVER.context();
        return (host, port) -> new DelegatingEngine(context) {
            @Override
            public SSLEngineResult wrap(ByteBuffer[] from, int offset, int length, ByteBuffer to) throws SSLException {
                if (!from[offset].hasRemaining()) {
                    return super.wrap(from, offset, length, to);
                }
                if (breach == Breach.TAKES_NOTHING) {
                    return new SSLEngineResult(
                            SSLEngineResult.Status.OK, SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING, 0, 0);
                }
                if (breach == Breach.CONSUMES_AND_THROWS) {
                    from[offset].position(from[offset].limit());
                }
                throw new SSLException("the engine is broken");
            }
        };
    }

    /** A short answer is encrypted when its completion is added, a long one before. */
    @ParameterizedTest
    @EnumSource(Breach.class)
    void completionsOfBytesThatTheEngineDoesNotEncryptFail(Breach breach) throws Exception {
        for (int bytes : new int[] {1, 100_000}) {
            List<Throwable> outcomes = new CopyOnWriteArrayList<>();
            ConnectionHandler answering = (connection, data) -> {
                data.position(data.limit());
                connection.write(ByteBuffer.allocate(bytes));
                connection.whenWritten((same, failed) -> outcomes.add(failed));
            };
            Tls tls = Tls.server(breakingWithPlaintext(breach)).build();
            try (EmbeddedConnection server = EmbeddedConnection.open(tls.handler(answering))) {
                new EngineClient(SelfSigned.trusting(TestTls.SERVER.certificate()), server, "TLSv1.3").send("question");
                server.peerEnds();
                assertTrue(server.isClosed());
            }
            assertInstanceOf(SSLException.class, outcomes.get(0), () -> bytes + " bytes");
        }
    }
}
