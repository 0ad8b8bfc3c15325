package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Cancellation;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.DeadlineException;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;

/** Ends of a connection that is not read: reading is paused, or a callback's work is offloaded. */
public abstract class HeldContract extends StreamContract {
    private final LaterExecutor later = new LaterExecutor();

    /** Pauses as the connection is opened; afterwards collects. */
    private static final class Pausing implements ConnectionHandler {
        final ByteArrayOutputStream received = new ByteArrayOutputStream();

        @Override
        public void opened(Connection connection) {
            connection.pauseReading();
        }

        @Override
        public synchronized void data(Connection connection, ByteBuffer data) {
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            received.writeBytes(bytes);
        }
    }

    // ---- reading is paused ----

    @Test
    void resetEndsAPausedConnection() throws Exception {
        Recorder recorder = new Recorder(new Pausing());
        TestClient client = client(serve(recorder));
        recorder.connection();
        client.reset();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
        assertEquals(List.of("opened", "closed"), recorder.calls());
    }

    @Test
    void resetEndsAPausedConnectionThatHasUnreadBytes() throws Exception {
        Recorder recorder = new Recorder(new Pausing());
        TestClient client = client(serve(recorder)).send(new byte[20_000]);
        recorder.connection();
        client.reset();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
    }

    @Test
    void resetAfterTheEndOfItsOutputEndsAPausedConnection() throws Exception {
        Recorder recorder = new Recorder(new Pausing());
        TestClient client = client(serve(recorder)).send("x").endOutput();
        recorder.connection();
        client.reset();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
    }

