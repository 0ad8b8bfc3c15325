package org.cabrank.lf.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.OffloadExecutors;
import org.cabrank.lf.stream.Connection;
import org.cabrank.lf.stream.ConnectionContinuation;
import org.cabrank.lf.stream.ConnectionHandler;
import org.cabrank.lf.stream.IdleTimeoutException;
import org.cabrank.lf.stream.StreamReactor;
import org.cabrank.lf.stream.StreamTimeouts;
import org.junit.jupiter.api.Test;

/** Slow work that a callback hands away: the connection waits for it, and nobody else does. */
public abstract class OffloadContract extends StreamContract {
    private final LaterExecutor later = new LaterExecutor();

    /** Answers all that has come at once, with work in between. */
    private static ConnectionHandler answeringBy(Executor executor) {
        return (connection, data) -> {
            String text = Recorder.text(data);
            connection.offload(executor, () -> text + "!", (own, answer) -> own.write(Recorder.bytes(answer)));
        };
    }

    @Test
    void threadsOfAnExecutorDoTheWorkOfManyConnections() throws Exception {
        ExecutorService executor = OffloadExecutors.virtualThreadsElse("slow", 4, 1_000);
        try {
            var address = serve(answeringBy(executor));
            for (int i = 0; i < 20; i++) {
                TestClient client = client(address);
                for (int round = 0; round < 20; round++) {
                    client.send(i + "/" + round).expect(i + "/" + round + "!");
                }
            }
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void executorThatRunsInTheCallingThreadIsServed() throws Exception {
        var address = serve(answeringBy(Runnable::run));
        client(address).send("a").expect("a!").send("b").expect("b!");
    }

    @Test
    void othersAreServedWhileWorkIsUnderWayEvenByASingleThread() throws Exception {
        TestReactor reactor = start();
        TestClient slow = client(reactor.listen(answeringBy(later))).send("slow");
        Runnable work = later.take();
        client(reactor.listen((connection, data) -> connection.write(data)))
                .send("quick")
                .expect("quick");
        work.run();
        slow.expect("slow!");
    }

    @Test
    void nothingIsCalledWhileWorkIsUnderWayAndAllOfItFollows() throws Exception {
        TestReactor reactor = start();
        Recorder recorder = new Recorder(new ConnectionHandler() {
            private boolean offloaded;

            @Override
            public void data(Connection connection, ByteBuffer data) {
                String text = Recorder.text(data);
                if (!offloaded) {
                    offloaded = true;
                    connection.offload(later, () -> text, (own, answer) -> own.write(Recorder.bytes(answer)));
                } else {
                    connection.write(Recorder.bytes(text));
                }
            }
        });
        TestClient client = client(reactor.listen(recorder)).send("first ");
        Runnable work = later.take();
        recorder.connection().execute(recorder.task(() -> {}));
        client.send("second").endOutput();
        // A second connection is served by the same handle sets, with calls of its own, so the first has had its
        // chance.
        client(reactor.listen((connection, data) -> connection.write(data)))
                .send("x")
                .expect("x");
        assertEquals(List.of("opened", "data"), recorder.calls());
        work.run();
        client.expectToEnd("first second");
        assertNull(recorder.awaitClosed());
        assertEquals(List.of("opened", "data", "task", "data", "inputClosed", "closed"), recorder.calls());
        assertEquals(0, recorder.overlaps());
    }

    @Test
    void continuationIsACallbackOfTheConnection() throws Exception {
        AtomicReference<Thread> calledBy = new AtomicReference<>();
        Recorder recorder = new Recorder((connection, data) -> {
            String text = Recorder.text(data);
            connection.offload(later, () -> text, (own, answer) -> {
                assertSame(connection, own);
                calledBy.set(Thread.currentThread());
                own.promoteNewLeader();
                own.write(Recorder.bytes(answer));
                assertEquals(answer.length(), own.queuedBytes(), "gathered until the callback ends");
                own.flush();
            });
        });
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder)).send("x");
        later.doNext();
        client.expect("x");
        assertFalse(calledBy.get() == Thread.currentThread(), "not the thread that did the work");
        assertEquals(0, reactor.failureCount());
    }

    /** As with pipelined requests: they have come already, and no further byte will tell. */
    @Test
    void bytesLeftUnreadAreGivenAgainAfterTheContinuation() throws Exception {
        ConnectionHandler oneByOne = (connection, data) -> {
            byte request = data.get();
            connection.offload(
                    later, () -> request, (own, answer) -> own.write(ByteBuffer.wrap(new byte[] {answer, '.'})));
        };
        TestClient client = client(serve(oneByOne)).send("abc");
        for (String answer : List.of("a.", "b.", "c.")) {
            later.doNext();
            client.expect(answer);
        }
        assertTrue(later.isEmpty());
    }

