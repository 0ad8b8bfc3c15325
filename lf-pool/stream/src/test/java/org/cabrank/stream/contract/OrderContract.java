package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The order in which the calls of one connection take effect, whichever callbacks and threads make them. */
public abstract class OrderContract extends StreamContract {
    /** Kinds of callbacks. */
    enum Kind {
        OPENED,
        DATA,
        TASK,
        TIMER,
        COMPLETION,
        CONTINUATION,
        WRITABLE,
        DEADLINE_PASSED,
        INPUT_CLOSED,
        DRAINING
    }

    /** Calls that a callback makes once. */
    private interface Act {
        void act(Connection connection) throws Exception;
    }

    /** Acts in the first callback of one kind, which the handler brings about; the connection ends when the peer has ended its output. */
    private static final class ActingOnce implements ConnectionHandler {
        private final Kind kind;
        private final Act act;
        private boolean acted;

        ActingOnce(Kind kind, Act act) {
            this.kind = kind;
            this.act = act;
        }

        private void called(Connection connection, Kind callback) {
            if (!acted && callback == kind) {
                acted = true;
                connection.deadline(StreamTimeouts.NEVER);
                try {
                    act.act(connection);
                } catch (Exception failed) {
                    throw new AssertionError(failed);
                }
            }
        }

        @Override
        public void opened(Connection connection) {
            called(connection, Kind.OPENED);
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            data.position(data.limit());
            called(connection, Kind.DATA);
            if (acted) {
                return;
            }
            switch (kind) {
                case TASK -> connection.execute(() -> called(connection, Kind.TASK));
                case TIMER -> connection.schedule(Duration.ZERO, () -> called(connection, Kind.TIMER));
                case COMPLETION -> connection.whenWritten((own, failure) -> called(own, Kind.COMPLETION));
                case CONTINUATION ->
                    connection.offload(Runnable::run, () -> "", (own, result) -> called(own, Kind.CONTINUATION));
                case WRITABLE -> connection.write(Recorder.bytes("much"));
                case DEADLINE_PASSED -> connection.deadline(Duration.ofMillis(1));
                default -> {
                    // the peer or the test brings about the callback
                }
            }
        }

        @Override
        public void writable(Connection connection) {
            called(connection, Kind.WRITABLE);
        }

        @Override
        public void deadlinePassed(Connection connection) {
            called(connection, Kind.DEADLINE_PASSED);
        }

        @Override
        public void inputClosed(Connection connection, ByteBuffer unread) {
            if (kind == Kind.INPUT_CLOSED && !acted) {
                called(connection, Kind.INPUT_CLOSED);
            } else {
                connection.close();
            }
        }

        @Override
        public void draining(Connection connection) {
            called(connection, Kind.DRAINING);
        }
    }

    /** Starts a reactor whose connections call writable after each few bytes. */
    private TestReactor startWithLowWatermarks() throws Exception {
        return start(StreamReactor.builder()
                .limits(StreamLimits.DEFAULT.withQueue(1, 2, 1 << 20))
                .drainTimeout(PATIENT_DRAIN));
    }

    /** Brings about the callback of a kind, and expects the bytes of the handler. */
    private void provoke(TestReactor reactor, Recorder recorder, TestClient client, Kind kind, String expected)
            throws Exception {
        client.send("x");
        recorder.connection(); // a connection that is not accepted yet is not drained
        TestThread closing = null;
        if (kind == Kind.INPUT_CLOSED) {
            client.endOutput();
        } else if (kind == Kind.DRAINING) {
            closing = TestThread.start("closes", reactor.reactor()::close);
        }
        client.expect(kind == Kind.WRITABLE ? "much" + expected : expected);
        if (closing != null) {
            provoked = closing;
        }
    }

    private TestThread provoked;

