package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.NestingLimitException;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callbacks that wait for a reply while their thread, perhaps the only one, goes on serving the shard. */
public abstract class WaitingContract extends StreamContract {
    private static final Duration PATIENCE = Duration.ofNanos(Await.PATIENCE_NS);

    /** Replies that wait to be completed, by name. */
    private final ConcurrentMap<Character, CompletableFuture<Reply<String>>> replies = new ConcurrentHashMap<>();

    private CompletableFuture<Reply<String>> reply(char name) {
        return replies.computeIfAbsent(name, any -> new CompletableFuture<>());
    }

    private String ask(Connection connection, char name) throws Exception {
        Reply<String> reply = connection.newReply();
        reply(name).complete(reply);
        return reply.await(PATIENCE);
    }

    private void tell(char name, String answer) throws Exception {
        reply(name).get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS).complete(answer);
    }

    /** A capital letter asks for a reply of this name and answers with it; a small letter brings it, and answers itself. */
    private final ConnectionHandler askingAndTelling = (connection, data) -> {
        while (data.hasRemaining()) {
            char letter = (char) data.get();
            if (Character.isUpperCase(letter)) {
                connection.write(Recorder.bytes(ask(connection, letter)));
                assertFalse(data.hasRemaining(), "what was left of the buffer is given to the next call");
            } else {
                connection.write(Recorder.bytes(String.valueOf(letter)));
                tell(Character.toUpperCase(letter), "<" + letter + ">");
            }
        }
    };

    @Test
    void otherConnectionsAreServedMeanwhileAndOneBringsTheReply() throws Exception {
        SocketAddress address = serve(askingAndTelling);
        TestClient asks = client(address).send("A");
        reply('A').get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        client(address).send("a").expect("a");
        asks.expect("<a>");
        asks.send("B");
        reply('B').get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        client(address).send("b").expect("b");
        asks.expect("<b>").endOutput().expectEnd();
    }

    @Test
    void requestsBehindTheOneThatWaitsAreHandledMeanwhile() throws Exception {
        SocketAddress address = serve(askingAndTelling);
        client(address).send("Aa").expect("a<a>");
        client(address).send("D").send("d").expect("d<d>").endOutput().expectEnd();
        String answers = new String(client(address).send("BCcb").read(8), StandardCharsets.ISO_8859_1);
        assertTrue(List.of("cb<c><b>", "cb<b><c>", "c<c>b<b>").contains(answers), answers);
    }

    /** Ten callbacks of one connection wait for one another; each has buffers of its own. */
    @Test
    void callbacksWaitWithinOneAnother() throws Exception {
        List<Reply<String>> waits = new ArrayList<>();
        Recorder recorder = new Recorder((connection, data) -> {
            int number = data.get() - '0';
            if (number < 9) {
                Reply<String> next = connection.newReply();
                synchronized (waits) {
                    waits.add(next);
                }
                connection.write(Recorder.bytes("(" + number));
                connection.write(Recorder.bytes(next.await(PATIENCE) + number + ")"));
            } else {
                connection.write(Recorder.bytes("9"));
            }
            if (number > 0) {
                synchronized (waits) {
                    waits.remove(waits.size() - 1).complete("");
                }
            }
        });
        TestReactor reactor = start();
        client(reactor.listen(recorder))
                .send("0123456789")
                .expect("(0(1(2(3(4(5(6(7(898)7)6)5)4)3)2)1)0)")
                .endOutput()
                .expectEnd();
        recorder.awaitClosed();
        assertEquals(0, reactor.failureCount());
    }

    /** One callback more waits than all threads together have room for, so one of them at least is refused. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void callbackBeyondTheBoundOfWaitsCanAnswerThatItIsBusy(int nestingMax) throws Exception {
        BlockingQueue<Character> refused = new LinkedBlockingQueue<>();
        TestReactor reactor = start(StreamReactor.builder().nestingMax(nestingMax));
        SocketAddress address = reactor.listen((connection, data) -> {
            char name = (char) data.get();
            try {
                connection.write(Recorder.bytes(ask(connection, name)));
            } catch (NestingLimitException limit) {
                refused.add(name);
                connection.write(Recorder.bytes("busy"));
            }
        });
        int room = mode().threads() * nestingMax;
        List<TestClient> clients = new ArrayList<>();
        for (char name = 'A'; name <= 'A' + room; name++) {
            clients.add(client(address).send(String.valueOf(name)));
        }
        assertNotNull(refused.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS), "nobody was refused");
        for (char name = 'A'; name <= 'A' + room; name++) {
            tell(name, "done");
        }
        for (char name = 'A'; name <= 'A' + room; name++) {
            String answer = new String(clients.get(name - 'A').read(4), StandardCharsets.ISO_8859_1);
            assertTrue(answer.equals("busy") || answer.equals("done"), answer);
            assertTrue(nestingMax > 0 || answer.equals("busy"), answer);
        }
        if (nestingMax > 0) {
            TestClient again = client(address).send("Z");
            tell('Z', "done");
            again.expect("done");
        }
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void bytesWrittenBeforeTheWaitAreSentBeforeTheWait() throws Exception {
        SocketAddress address = serve((connection, data) -> {
            data.position(data.limit());
            connection.write(Recorder.bytes("before "));
            connection.write(Recorder.bytes(ask(connection, 'A')));
        });
        TestClient client = client(address).send("x").expect("before ");
        tell('A', "after");
        client.expect("after").endOutput().expectEnd();
    }

    @Test
    void peerThatHasEndedItsOutputStillGetsTheAnswerOfACallbackThatWaits() throws Exception {
        SocketAddress address = serve(askingAndTelling);
        TestClient asks = client(address).send("AB").endOutput();
        reply('A').get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        reply('B').get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        TestClient other = client(address);
        other.send("b").expect("b");
        asks.expect("<b>");
        other.send("a").expect("a");
        asks.expectToEnd("<a>");
    }

    @Test
    void gracefulEndWaitsForACallbackThatWaits() throws Exception {
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(askingAndTelling);
        TestClient idle = client(address);
        TestClient asks = client(address).send("A");
        reply('A').get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        idle.send("a").expect("a");
        asks.expect("<a>").send("B");
        reply('B').get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        TestThread closing = TestThread.start("closes", reactor.reactor()::close);
        idle.expectEnd().close(); // so the reactor has begun to end, and waits for this peer no longer
        tell('B', "last");
        asks.expectToEnd("last").close();
        closing.join();
    }

    @Test
    void callbackThatFailsAfterItsWaitClosesTheConnectionWithItsFailure() throws Exception {
        IOException failure = new IOException("thrown by a handler on purpose");
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(Recorder.bytes("whole"));
            ask(connection, 'A');
            throw failure;
        });
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder)).send("x").expect("whole");
        tell('A', "");
        client.expectEnd();
        assertSame(failure, recorder.awaitClosed());
        assertEquals(1, reactor.failureCount());
    }

    @Test
    void everyKindOfCallbackMayWait() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        ConnectionHandler handler = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) throws Exception {
                connection.write(Recorder.bytes(ask(connection, 'O')));
                connection.execute(() -> {
                    try {
                        connection.write(Recorder.bytes(ask(connection, 'T')));
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.write(data.limit(data.limit() - 1));
                data.limit(data.limit() + 1);
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) throws Exception {
                String answer = ask(connection, 'I');
                connection.write(unread);
                connection.write(Recorder.bytes(answer));
                connection.close();
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                try {
                    ask(connection, 'C');
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                over.countDown();
            }
        };
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(handler));
        tell('O', "opened ");
        client.expect("opened ");
        client.send("xy").expect("x");
        tell('T', "task ");
        client.expect("task ");
        client.send("z").expect("y").endOutput();
        tell('I', " end");
        client.expectToEnd("z end");
        tell('C', "");
        over.await();
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void threadOfNoPoolWaitsForWhatACallbackBrings() throws Exception {
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                opened.complete(connection);
            }

            @Override
            public void data(Connection connection, ByteBuffer data) throws Exception {
                tell('A', Recorder.text(data));
            }
        });
        TestClient client = client(address);
        Reply<String> reply =
                opened.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS).newReply();
        reply('A').complete(reply);
        client.send("x");
        assertEquals("x", reply.await(PATIENCE));
    }

    /** Much data in both directions around waits: nothing is lost, doubled or out of order. */
    @Test
    void bytesAreWholeAroundManyWaits() throws Exception {
        byte[] sent = randomBytes(1 << 20, 42);
        SocketAddress address = serve((connection, data) -> {
            int count = Math.min(data.remaining(), 5_000);
            ByteBuffer piece = ByteBuffer.allocate(count);
            piece.put(data.slice().limit(count)).flip();
            data.position(data.position() + count);
            connection.pauseReading(); // or what follows would overtake it
            Reply<Void> reply = connection.newReply();
            connection.execute(() -> reply.complete(null));
            reply.await(PATIENCE);
            connection.write(piece);
            connection.resumeReading();
        });
        TestClient client = client(address);
        TestThread sender = TestThread.start("sender", () -> client.send(sent).endOutput());
        assertArrayEquals(sent, client.readToEnd());
        sender.join();
    }

    /** The end of the input waits for the callback that waits, and is not lost because the output has ended before. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endOfTheInputFollowsTheWaitThoughTheOutputHasEnded(boolean endsOutputBefore) throws Exception {
        StringBuffer rest = new StringBuffer();
        Recorder recorder = new Recorder(new ConnectionHandler() {
            private boolean asked;

            @Override
            public void data(Connection connection, ByteBuffer data) throws Exception {
                if (asked) {
                    return; // left unread
                }
                asked = true;
                data.get();
                connection.write(Recorder.bytes("last"));
                if (endsOutputBefore) {
                    connection.shutdownOutput();
                }
                ask(connection, 'A');
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                rest.append(Recorder.text(unread));
                connection.close();
            }
        });
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder)).send("xunread").expect("last");
        if (!endsOutputBefore) {
            recorder.connection().shutdownOutput();
        }
        client.expectEnd().endOutput();
        // Another connection is served by the same shard, so the end of the first was seen.
        client(reactor.listen((other, data) -> other.write(data))).send("y").expect("y");
        tell('A', "");
        assertNull(recorder.awaitClosed());
        assertEquals("unread", rest.toString());
        assertEquals(1, recorder.count("inputClosed"));
    }
}