    @Test
    void bytesLeftUnreadStandInFrontOfThoseThatCameMeanwhile() throws Exception {
        AtomicReference<String> second = new AtomicReference<>();
        Recorder recorder = new Recorder(new ConnectionHandler() {
            private int calls;

            @Override
            public void data(Connection connection, ByteBuffer data) {
                calls++;
                if (calls == 1) {
                    data.get();
                    connection.offload(later, () -> "", (own, nothing) -> {});
                } else if (data.remaining() == 5) {
                    second.set(Recorder.text(data));
                    connection.write(Recorder.bytes("all"));
                }
            }
        });
        TestClient client = client(serve(recorder)).send("abc");
        Runnable work = later.take();
        client.send("def");
        work.run();
        client.expect("all");
        assertEquals("bcdef", second.get());
    }

    @Test
    void openedHandsAwayTooAndDataWaits() throws Exception {
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                connection.offload(later, () -> "welcome ", (own, text) -> own.write(Recorder.bytes(text)));
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.write(data);
            }
        });
        TestClient client = client(serve(recorder)).send("x");
        later.doNext();
        client.expect("welcome x");
    }

    @Test
    void taskHandsAwayTooAndTheNextTaskWaits() throws Exception {
        Recorder recorder = new Recorder();
        TestClient client = client(serve(recorder));
        Connection connection = recorder.connection();
        connection.execute(() -> {
            connection.execute(() -> connection.write(Recorder.bytes("second")));
            connection.offload(later, () -> "first ", (own, text) -> own.write(Recorder.bytes(text)));
        });
        later.doNext();
        client.expect("first second");
    }

    @Test
    void continuationMayHandAwayMore() throws Exception {
        ConnectionHandler twice = (connection, data) -> {
            String text = Recorder.text(data);
            connection.offload(later, () -> text + "1", (own, first) -> {
                own.write(Recorder.bytes(first));
                own.offload(later, () -> "2", (same, second) -> same.write(Recorder.bytes(second)));
            });
        };
        TestClient client = client(serve(twice)).send("a");
        later.doNext();
        client.expect("a1").send("b");
        later.doNext();
        client.expect("2");
        later.doNext();
        client.expect("b1");
        later.doNext();
        client.expect("2");
    }

    // ---- refusals ----

    @Test
    void rejectedWorkLeavesTheCallbackAsItWas() throws Exception {
        Executor full = work -> {
            throw new RejectedExecutionException("full");
        };
        ConnectionHandler handler = (connection, data) -> {
            assertThrows(
                    RejectedExecutionException.class,
                    () -> connection.offload(full, () -> "never", (own, answer) -> own.abort()));
            connection.write(data);
        };
        TestReactor reactor = start();
        client(reactor.listen(handler)).send("a").expect("a").send("b").expect("b");
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void handingAwayOutsideACallbackOrTwiceOrWhileClosingIsRefused() throws Exception {
        ConnectionContinuation<String> writes = (own, answer) -> own.write(Recorder.bytes(answer));
        AtomicReference<Throwable> second = new AtomicReference<>();
        AtomicReference<Throwable> closing = new AtomicReference<>();
        Recorder recorder = new Recorder((connection, data) -> {
            if (Recorder.text(data).equals("twice")) {
                connection.offload(later, () -> "done", writes);
                second.set(assertThrows(
                        IllegalStateException.class, () -> connection.offload(later, () -> "again", writes)));
            } else {
                connection.close();
                closing.set(
                        assertThrows(IllegalStateException.class, () -> connection.offload(later, () -> "", writes)));
            }
        });
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder));
        Connection connection = recorder.connection();
        assertThrows(IllegalStateException.class, () -> connection.offload(later, () -> "", writes));
        client.send("twice");
        later.doNext();
        client.expect("done").send("closing").endOutput().expectEnd();
        recorder.awaitClosed();
        assertTrue(second.get().getMessage().contains("not done yet"), second.get()::getMessage);
        assertTrue(closing.get().getMessage().contains("is being closed"), closing.get()::getMessage);
        assertTrue(later.isEmpty());
        assertEquals(0, reactor.failureCount());
    }

    // ---- failures ----

    @Test
    void workThatThrowsClosesTheConnectionWithThatCause() throws Exception {
        IOException mistake = new IOException("the work failed on purpose");
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.offload(
                    later,
                    () -> {
                        throw mistake;
                    },
                    (own, answer) -> own.write(Recorder.bytes("never")));
        });
        TestReactor reactor = start();
        client(reactor.listen(recorder)).send("x");
        later.doNext();
        assertSame(mistake, recorder.awaitClosed());
        assertEquals(1, reactor.failureCount());
    }

    @Test
    void continuationMayTakeTheFailureAndAnswer() throws Exception {
        ConnectionHandler handler = (connection, data) -> {
            String text = Recorder.text(data);
            connection.offload(
                    later,
                    () -> {
                        throw new IOException(text);
                    },
                    new ConnectionContinuation<String>() {
                        @Override
                        public void resume(Connection own, String answer) {
                            own.abort();
                        }

                        @Override
                        public void failed(Connection own, Throwable failure) {
                            own.write(Recorder.bytes("sorry, " + failure.getMessage()));
                        }
                    });
        };
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(handler)).send("a");
        later.doNext();
        client.expect("sorry, a");
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void continuationThatThrowsSendsWhatItHasWrittenAndCloses() throws Exception {
        IOException mistake = new IOException("the continuation failed on purpose");
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.offload(later, () -> "half", (own, answer) -> {
                own.write(Recorder.bytes(answer));
                throw mistake;
            });
        });
        TestClient client = client(serve(recorder)).send("x");
        later.doNext();
        client.expect("half");
        assertSame(mistake, recorder.awaitClosed());
    }

    // ---- the end of the connection ----

    @Test
    void closeInTheSameCallbackWaitsForTheAnswer() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            String text = Recorder.text(data);
            connection.offload(later, () -> text, (own, answer) -> own.write(Recorder.bytes(answer)));
            connection.close();
        });
        TestClient client = client(serve(recorder)).send("last");
        later.doNext();
        client.endOutput().expectToEnd("last");
        assertNull(recorder.awaitClosed());
    }

    @Test
    void closeFromElsewhereWaitsForTheAnswer() throws Exception {
        Recorder recorder = new Recorder(answeringBy(later));
        TestClient client = client(serve(recorder)).send("last");
        Runnable work = later.take();
        recorder.connection().close();
        assertFalse(recorder.isClosed());
        work.run();
        client.endOutput().expectToEnd("last!");
        assertNull(recorder.awaitClosed());
    }

    @Test
    void peerThatHasEndedGetsTheAnswer() throws Exception {
        Recorder recorder = new Recorder(answeringBy(later));
        TestClient client = client(serve(recorder)).send("last").endOutput();
        later.doNext();
        client.expectToEnd("last!");
        assertEquals(List.of("opened", "data", "inputClosed", "closed"), afterTheEnd(recorder));
    }

    private static List<String> afterTheEnd(Recorder recorder) throws Exception {
        recorder.awaitClosed();
        return recorder.calls();
    }

    @Test
    void abortInTheSameCallbackIsAtOnceAndDropsTheResult() throws Exception {
        AtomicBoolean resumed = new AtomicBoolean();
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.offload(later, () -> "never", (own, answer) -> resumed.set(true));
            connection.abort();
        });
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder)).send("x");
        assertNull(recorder.awaitClosed());
        client.expectReset();
        later.doNext();
        closeWhatWasOpened();
        assertFalse(resumed.get());
        assertEquals(List.of("opened", "data", "closed"), recorder.calls());
    }

    @Test
    void idleTimeDoesNotRunWhileWorkIsUnderWay() throws Exception {
        Duration idle = Duration.ofMillis(50);
        TestReactor reactor = start(StreamReactor.builder().timeouts(StreamTimeouts.DEFAULT.withIdle(idle)));
        Recorder recorder = new Recorder(answeringBy(later));
        TestClient client = client(reactor.listen(recorder)).send("x");
        Runnable work = later.take();
        long begunNs = System.nanoTime();
        Await.until("the idle time is long over", () -> System.nanoTime() - begunNs > 3 * idle.toNanos());
        work.run();
        client.expect("x!");
        assertInstanceOf(IdleTimeoutException.class, recorder.awaitClosed(), "afterwards it runs again");
    }

    // ---- the end of the reactor ----

    private static CompletableFuture<Void> close(TestReactor reactor) {
        return CompletableFuture.runAsync(reactor::close, task -> new Thread(task).start());
    }

    @Test
    void drainWaitsForTheWorkAndItsAnswer() throws Exception {
        TestReactor reactor = start();
        Recorder recorder = new Recorder(answeringBy(later));
        TestClient client = client(reactor.listen(recorder)).send("in flight");
        Runnable work = later.take();
        CompletableFuture<Void> closed = close(reactor);
        assertFalse(recorder.isClosed());
        work.run();
        client.expectToEnd("in flight!").close();
        closed.get();
        assertEquals(List.of("opened", "data", "closed"), recorder.calls());
    }

    @Test
    void workThatTakesLongerThanTheDrainMayIsGivenUp() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().drainTimeout(Duration.ofMillis(100)));
        Recorder recorder = new Recorder(answeringBy(later));
        TestClient client = client(reactor.listen(recorder)).send("x");
        Runnable work = later.take();
        reactor.close();
        client.expectReset();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
        work.run();
        assertEquals(List.of("opened", "data", "closed"), recorder.calls());
    }
}
