package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.stream.AttachmentKey;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.DeadlineException;
import org.cabrank.stream.IdleTimeoutException;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
import org.junit.jupiter.api.Test;

/** Time limits that traffic does not renew: the deadline that a handler sets, and that of the close. */
public abstract class DeadlineContract extends StreamContract {
    private static final Duration SHORT = Duration.ofMillis(50);

    private final LaterExecutor later = new LaterExecutor();

    /** Sets a deadline, and then another, as the connection is opened. */
    private record WithDeadlines(Duration first, Duration second) implements ConnectionHandler {
        @Override
        public void opened(Connection connection) {
            connection.deadline(first);
            connection.deadline(second);
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            connection.write(data);
        }
    }

    /** Sends a byte whenever the one before was answered, until the connection ends. */
    private static void dribble(TestClient client) {
        assertThrows(IOException.class, () -> {
            while (client.channel().read(ByteBuffer.allocate(1)) >= 0) {
                client.send("x");
            }
            throw new IOException("an orderly end");
        });
    }

    @Test
    void deadlineIsNotRenewedByTraffic() throws Exception {
        Recorder recorder = new Recorder(new WithDeadlines(Duration.ofDays(1), SHORT));
        dribble(client(serve(recorder)).send("x"));
        assertInstanceOf(DeadlineException.class, recorder.awaitClosed());
    }

