package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.IdleTimeoutException;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
import org.junit.jupiter.api.Test;

/** The end of a connection and of its reactor while work that a callback handed away is under way. */
public abstract class OffloadEndContract extends StreamContract {
    private final LaterExecutor later = new LaterExecutor();

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
        Recorder recorder = new Recorder(new AnswerByOffload(later));
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
        Recorder recorder = new Recorder(new AnswerByOffload(later));
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
        Duration idle = idleTime(50);
        TestReactor reactor = start(StreamReactor.builder().timeouts(StreamTimeouts.DEFAULT.withIdle(idle)));
        // At once: a client that has to say something first could come too late, if its thread stands still.
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                connection.offload(later, () -> "x!", (own, answer) -> own.write(Recorder.bytes(answer)));
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.abort();
            }
        });
        TestClient client = client(reactor.listen(recorder));
        Runnable work = later.take();
        long begunNs = System.nanoTime();
        Await.until("the idle time is long over", () -> System.nanoTime() - begunNs > 3 * idle.toNanos());
        work.run();
        client.expectToEnd("x!");
        assertInstanceOf(IdleTimeoutException.class, recorder.awaitClosed(), "afterwards it runs again");
    }

    @Test
    void resetEndsTheConnectionThoughTheCallbackThatHandedWorkAwayWaits() throws Exception {
        CompletableFuture<Reply<String>> asked = new CompletableFuture<>();
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.offload(later, () -> "", (own, nothing) -> {});
            Reply<String> reply = connection.newReply();
            asked.complete(reply);
            reply.await(Duration.ofNanos(Await.PATIENCE_NS));
        });
        TestClient client = client(serve(recorder)).send("x");
        Reply<String> reply = asked.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        client.reset();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
        reply.complete("");
    }

    // ---- the end of the reactor ----

    private static CompletableFuture<Void> close(TestReactor reactor) {
        return CompletableFuture.runAsync(reactor::close, task -> new Thread(task).start());
    }

    @Test
    void drainWaitsForTheWorkAndItsAnswer() throws Exception {
        TestReactor reactor = start();
        Recorder recorder = new Recorder(new AnswerByOffload(later));
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
        Recorder recorder = new Recorder(new AnswerByOffload(later));
        TestClient client = client(reactor.listen(recorder)).send("x");
        Runnable work = later.take();
        reactor.close();
        client.expectReset();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
        work.run();
        assertEquals(List.of("opened", "data", "closed"), recorder.calls());
    }
}