    private void end(TestClient client, Kind kind, Recorder recorder) throws Exception {
        if (kind == Kind.INPUT_CLOSED) {
            recorder.connectionNow().close();
        } else {
            client.endOutput();
        }
        client.expectEnd();
        assertNull(recorder.awaitClosed());
        if (provoked != null) {
            provoked.join();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void bytesWrittenByACallbackAreSentBeforeItsOffloadRuns(Kind kind) throws Exception {
        LaterExecutor later = new LaterExecutor();
        Recorder recorder = new Recorder(new ActingOnce(kind, connection -> {
            connection.write(Recorder.bytes("1"));
            connection.offload(later, () -> "3", (own, text) -> own.write(Recorder.bytes(text)));
            connection.write(Recorder.bytes("2"));
        }));
        TestReactor reactor = startWithLowWatermarks();
        TestClient client = client(reactor.listen(recorder));
        provoke(reactor, recorder, client, kind, "12");
        later.doNext();
        client.expect("3");
        end(client, kind, recorder);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void bytesWrittenByACallbackAreSentBeforeItsNestedWait(Kind kind) throws Exception {
        BlockingQueue<Reply<String>> replies = new LinkedBlockingQueue<>();
        Recorder recorder = new Recorder(new ActingOnce(kind, connection -> {
            connection.write(Recorder.bytes("12"));
            Reply<String> reply = connection.newReply();
            replies.add(reply);
            connection.write(Recorder.bytes(reply.await(Duration.ofNanos(Await.PATIENCE_NS))));
        }));
        TestReactor reactor = startWithLowWatermarks();
        TestClient client = client(reactor.listen(recorder));
        provoke(reactor, recorder, client, kind, "12");
        replies.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS).complete("3");
        client.expect("3");
        end(client, kind, recorder);
    }

    /** Makes calls from another thread, and waits until they have returned. */
    private static void elsewhere(Act calls, Connection connection) throws Exception {
        TestThread.start("elsewhere", () -> calls.act(connection)).join();
    }

    private static void write(Connection connection, String text) {
        connection.write(Recorder.bytes(text));
    }

    /** Serves connections whose handler acts once, brings the callback about, and expects what the peer gets up to the end. */
    private void assertEndsWith(String expected, Kind kind, Act act) throws Exception {
        Recorder recorder = new Recorder(new ActingOnce(kind, act));
        TestReactor reactor = startWithLowWatermarks();
        TestClient client = client(reactor.listen(recorder));
        provoke(reactor, recorder, client, kind, expected);
        client.expectEnd();
        if (kind != Kind.INPUT_CLOSED) {
            client.endOutput();
        }
        assertNull(recorder.awaitClosed());
        if (provoked != null) {
            provoked.join();
        }
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "TASK")
    void callbackWritesBehindWritesThatHadReturned(Kind kind) throws Exception {
        Recorder recorder = new Recorder(new ActingOnce(kind, connection -> {
            write(connection, "1");
            elsewhere(other -> write(other, "2"), connection);
            write(connection, "3");
            elsewhere(other -> write(other, "4"), connection);
            connection.write(Recorder.bytes("5"), Recorder.bytes("6"));
        }));
        TestReactor reactor = startWithLowWatermarks();
        TestClient client = client(reactor.listen(recorder));
        provoke(reactor, recorder, client, kind, "123456");
        end(client, kind, recorder);
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "TASK")
    void callbackWritesBehindATaskThatHadBeenHandedOverWhichDoesNotRunInsideACall(Kind kind) throws Exception {
        Recorder recorder = new Recorder(new ActingOnce(kind, connection -> {
            AtomicBoolean over = new AtomicBoolean();
            elsewhere(
                    other -> {
                        write(other, "1");
                        other.execute(() -> write(other, over.get() ? "2" : "inside"));
                        write(other, "3");
                    },
                    connection);
            write(connection, "4");
            connection.flush();
            over.set(true);
        }));
        TestReactor reactor = startWithLowWatermarks();
        TestClient client = client(reactor.listen(recorder));
        provoke(reactor, recorder, client, kind, "1234");
        end(client, kind, recorder);
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "TASK")
    void callbackClosesBehindWritesAndTasksThatHadBeenHandedOver(Kind kind) throws Exception {
        assertEndsWith("123", kind, connection -> {
            elsewhere(
                    other -> {
                        write(other, "1");
                        other.execute(() -> write(other, "2"));
                        write(other, "3");
                    },
                    connection);
            connection.close();
            write(connection, "too late");
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"TASK", "INPUT_CLOSED", "DRAINING"})
    void callbackEndsTheOutputBehindWritesThatHadReturned(Kind kind) throws Exception {
        assertEndsWith("1", kind, connection -> {
            elsewhere(other -> write(other, "1"), connection);
            connection.shutdownOutput();
        });
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "TASK")
    void callbackWritesNothingBehindAnothersClose(Kind kind) throws Exception {
        assertEndsWith("1", kind, connection -> {
            write(connection, "1");
            elsewhere(Connection::close, connection);
            write(connection, "2");
        });
    }

    @Test
    void writeBehindATaskGoesOutBeforeTheWorkThatTheCallbackHandsAway() throws Exception {
        LaterExecutor later = new LaterExecutor();
        Recorder recorder = new Recorder(new ActingOnce(Kind.DATA, connection -> {
            elsewhere(other -> other.execute(() -> write(other, "2")), connection);
            write(connection, "1");
            connection.offload(later, () -> "3", (own, text) -> write(own, text));
        }));
        TestClient client = client(startWithLowWatermarks().listen(recorder)).send("x");
        client.expect("1");
        later.doNext();
        client.expect("23").endOutput().expectEnd();
    }

    @Test
    void pauseOfACallbackStandsBehindAnothersResumeThatHadReturned() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            calls.incrementAndGet();
            elsewhere(
                    other -> {
                        other.execute(() -> write(connection, "1"));
                        other.resumeReading();
                    },
                    connection);
            connection.pauseReading();
        });
        TestClient client = client(start().listen(recorder)).send("a");
        client.expect("1").send("b");
        Connection connection = recorder.connection();
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Integer> before = new CompletableFuture<>();
            connection.execute(() -> before.complete(calls.get()));
            assertEquals(1, before.get());
        }
        connection.resumeReading();
        client.expect("1");
        assertEquals(2, calls.get());
    }

    /** The task asks for more when the callback, which did not know of the task yet, has paused. */
    @Test
    void resumeInATaskStandsBehindThePauseOfTheCallbackBeforeIt() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            elsewhere(other -> other.execute(connection::resumeReading), connection);
            connection.pauseReading();
            write(connection, "1");
        });
        TestClient client = client(start().listen(recorder)).send("a");
        client.expect("1").send("b").expect("1");
    }

    /** Each round another thread writes and then has the handler answer, by a word or by a task: the answer is behind the write. */
    @Test
    void answersStandBehindTheWritesThatTheyFollow() throws Exception {
        int rounds = 300;
        AtomicInteger told = new AtomicInteger();
        ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
        Recorder recorder = new Recorder((connection, data) -> {
            while (data.hasRemaining()) {
                data.get();
                write(connection, "(" + told.get() + ")");
            }
        });
        TestClient client = client(start().listen(recorder));
        Connection connection = recorder.connection();
        TestThread writer = TestThread.start("writer", () -> {
            for (int i = 1; i <= rounds; i++) {
                if (i % 3 == 0) {
                    String text = "[" + i + "]";
                    connection.execute(() -> write(connection, text));
                } else {
                    write(connection, "[" + i + "]");
                }
                told.set(i);
                Thread.yield();
            }
        });
        for (int i = 0; i < rounds; i++) {
            client.send("x");
        }
        writer.join();
        client.send("x");
        int written = 0;
        for (int answers = 0; answers <= rounds; ) {
            String word = client.readWord();
            int number = Integer.parseInt(word.substring(1, word.length() - 1));
            if (word.startsWith("[")) {
                written = number;
            } else {
                answers++;
                if (number > written) {
                    wrong.add(word + " before [" + number + "]");
                }
            }
        }
        assertEquals(List.of(), List.copyOf(wrong));
    }
}
