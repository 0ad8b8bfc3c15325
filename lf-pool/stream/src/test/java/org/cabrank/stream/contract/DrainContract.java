package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Closing the reactor: requests are answered, clients get an orderly end, and nobody waits indefinitely. */
public abstract class DrainContract extends StreamContract {

    private static CompletableFuture<Void> close(TestReactor reactor) {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        reactor.close();
                        closed.complete(null);
                    } catch (Throwable failed) {
                        closed.completeExceptionally(failed);
                    }
                })
                .start();
        return closed;
    }

    @Test
    void requestsSentBeforeTheCloseAreAnswered() throws Exception {
        TestReactor reactor = start();
        SocketAddress address = reactor.listen((connection, data) -> connection.write(data));
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            clients.add(client(address).send("in flight " + i));
        }
        CompletableFuture<Void> closed = close(reactor);
        for (int i = 0; i < clients.size(); i++) {
            clients.get(i).expectToEnd("in flight " + i).close();
        }
        closed.get();
        assertEquals(clients.size(), reactor.reactor().counters().opened());
    }

    @Test
    void idleConnectionsGetAnOrderlyEnd() throws Exception {
        TestReactor reactor = start();
        Recorder recorder = new Recorder((connection, data) -> connection.write(data));
        TestClient client = client(reactor.listen(recorder)).send("x").expect("x");
        CompletableFuture<Void> closed = close(reactor);
        client.expectEnd().close();
        closed.get();
        assertEquals(List.of("opened", "data", "closed"), recorder.calls());
    }

    @Test
    void requestThatComesWithinTheDrainGraceIsAnswered() throws Exception {
        TestReactor reactor =
                start(StreamReactor.builder().drainGrace(PATIENT_DRAIN).drainTimeout(PATIENT_DRAIN));
        Recorder recorder = new Recorder((connection, data) -> {
            connection.write(data);
            if (connection.isDraining()) {
                connection.close();
            }
        });
        SocketAddress address = reactor.listen(recorder);
        TestClient client = client(address).send("before").expect("before");
        Connection connection = recorder.connection();
        CompletableFuture<Void> closed = close(reactor);
        awaitDraining(connection);
        client.send("late").expectToEnd("late").close();
        closed.get(); // long before the grace has passed, because no connection is left
        assertEquals(null, recorder.awaitClosed());
    }

    private static void awaitDraining(Connection connection) {
        AtomicBoolean draining = new AtomicBoolean();
        Await.until("the connection drains", () -> {
            connection.execute(() -> draining.set(connection.isDraining()));
            return draining.get();
        });
    }

    @Test
    void idleConnectionIsClosedWhenTheDrainGraceHasPassed() throws Exception {
        TestReactor reactor =
                start(StreamReactor.builder().drainGrace(Duration.ofMillis(50)).drainTimeout(PATIENT_DRAIN));
        Recorder recorder = new Recorder((connection, data) -> connection.write(data));
        TestClient client = client(reactor.listen(recorder)).send("x").expect("x");
        CompletableFuture<Void> closed = close(reactor);
        client.expectEnd().close();
        closed.get();
        assertEquals(List.of("opened", "data", "closed"), recorder.calls());
    }

    /** The only thread is busy, or all of them are, so nobody accepts: clients that connect during that time are answered. */
    @Test
    void connectionsNotYetAcceptedAreAnsweredAndSlowHandlersAwaited() throws Exception {
        int busyCount = mode().threads();
        CountDownLatch busy = new CountDownLatch(busyCount);
        CountDownLatch release = new CountDownLatch(1);
        TestReactor reactor = start();
        SocketAddress address = reactor.listen((connection, data) -> {
            if (data.get(data.position()) == 's') {
                busy.countDown();
                release.await();
            }
            connection.write(data);
        });
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < busyCount; i++) {
            clients.add(client(address).send("s" + i));
        }
        busy.await();
        for (int i = busyCount; i < busyCount + 10; i++) {
            clients.add(client(address).send("q" + i));
        }
        CompletableFuture<Void> closed = close(reactor);
        assertFalse(closed.isDone());
        release.countDown();
        for (int i = 0; i < clients.size(); i++) {
            clients.get(i).expectToEnd((i < busyCount ? "s" : "q") + i).close();
        }
        closed.get();
    }

    @Test
    void longAnswerIsSentToItsEnd() throws Exception {
        int count = 5 << 20;
        TestReactor reactor = start(StreamReactor.builder()
                .limits(StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, count))
                .drainTimeout(PATIENT_DRAIN));
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(ByteBuffer.allocate(count));
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("go").read(1);
        CompletableFuture<Void> closed = close(reactor);
        assertEquals(count - 1, client.readToEnd().length);
        client.close();
        closed.get();
    }

    @Test
    void peerThatNeverReadsIsResetAfterTheDrainTimeout() throws Exception {
        int count = 8 << 20;
        TestReactor reactor = start(StreamReactor.builder()
                .limits(StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, count))
                .drainTimeout(Duration.ofMillis(100)));
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(ByteBuffer.allocate(count));
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("go").read(1);
        Connection connection = recorder.connection();
        Await.until("the queue is long", () -> connection.queuedBytes() > 256 << 10);
        close(reactor).get();
        assertNotNull(recorder.awaitClosed(), "what was written is lost, and the handler must know");
        client.expectReset();
    }

    /** The reason why nothing is received from a peer whose answer is under way, and whether the peer has taken what was written. */
    enum Silence {
        PAUSED(false, false),
        PAUSED_WITH_A_FULL_QUEUE(false, true),
        ENDED_BY_PEER(true, false),
        ENDED_BY_PEER_WITH_A_FULL_QUEUE(true, true);

        private final boolean ended;
        private final boolean queued;

        Silence(boolean ended, boolean queued) {
            this.ended = ended;
            this.queued = queued;
        }
    }

    @ParameterizedTest
    @EnumSource
    void resetDuringTheDrainEndsAConnectionWhoseAnswerIsUnderWay(Silence silence) throws Exception {
        int count = 8 << 20;
        TestReactor reactor = start(StreamReactor.builder()
                .limits(StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, 2 * count))
                .drainTimeout(PATIENT_DRAIN));
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                data.position(data.limit());
                if (!silence.ended) {
                    connection.pauseReading();
                }
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                unread.position(unread.limit()); // the answer comes later
            }

            @Override
            public void draining(Connection connection) {
                // the answer is incomplete, so the connection stays open
            }
        });
        TestClient client =
                closing(mode().connectToReadLittle(reactor.listen(recorder))).send("go");
        if (silence.ended) {
            client.endOutput();
        }
        Await.until("the request has come", () -> recorder.calls().contains(silence.ended ? "inputClosed" : "data"));
        Connection connection = recorder.connectionNow();
        if (silence.queued) {
            connection.write(ByteBuffer.allocate(count));
            Await.until("the queue is long", () -> connection.queuedBytes() > 256 << 10);
        }
        CompletableFuture<Void> closed = close(reactor);
        awaitDraining(connection);
        client.reset();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
        closed.get();
    }

    @Test
    void handlerThatDoesNotReturnKeepsNeitherPeersNorTheAddress() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        TestReactor reactor = start(
                StreamReactor.builder().drainTimeout(Duration.ofMillis(20)).handlerTimeout(Duration.ofMillis(20)));
        Recorder slow = new Recorder((connection, data) -> {
            busy.countDown();
            release.await();
            connection.write(data);
            connection.flush();
        });
        InetSocketAddress address = reactor.listenAlone(slow);
        TestClient client = client(address).send("x");
        busy.await();
        TestClient waiting = client(address); // in the kernel's queue, or accepted by another thread
        try {
            reactor.reactor().close();
            client.expectReset();
            waiting.readAndForget();
            assertThrows(IOException.class, () -> TestClient.connect(address));
            new ServerSocket(address.getPort(), 1, address.getAddress()).close();
        } finally {
            release.countDown();
        }
        slow.awaitClosed();
        Await.until("everything is given back", () -> reactor.handleCount() == 0 && reactor.streamCount() == 0);
        Await.until( // by the thread that was in the handler
                "all ends are counted",
                () -> reactor.reactor().counters().opened()
                        == reactor.reactor().counters().closed());
    }

    @Test
    void secondCloseWaitsForTheFirst() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        TestReactor reactor = start();
        TestClient client = client(reactor.listen((connection, data) -> {
            busy.countDown();
            release.await();
            connection.write(data);
        }));
        client.send("x");
        busy.await();
        CompletableFuture<Void> first = close(reactor);
        CompletableFuture<Void> second = close(reactor);
        assertFalse(second.isDone());
        release.countDown();
        client.expectToEnd("x").close();
        second.get();
        first.get();
        reactor.reactor().awaitTermination();
    }

    @Test
    void handlerMayCloseTheReactorItRunsIn() throws Exception {
        TestReactor reactor = start();
        AtomicBoolean returned = new AtomicBoolean();
        TestClient client = client(reactor.listen((connection, data) -> {
            reactor.reactor().close();
            reactor.reactor().close();
            returned.set(true);
            connection.write(data);
        }));
        client.send("last").expectToEnd("last").close();
        assertTrue(returned.get());
        reactor.reactor().awaitTermination();
    }

    @Test
    void interruptedCloseStillGivesEverythingBack() throws Exception {
        TestReactor reactor = start();
        Recorder recorder = new Recorder();
        TestClient client = client(reactor.listen(recorder));
        recorder.connection();
        TestThread closing = TestThread.start("closes", () -> {
            Thread.currentThread().interrupt();
            reactor.reactor().close();
            assertTrue(Thread.interrupted(), "the interrupt is kept for the caller");
        });
        closing.join();
        assertEquals(0, reactor.handleCount());
        client.close();
    }

    @Test
    void closedReactorNeitherListensNorConnects() throws Exception {
        TestReactor reactor = start();
        SocketAddress address = reactor.listenAlone(new Recorder());
        reactor.close();
        assertThrows(IllegalStateException.class, () -> reactor.listen(new Recorder()));
        assertThrows(IllegalStateException.class, () -> reactor.reactor().connect(address, new Recorder()));
        assertThrows(IOException.class, () -> TestClient.connect(address));
    }

    /** Clients come and go while the reactor closes: each is answered, or refused, but none is left waiting. */
    @Test
    void nobodyIsLeftWaitingWhoComesDuringTheClose() throws Exception {
        TestReactor reactor = start();
        SocketAddress address = reactor.listen((connection, data) -> connection.write(data));
        CountDownLatch some = new CountDownLatch(5);
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            callers.add(CompletableFuture.runAsync(
                    () -> callUntilRefused(address, some), runnable -> new Thread(runnable).start()));
        }
        some.await();
        long begunNs = System.nanoTime();
        close(reactor).get();
        for (CompletableFuture<Void> caller : callers) {
            caller.get();
        }
        long tookNs = System.nanoTime() - begunNs;
        assertTrue(tookNs < PATIENT_DRAIN.toNanos() / 2, "half of the drain time-out: " + tookNs + " ns");
    }

    private static void callUntilRefused(SocketAddress address, CountDownLatch answered) {
        while (true) {
            try (TestClient client = TestClient.connect(address)) {
                client.send("x").readToEndAfter(1);
                answered.countDown();
            } catch (IOException refused) {
                return;
            }
        }
    }
}
