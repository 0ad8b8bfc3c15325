package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
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
    void whatACallbackWritesGoesOutBeforeTheWorkThatItHandsAway(Kind kind) throws Exception {
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
    void whatACallbackWritesGoesOutBeforeItWaits(Kind kind) throws Exception {
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
}
