package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.IdleTimeoutException;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
import org.junit.jupiter.api.Test;

/** The ends of a connection: by either side, in one direction or both, orderly or not. */
public abstract class ClosingContract extends StreamContract {
    private static final int LARGE = 5 << 20;

    /** Named bound: clients that are made for one that is heard before it is idle for too long. */
    private static final int ATTEMPTS_MAX = 20;

    private static final StreamLimits ROOM = StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, 2L * LARGE);

    @Test
    void halfClosedByThePeerEverythingWrittenStillArrives() throws Exception {
        byte[] answer = randomBytes(LARGE, 1);
        TestReactor reactor = start(StreamReactor.builder().limits(ROOM));
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(ByteBuffer.wrap(answer));
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        assertArrayEquals(answer, client.send("go").endOutput().readToEnd());
        assertNull(recorder.awaitClosed());
    }

    @Test
    void handlerMayGoOnWritingAfterThePeersEnd() throws Exception {
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.write(data);
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                connection.write(Recorder.bytes("one "));
            }
        });
        TestClient client = client(serve(recorder)).send("zero ").endOutput();
        client.expect("zero one ");
        Connection connection = recorder.connection();
        connection.write(Recorder.bytes("two "));
        connection.execute(() -> connection.write(Recorder.bytes("three")));
        connection.close();
        client.expectToEnd("two three");
        assertNull(recorder.awaitClosed());
        assertEquals(List.of("opened", "data", "inputClosed", "closed"), recorder.calls());
    }

    @Test
    void readingGoesOnAfterOutputIsShutDown() throws Exception {
        StringBuffer read = new StringBuffer();
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                connection.write(Recorder.bytes("hello"));
                connection.shutdownOutput();
                connection.write(Recorder.bytes("too late"));
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                read.append(Recorder.text(data));
            }
        });
        TestClient client = client(serve(recorder)).expectToEnd("hello");
        client.send("still").endOutput();
        assertNull(recorder.awaitClosed());
        assertEquals("still", read.toString());
    }

    @Test
    void connectionWhoseDirectionsHaveBothEndedIsGone() throws Exception {
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                data.position(data.limit());
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                connection.write(Recorder.bytes("bye"));
                connection.shutdownOutput();
            }
        });
        client(serve(recorder)).send("x").endOutput().expectToEnd("bye");
        assertNull(recorder.awaitClosed());
    }

    @Test
    void closeSendsEverythingFirstHoweverSlowlyThePeerReads() throws Exception {
        byte[] answer = randomBytes(LARGE, 2);
        TestReactor reactor = start(StreamReactor.builder().limits(ROOM));
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(ByteBuffer.wrap(answer));
            connection.close();
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        assertArrayEquals(answer, client.send("go").readToEnd());
        client.close();
        assertNull(recorder.awaitClosed());
    }

    @Test
    void closeWithUnreadInputDoesNotLoseTheAnswer() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            connection.write(Recorder.bytes("no more"));
            connection.close();
        });
        SocketAddress address = serve(recorder);
        TestClient client = client(address).send(new byte[1 << 20]);
        client.expectToEnd("no more");
        client.close();
        assertNull(recorder.awaitClosed());
        assertEquals(1, recorder.count("data"));
    }

    @Test
    void closeWithMuchLeftUnreadDoesNotLoseTheAnswer() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            if (data.remaining() == StreamLimits.DEFAULT.unreadLimit()) {
                connection.pauseReading();
                connection.execute(() -> {
                    connection.write(Recorder.bytes("too much"));
                    connection.close();
                });
            }
        });
        TestClient client = client(serve(recorder)).send(new byte[1 << 20]);
        client.expectToEnd("too much");
        client.close();
        assertNull(recorder.awaitClosed());
    }

    /** Neither side could go on if the closing one did not take what the other insists on sending first. */
    @Test
    void peerThatSendsAllBeforeItReadsGetsTheWholeAnswer() throws Exception {
        byte[] answer = randomBytes(LARGE, 3);
        // Bytes of the peer count as no progress of the close, and on a busy machine the close takes its time.
        StreamTimeouts patient = StreamTimeouts.DEFAULT.withClose(Duration.ofNanos(Await.PATIENCE_NS));
        TestReactor reactor = start(StreamReactor.builder().limits(ROOM).timeouts(patient));
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(ByteBuffer.wrap(answer));
            connection.close();
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send(new byte[16 << 20]);
        assertArrayEquals(answer, client.readToEnd());
    }

    @Test
    void anotherThreadMayClose() throws Exception {
        Recorder recorder = new Recorder();
        TestClient client = client(serve(recorder));
        recorder.connection().write(Recorder.bytes("bye"));
        recorder.connection().close();
        client.expectToEnd("bye").close();
        assertNull(recorder.awaitClosed());
        assertEquals(List.of("opened", "closed"), recorder.calls());
    }

    @Test
    void abortResets() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> connection.abort());
        TestClient client = client(serve(recorder)).send("x");
        client.expectReset();
        assertNull(recorder.awaitClosed());
        assertEquals(List.of("opened", "data", "closed"), recorder.calls());
    }

    @Test
    void anotherThreadMayAbort() throws Exception {
        Recorder recorder = new Recorder();
        TestClient client = client(serve(recorder));
        recorder.connection().abort();
        client.expectReset();
        assertNull(recorder.awaitClosed());
    }

    @Test
    void resetByThePeerEndsThatConnectionOnceAndNoOther() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> connection.write(data));
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(recorder);
        TestClient client = client(address).send("x").expect("x");
        recorder.connection();
        Recorder others = new Recorder((connection, data) -> connection.write(data));
        TestClient other = client(reactor.listen(others)).send("y").expect("y");
        client.reset();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
        assertEquals(1, recorder.count("closed"));
        other.send("z").expect("z");
        assertEquals(1, reactor.reactor().counters().closed());
    }

    @Test
    void resetInTheMiddleOfALongAnswerFreesItsMemory() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().limits(ROOM));
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(ByteBuffer.allocate(LARGE));
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("go").read(10_000);
        client.reset();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
        assertEquals(0, recorder.connection().queuedBytes());
        Await.until("the memory to be free", () -> reactor.chunksInUse() == 0);
    }

    @Test
    void idleConnectionIsClosedWithItsReason() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().timeouts(StreamTimeouts.DEFAULT.withIdle(idleTime(60))));
        Heard heard = heardInTime(reactor, (connection, data) -> connection.write(data));
        heard.client.expectToEnd("x");
        assertInstanceOf(IdleTimeoutException.class, heard.recorder.awaitClosed());
    }

    /** A client, and who was called for what it has sent. */
    private record Heard(TestClient client, Recorder recorder) {}

    /**
     * A client whose "x" has reached its handler. A connection that was idle for its whole time before, because a thread of this
     * test or of the reactor stood still for so long, says nothing: another is made.
     */
    private Heard heardInTime(TestReactor reactor, ConnectionHandler handler) throws Exception {
        for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
            Recorder recorder = new Recorder(handler);
            TestClient client = client(reactor.listen(recorder));
            try {
                client.send("x");
            } catch (IOException closedBefore) {
                recorder.awaitClosed();
            }
            Await.until("it is heard, or closed", () -> recorder.count("data") > 0 || recorder.isClosed());
            if (recorder.count("data") > 0) {
                return new Heard(client, recorder);
            }
            assertInstanceOf(IdleTimeoutException.class, recorder.awaitClosed());
        }
        throw new AssertionError(
                "in " + ATTEMPTS_MAX + " attempts no client was heard before it was idle for too long");
    }

    /** Bytes that were received while the handler was busy are served, however long that took. */
    @Test
    void connectionIsNotIdleWhileItsHandlerIsBusyAndMoreHasCome() throws Exception {
        Duration idle = idleTime(50);
        TestReactor reactor = start(StreamReactor.builder().timeouts(StreamTimeouts.DEFAULT.withIdle(idle)));
        CompletableFuture<Void> busy = new CompletableFuture<>();
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        CompletableFuture<Void> served = new CompletableFuture<>();
        Heard heard = heardInTime(reactor, (connection, data) -> {
            if (!busy.isDone()) {
                busy.complete(null);
                goOn.get();
                long untilNs = System.nanoTime() + 2 * idle.toNanos();
                Await.until("the time-out has passed", () -> System.nanoTime() > untilNs);
            } else {
                served.complete(null); // an answer could be lost again, when the connection has become idle since
            }
            data.position(data.limit());
        });
        busy.get();
        heard.client.send("second");
        goOn.complete(null);
        Await.until("what came meanwhile to be served", served::isDone);
    }

    /** The answer that a slow handler has given counts as progress, before the peer or the kernel has acknowledged it. */
    @Test
    void idleTimeBeginsAfterAHandlerThatHasAnswered() throws Exception {
        Duration idle = idleTime(30);
        TestReactor reactor = start(StreamReactor.builder().timeouts(StreamTimeouts.DEFAULT.withIdle(idle)));
        AtomicLong answeredNs = new AtomicLong();
        AtomicLong closedNs = new AtomicLong();
        heardInTime(reactor, new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                long begunNs = System.nanoTime();
                Await.until("the time-out has passed", () -> System.nanoTime() - begunNs > 2 * idle.toNanos());
                answeredNs.set(System.nanoTime());
                connection.write(data);
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                closedNs.set(System.nanoTime());
            }
        });
        Await.until("it is idle and closed", () -> answeredNs.get() != 0 && closedNs.get() - answeredNs.get() > 0);
        assertTrue(closedNs.get() - answeredNs.get() >= idle.toNanos(), "closed right after the answer");
    }

    @Test
    void peerThatNeverReadsIsResetWhenTheCloseTakesTooLong() throws Exception {
        TestReactor reactor = start(
                StreamReactor.builder().limits(ROOM).timeouts(StreamTimeouts.DEFAULT.withClose(Duration.ofMillis(60))));
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(ByteBuffer.allocate(2 * LARGE));
            connection.close();
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("go");
        assertNotNull(recorder.awaitClosed(), "what was written is lost, and the handler must know");
        client.expectReset();
        Await.until("the memory to be free", () -> reactor.chunksInUse() == 0);
    }

    /** All was sent: that the peer leaves its own side open is no failure. */
    @Test
    void peerThatNeverClosesIsGivenUpWhenTheCloseTakesTooLong() throws Exception {
        TestReactor reactor =
                start(StreamReactor.builder().timeouts(StreamTimeouts.DEFAULT.withClose(Duration.ofMillis(60))));
        Recorder recorder = new Recorder((connection, data) -> {
            connection.write(data);
            connection.close();
        });
        TestClient client = client(reactor.listen(recorder)).send("x").expectToEnd("x");
        assertNull(recorder.awaitClosed());
    }
}