    @Test
    void deadlineMayBeRemoved() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().timeouts(StreamTimeouts.DEFAULT.withIdle(idleTime(100))));
        Recorder recorder = new Recorder(new WithDeadlines(SHORT, StreamTimeouts.NEVER));
        client(reactor.listen(recorder)).expectEnd();
        assertInstanceOf(IdleTimeoutException.class, recorder.awaitClosed());
    }

    @Test
    void deadlinePassesWhileReadingIsPaused() throws Exception {
        Recorder recorder = new Recorder();
        TestClient client = client(serve(recorder)).send("x");
        recorder.connection().pauseReading();
        recorder.connection().deadline(SHORT);
        client.readAndForget();
        assertInstanceOf(DeadlineException.class, recorder.awaitClosed());
    }

    /** Says a last word when its deadline has passed, or sets another one first. */
    private record Saying(int deadlinesMore) implements ConnectionHandler {
        private static final AttachmentKey<Integer> MORE = AttachmentKey.named("deadlines more");

        @Override
        public void opened(Connection connection) {
            connection.attach(MORE, deadlinesMore);
            connection.deadline(SHORT);
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            connection.write(data);
        }

        @Override
        public void deadlinePassed(Connection connection) {
            int more = connection.attachment(MORE);
            connection.attach(MORE, more - 1);
            connection.write(ByteBuffer.wrap(new byte[] {'!'}));
            if (more > 0) {
                connection.deadline(SHORT);
            } else {
                connection.close();
            }
        }
    }

    @Test
    void handlerMayAnswerWhenTheDeadlinePasses() throws Exception {
        Recorder recorder = new Recorder(new Saying(0));
        TestClient client = client(serve(recorder));
        client.expect("!");
        client.expectEnd();
        client.close();
        assertNull(recorder.awaitClosed(), "an orderly close");
    }

    @Test
    void handlerMaySetAnotherDeadlineWhenOnePasses() throws Exception {
        Recorder recorder = new Recorder(new Saying(2));
        TestClient client = client(serve(recorder));
        client.expect("!!!");
        client.expectEnd();
    }

    @Test
    void deadlineOutOfRangeIsRefused() throws Exception {
        Recorder recorder = new Recorder();
        client(serve(recorder));
        Connection connection = recorder.connection();
        assertThrows(IllegalArgumentException.class, () -> connection.deadline(Duration.ofNanos(1)));
        assertThrows(IllegalArgumentException.class, () -> connection.deadline(Duration.ofDays(400)));
    }

    @Test
    void peerThatTakesTheLastAnswerByteByByteIsResetAtTheTotalTimeOfTheClose() throws Exception {
        int answer = 5 << 20;
        StreamTimeouts timeouts = StreamTimeouts.DEFAULT
                .withClose(Duration.ofNanos(Await.PATIENCE_NS))
                .withCloseTotal(SHORT);
        TestReactor reactor = start(StreamReactor.builder()
                .limits(StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, answer))
                .timeouts(timeouts));
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(ByteBuffer.allocate(answer));
            connection.close();
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("go");
        assertThrows(IOException.class, () -> {
            for (int taken = 0; taken < answer; taken++) {
                client.read(1); // more at a time, and the kernel may have taken the whole answer before the end
                if (recorder.isClosed()) {
                    throw new IOException("the end");
                }
            }
        });
        assertNotNull(recorder.awaitClosed(), "what was written is lost, and the handler must know");
    }

    @Test
    void handlerOfAnAbortedConnectionIsNotToldOfItsDeadline() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            connection.deadline(Duration.ofMillis(1));
            long setNs = System.nanoTime();
            Await.until("the deadline has passed", () -> System.nanoTime() - setNs > 2_000_000);
            TestThread.start("aborting", connection::abort).join();
        });
        client(serve(recorder)).send("x").expectReset();
        assertNull(recorder.awaitClosed());
        assertEquals(List.of("opened", "data", "closed"), recorder.calls());
    }

    @Test
    void deadlinePassesDuringWorkThatAContinuationHandsAwayBehindTheIdleTime() throws Exception {
        Duration idle = idleTime(50);
        TestReactor reactor = start(StreamReactor.builder().timeouts(StreamTimeouts.DEFAULT.withIdle(idle)));
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                connection.offload(later, () -> "", (own, nothing) -> {
                    own.deadline(SHORT);
                    own.offload(later, () -> "", (same, none) -> {});
                });
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                data.position(data.limit());
            }
        });
        client(reactor.listen(recorder));
        Runnable work = later.take();
        long begunNs = System.nanoTime();
        Await.until("the idle time is long over", () -> System.nanoTime() - begunNs > 3 * idle.toNanos());
        work.run();
        later.take(); // and never does it
        assertInstanceOf(DeadlineException.class, recorder.awaitClosed());
    }

    @Test
    void deadlinePassesDuringWorkThoughTheCallbackThatHandedItAwayWaits() throws Exception {
        CompletableFuture<Reply<String>> asked = new CompletableFuture<>();
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.deadline(SHORT);
            connection.offload(later, () -> "", (own, nothing) -> {});
            Reply<String> reply = connection.newReply();
            asked.complete(reply);
            reply.await(Duration.ofNanos(Await.PATIENCE_NS));
        });
        client(serve(recorder)).send("x");
        Reply<String> reply = asked.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        assertInstanceOf(DeadlineException.class, recorder.awaitClosed());
        reply.complete("");
    }

    @Test
    void deadlinePassesDuringWorkThatIsHandedAwayAsTheTimerOfAnEarlierDeadlineExpires() throws Exception {
        deadlinePassesBehindAnEarlierOne(false);
    }

    @Test
    void deadlinePassesDuringWorkAsTheTimerOfAnEarlierDeadlineExpiresThoughTheCallbackWaits() throws Exception {
        deadlinePassesBehindAnEarlierOne(true);
    }

    /** A task replaces the deadline but leaves its timer. The timer expires and more bytes come while the task runs. */
    private void deadlinePassesBehindAnEarlierOne(boolean waits) throws Exception {
        CompletableFuture<Reply<String>> asked = new CompletableFuture<>();
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch expired = new CountDownLatch(1);
        Recorder recorder = new Recorder((connection, data) -> {
            if (Recorder.text(data).equals("a")) {
                connection.deadline(SHORT);
                connection.execute(() -> {
                    connection.deadline(SHORT.multipliedBy(4));
                    busy.countDown();
                    Await.until("the timer has expired", () -> expired.getCount() == 0);
                });
                return;
            }
            connection.offload(later, () -> "never", (own, answer) -> {});
            if (waits) {
                asked.complete(connection.newReply());
                asked.join().await(Await.PATIENCE);
            }
        });
        TestClient client = client(serve(recorder)).send("a");
        busy.await();
        client.send("b");
        long sentNs = System.nanoTime();
        Await.until("the earlier deadline is over", () -> System.nanoTime() - sentNs > 2 * SHORT.toNanos());
        expired.countDown();
        assertInstanceOf(DeadlineException.class, recorder.awaitClosed());
        if (asked.isDone()) {
            asked.join().complete("");
        }
    }
}