    @Test
    void resetEndsAConnectionThatWasReadBeforeItWasPaused() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            connection.write(data);
            connection.pauseReading();
        });
        TestClient client = client(serve(recorder)).send("x").expect("x").send("y");
        recorder.connection();
        client.reset();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
        assertEquals(List.of("opened", "data", "closed"), recorder.calls());
    }

    /** Received bytes wait, and the peer has taken the last output without a further event of the connection. */
    @Test
    void resetEndsAPausedConnectionWhosePeerHasTakenTheOutput() throws Exception {
        int count = 6 << 20;
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(2 * count, 3 * count, 4 * count)));
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.pauseReading();
            connection.write(ByteBuffer.allocate(count));
        });
        TestClient client =
                closing(mode().connectToReadLittle(reactor.listen(recorder))).send(new byte[64 << 10]);
        client.read(count);
        Await.until("all is taken", () -> recorder.connectionNow().queuedBytes() == 0);
        client.reset();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
    }

    @Test
    void resetEndsAConnectionAfterTheEndOfThePeersOutputAndTheLastAnswer() throws Exception {
        int count = 6 << 20;
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(2 * count, 3 * count, 4 * count)));
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                data.position(data.limit());
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                connection.write(ByteBuffer.allocate(count)); // and more later, so the connection is kept
            }
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)))
                .send("x")
                .endOutput();
        client.read(count);
        Await.until("all is taken", () -> recorder.connectionNow().queuedBytes() == 0);
        client.reset();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
    }

    @Test
    void pausedConnectionLosesNothingToTheEndOfThePeersOutput() throws Exception {
        byte[] sent = randomBytes(20_000, 5);
        Pausing pausing = new Pausing();
        Recorder recorder = new Recorder(pausing);
        TestClient client = client(serve(recorder)).send(sent).endOutput();
        Connection connection = recorder.connection();
        connection.write(Recorder.bytes("answer"));
        client.expect("answer");
        assertEquals(List.of("opened"), recorder.calls());
        connection.resumeReading();
        client.expectEnd().close();
        assertNull(recorder.awaitClosed());
        assertArrayEquals(sent, pausing.received.toByteArray());
    }

    private static CompletableFuture<Void> close(TestReactor reactor) {
        return CompletableFuture.runAsync(reactor::close, task -> new Thread(task).start());
    }

    @Test
    void drainClosesAPausedConnectionAfterItsOutput() throws Exception {
        TestReactor reactor = start();
        Recorder recorder = new Recorder(new Pausing());
        TestClient client = client(reactor.listen(recorder)).send("never read");
        recorder.connection().write(Recorder.bytes("last"));
        client.expect("last");
        CompletableFuture<Void> closed = close(reactor);
        client.expectEnd().close();
        closed.get();
        assertNull(recorder.awaitClosed());
        assertEquals(List.of("opened", "closed"), recorder.calls());
    }

    // ---- work is offloaded ----

    private Recorder offloading() {
        return new Recorder(new AnswerByOffload(later));
    }

    @Test
    void anotherThreadMayAbortWhileWorkIsOffloaded() throws Exception {
        TestReactor reactor = start();
        Recorder recorder = offloading();
        TestClient client = client(reactor.listen(recorder)).send("x");
        Runnable work = later.take();
        recorder.connection().abort();
        assertNull(recorder.awaitClosed());
        client.expectReset();
        work.run();
        assertEquals(List.of("opened", "data", "closed"), recorder.calls());
        assertEquals(1, dropped(reactor));
    }

    private static long dropped(TestReactor reactor) {
        return reactor.reactor().pools().stream()
                .mapToLong(pool -> pool.counters().offloadsDropped())
                .sum();
    }

    @Test
    void resetEndsAConnectionWhoseWorkIsOffloaded() throws Exception {
        Recorder recorder = offloading();
        TestClient client = client(serve(recorder)).send("x");
        later.doNext();
        client.expect("x!").send("y"); // a failed send would wait for the work
        Runnable work = later.take();
        client.send("behind the work").reset();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
        work.run();
        assertEquals(List.of("opened", "data", "data", "closed"), recorder.calls());
    }

    @Test
    void resetThatComesWithTheBytesEndsAConnectionWhoseWorkIsOffloaded() throws Exception {
        resetEndsAConnectionWhoseWorkIsOffloaded(false);
    }

    @Test
    void resetThatComesWithTheBytesEndsAConnectionWhoseCallbackOffloadsAndWaits() throws Exception {
        resetEndsAConnectionWhoseWorkIsOffloaded(true);
    }

    /** The server is busy while the bytes and the reset come. */
    private void resetEndsAConnectionWhoseWorkIsOffloaded(boolean waits) throws Exception {
        CompletableFuture<Reply<String>> asked = new CompletableFuture<>();
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        Recorder recorder = new Recorder((connection, data) -> {
            if (Recorder.text(data).equals("a")) {
                busy.countDown();
                sent.await();
            } else {
                connection.offload(later, () -> "never", (own, answer) -> {});
                if (waits) {
                    asked.complete(connection.newReply());
                    asked.join().await(Await.PATIENCE);
                }
            }
        });
        TestClient client = client(serve(recorder)).send("a");
        busy.await();
        client.send("b").reset();
        sent.countDown();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
        if (waits) {
            asked.get().complete("");
        }
    }

    @Test
    void deadlinePassesWhileWorkIsOffloaded() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.deadline(Duration.ofMillis(30));
            connection.offload(later, () -> "never", (own, answer) -> own.abort());
        });
        client(serve(recorder)).send("x").readAndForget();
        assertInstanceOf(DeadlineException.class, recorder.awaitClosed());
        later.doNext();
        assertEquals(List.of("opened", "data", "closed"), recorder.calls());
    }

    @Test
    void deadlineThatHasNotPassedLetsTheWorkAnswer() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            String text = Recorder.text(data);
            connection.deadline(Duration.ofNanos(Await.PATIENCE_NS));
            connection.offload(later, () -> text, (own, answer) -> own.write(Recorder.bytes(answer)));
        });
        TestClient client = client(serve(recorder)).send("x");
        later.doNext();
        client.expect("x");
    }

    // ---- work that can be cancelled ----

    @Test
    void cancellableWorkIsInterruptedWhenTheClientHasGone() throws Exception {
        CompletableFuture<Cancellation> begun = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.offload(
                    task -> new Thread(() -> {
                                task.run();
                                interrupted.complete(Thread.interrupted());
                            })
                            .start(),
                    cancellation -> {
                        begun.complete(cancellation);
                        new CountDownLatch(1).await();
                        return "never";
                    },
                    (own, answer) -> own.write(Recorder.bytes(answer)));
        });
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder)).send("x");
        assertFalse(begun.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS).isCancelled());
        client.reset();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
        assertFalse(interrupted.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS), "the interrupt was for the work alone");
        assertTrue(begun.get().isCancelled());
        assertEquals(1, dropped(reactor));
        assertEquals(0, reactor.failureCount(), "neither the reset nor the cancelled work is a failure of the service");
    }

    @Test
    void cancellableWorkThatHasNotBegunIsNeverBegun() throws Exception {
        AtomicBoolean begun = new AtomicBoolean();
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.offload(
                    later,
                    cancellation -> {
                        begun.set(true);
                        return "never";
                    },
                    (own, answer) -> own.write(Recorder.bytes(answer)));
        });
        TestReactor reactor = start();
        client(reactor.listen(recorder)).send("x");
        Runnable work = later.take();
        recorder.connection().abort();
        recorder.awaitClosed();
        work.run();
        assertFalse(begun.get());
        assertEquals(1, dropped(reactor));
    }
}
