package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.WriteCompletion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Completions of writes: their order, their outcome, and their relation to everything else that happens to a connection. */
public abstract class WriteCompletionContract extends StreamContract {
    /** More than the buffers of both sockets take, so that bytes stay queued until the client reads. */
    private static final int LARGE = 8 << 20;

    private static final StreamLimits LIMITS = StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, 32 << 20);

    /** Events in their order. */
    private final List<String> events = new CopyOnWriteArrayList<>();

    /** Failures that completions were given; null is noted as "none". */
    private final List<Object> failures = new CopyOnWriteArrayList<>();

    private WriteCompletion noting(String name) {
        return (connection, failure) -> {
            events.add(failure == null ? name : name + " failed");
            failures.add(failure == null ? "none" : failure);
        };
    }

    private TestReactor startWithLargeQueues() throws Exception {
        return start(StreamReactor.builder().limits(LIMITS).drainTimeout(PATIENT_DRAIN));
    }

    private static Throwable failureOf(CompletableFuture<Void> written) throws Exception {
        return assertThrows(ExecutionException.class, () -> written.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS))
                .getCause();
    }

    private void awaitEvents(String... expected) {
        Await.until(expected.length + " events", () -> events.size() >= expected.length);
        assertEquals(List.of(expected), events);
    }

    @Test
    void completionIsACallbackAfterThePresentOne() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.whenWritten(noting("nothing written"));
            connection.write(Recorder.bytes("answer"));
            connection.whenWritten((own, failure) -> {
                assertSame(connection, own);
                assertTrue(own.isInCallback());
                events.add("answer written");
                own.write(Recorder.bytes("!"));
                own.whenWritten(noting("further written"));
                events.add("completion returns");
            });
            events.add("callback returns");
        });
        client(serve(recorder)).send("x").expect("answer!");
        awaitEvents("callback returns", "nothing written", "answer written", "completion returns", "further written");
    }

    @Test
    void completionsWaitForTheSocketAndComeInOrder() throws Exception {
        byte[] first = randomBytes(LARGE, 1);
        byte[] second = randomBytes(LARGE / 4, 2);
        AtomicReference<Long> queuedAtFirst = new AtomicReference<>();
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                if (data.get() == 'w') {
                    connection.write(ByteBuffer.wrap(first));
                    connection.whenWritten((own, failure) -> {
                        queuedAtFirst.set(own.queuedBytes());
                        events.add("first");
                    });
                    connection.write(ByteBuffer.wrap(second));
                    connection.whenWritten(noting("second"));
                }
            }
        });
        TestReactor reactor = startWithLargeQueues();
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("w");
        Await.until("bytes are queued", () -> recorder.connectionNow().queuedBytes() > second.length + LARGE / 8);
        assertEquals(List.of(), events);
        assertArrayEquals(first, client.read(first.length));
        assertArrayEquals(second, client.read(second.length));
        awaitEvents("first", "second");
        long most = second.length + second.length / 16; // with what TLS adds
        assertTrue(queuedAtFirst.get() <= most, "queued at the first completion: " + queuedAtFirst.get());
    }

    /** Many more pieces than rounds of one processing. */
    @ParameterizedTest
    @ValueSource(ints = {10, 96 << 10})
    void endlessSourceWritesWheneverItsLastPieceIsTaken(int piece) throws Exception {
        byte[] all = randomBytes(100 * piece, 3);
        Recorder recorder = new Recorder(new ConnectionHandler() {
            private int next;

            private void pump(Connection connection, Throwable failure) {
                if (next < all.length && failure == null) {
                    connection.write(ByteBuffer.wrap(all, next, piece));
                    next += piece;
                    connection.whenWritten(this::pump);
                } else {
                    events.add("end " + failure);
                }
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                data.position(data.limit());
                pump(connection, null);
            }
        });
        TestClient client = client(serve(recorder));
        assertArrayEquals(all, client.send("go").read(all.length));
        awaitEvents("end null");
    }

    @Test
    void otherThreadsCompletionsComeInTheOrderOfTheirCalls() throws Exception {
        Recorder recorder = new Recorder();
        TestClient client = client(serve(recorder));
        Connection connection = recorder.connection();
        StringBuilder expected = new StringBuilder();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            String text = i + ",";
            expected.append(text);
            connection.write(Recorder.bytes(text));
            connection.whenWritten(noting(text));
            names.add(text);
        }
        CompletableFuture<Void> last = WriteCompletion.future(connection);
        client.expect(expected.toString());
        last.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        assertEquals(names, events);
    }

    @Test
    void abortFailsWhatWasNotTaken() throws Exception {
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                data.position(data.limit());
                connection.whenWritten(noting("before"));
                connection.write(ByteBuffer.allocate(LARGE));
                connection.whenWritten(noting("large"));
                connection.whenWritten(noting("behind"));
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                events.add("closed");
            }
        });
        TestReactor reactor = startWithLargeQueues();
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("x");
        Await.until("bytes are queued", () -> events.contains("before"));
        recorder.connection().abort();
        awaitEvents("before", "large failed", "behind failed", "closed");
        assertInstanceOf(IOException.class, failures.get(1));
        assertTrue(((IOException) failures.get(1)).getMessage().contains("aborted"), failures::toString);
    }

    @Test
    void resetByThePeerFailsWithItsCause() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(ByteBuffer.allocate(LARGE));
            connection.whenWritten(noting("large"));
        });
        TestReactor reactor = startWithLargeQueues();
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("x");
        Await.until("bytes are queued", () -> recorder.connectionNow().queuedBytes() > LARGE / 8);
        client.reset();
        assertSame(recorder.awaitClosed(), failures.get(0));
        assertEquals(List.of("large failed"), events);
    }

    @Test
    void closeAndEndOfOutputCompleteWhatWasWrittenBeforeThem() throws Exception {
        for (boolean wholeClose : new boolean[] {true, false}) {
            events.clear();
            failures.clear();
            Recorder recorder = new Recorder((connection, data) -> {
                data.position(data.limit());
                connection.write(ByteBuffer.allocate(LARGE));
                connection.whenWritten(noting("before"));
                if (wholeClose) {
                    connection.close();
                } else {
                    connection.shutdownOutput();
                }
                connection.whenWritten(noting("behind"));
                connection.write(Recorder.bytes("dropped"));
                connection.whenWritten(noting("dropped"));
            });
            TestReactor reactor = startWithLargeQueues();
            TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
            client.send("x");
            assertEquals(LARGE, client.readToEnd().length);
            awaitEvents("before", "behind", "dropped failed");
            assertTrue(failures.get(2).toString().contains("dropped"), failures::toString);
            client.endOutput();
            assertNull(recorder.awaitClosed());
        }
    }

    @Test
    void connectionThatIsGoneRefusesCompletions() throws Exception {
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                data.position(data.limit());
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                assertThrows(RejectedExecutionException.class, () -> connection.whenWritten(noting("late")));
                events.add("refused");
            }
        });
        TestClient client = client(serve(recorder));
        Connection connection = recorder.connection();
        client.endOutput().expectEnd();
        recorder.awaitClosed();
        assertThrows(RejectedExecutionException.class, () -> connection.whenWritten(noting("late")));
        assertInstanceOf(RejectedExecutionException.class, failureOf(WriteCompletion.future(connection)));
        assertEquals(List.of("refused"), events);
    }

    @Test
    void completionsAreBounded() throws Exception {
        AtomicInteger completed = new AtomicInteger();
        CompletableFuture<Throwable> refusal = new CompletableFuture<>();
        Recorder recorder = new Recorder((connection, data) -> {
            if (data.get() != 'x') {
                return;
            }
            connection.write(ByteBuffer.allocate(LARGE));
            for (int i = 0; i < WriteCompletion.PENDING_MAX; i++) {
                connection.whenWritten((own, failure) -> completed.incrementAndGet());
            }
            refusal.complete(
                    assertThrows(RejectedExecutionException.class, () -> connection.whenWritten(noting("too many"))));
        });
        TestReactor reactor = startWithLargeQueues();
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("x");
        String message = refusal.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS).getMessage();
        assertTrue(message.contains(WriteCompletion.PENDING_MAX + " write completions"), message);
        assertInstanceOf(RejectedExecutionException.class, failureOf(WriteCompletion.future(recorder.connection())));
        client.read(LARGE);
        Await.until("all are completed", () -> completed.get() == WriteCompletion.PENDING_MAX);
        WriteCompletion.future(recorder.connection()).get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        assertEquals(List.of(), events);
    }

    @Test
    void completionWaitsForOffloadedWork() throws Exception {
        LaterExecutor later = new LaterExecutor();
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(Recorder.bytes("first"));
            connection.whenWritten(noting("first"));
            connection.offload(later, () -> "second", (own, text) -> {
                events.add("continuation");
                own.write(Recorder.bytes(text));
                own.whenWritten(noting("second"));
            });
        });
        TestClient client = client(serve(recorder)).send("x").expect("first");
        Runnable work = later.take();
        CountDownLatch passed = new CountDownLatch(1);
        CompletableFuture<Void> asked = WriteCompletion.future(recorder.connection());
        asked.thenRun(passed::countDown);
        assertEquals(List.of(), events);
        work.run();
        client.expect("second");
        passed.await();
        awaitEvents("continuation", "first", "second");
    }

    @Test
    void completionComesDuringANestedWait() throws Exception {
        AtomicReference<Reply<String>> reply = new AtomicReference<>();
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            reply.set(connection.newReply());
            connection.write(Recorder.bytes("waits"));
            connection.whenWritten((own, failure) -> {
                events.add("written");
                reply.get().complete("goes on");
            });
            connection.write(Recorder.bytes(reply.get().await(Duration.ofNanos(Await.PATIENCE_NS))));
            connection.whenWritten(noting("by mail"));
        });
        client(serve(recorder)).send("x").expect("waitsgoes on");
        awaitEvents("written", "by mail");
    }

    @Test
    void completionThatThrowsClosesTheConnectionAndFailsTheOthers() throws Exception {
        IllegalStateException thrown = new IllegalStateException("of the completion");
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.whenWritten((own, failure) -> {
                throw thrown;
            });
            connection.write(ByteBuffer.allocate(LARGE));
            connection.whenWritten(noting("large"));
        });
        TestReactor reactor = startWithLargeQueues();
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("x");
        assertSame(thrown, recorder.awaitClosed());
        assertEquals(List.of(thrown), failures);
        assertEquals(1, reactor.failureCount());
    }

    @Test
    void completionComesBeforeAMove() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(2).limits(LIMITS));
        AtomicReference<CompletableFuture<Boolean>> moved = new AtomicReference<>();
        List<Integer> shards = new CopyOnWriteArrayList<>();
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(ByteBuffer.allocate(LARGE));
            int other = 1 - connection.shard();
            shards.add(connection.shard());
            moved.set(connection.moveTo(other));
            connection.whenWritten((own, failure) -> shards.add(own.shard()));
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("x").read(LARGE);
        assertTrue(moved.get().get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        assertEquals(List.of(shards.get(0), shards.get(0)), shards);
        Connection connection = recorder.connection();
        assertEquals(1 - shards.get(0), connection.shard());
        connection.write(Recorder.bytes("there"));
        CompletableFuture<Void> there = WriteCompletion.future(connection);
        client.expect("there");
        there.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
    }

    @Test
    void drainCompletesWhatThePeerTakes() throws Exception {
        TestReactor reactor = startWithLargeQueues();
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(ByteBuffer.allocate(LARGE));
            connection.whenWritten(noting("large"));
        });
        SocketAddress address = reactor.listen(recorder);
        TestClient client = closing(mode().connectToReadLittle(address));
        client.send("x");
        Await.until("bytes are queued", () -> recorder.connectionNow().queuedBytes() > LARGE / 8);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> {
            try {
                reactor.close();
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
        assertEquals(LARGE, client.readToEnd().length);
        client.endOutput();
        closed.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        assertEquals(List.of("large"), events);
    }

    @Test
    void endOfTheReactorFailsWhatThePeerDoesNotTake() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().limits(LIMITS).drainTimeout(Duration.ofMillis(50)));
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(ByteBuffer.allocate(LARGE));
            connection.whenWritten(noting("large"));
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("x");
        Await.until("bytes are queued", () -> recorder.connectionNow().queuedBytes() > LARGE / 8);
        reactor.close();
        assertNotNull(recorder.awaitClosed());
        assertEquals(List.of(recorder.awaitClosed()), failures);
    }

    /** The bytes of a completion go out before the work that it hands away; the continuation writes behind them. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void completionThatWritesAndHandsWorkAwayLosesNothing(boolean offloadsFirst) throws Exception {
        LaterExecutor later = new LaterExecutor();
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(Recorder.bytes("1"));
            connection.whenWritten((own, failure) -> {
                if (offloadsFirst) {
                    own.offload(later, () -> "3", (same, text) -> same.write(Recorder.bytes(text)));
                    own.write(Recorder.bytes("2"));
                } else {
                    own.write(Recorder.bytes("2"));
                    own.offload(later, () -> "3", (same, text) -> same.write(Recorder.bytes(text)));
                }
            });
        });
        TestClient client = client(serve(recorder));
        for (int round = 0; round < 3; round++) {
            client.send("x").expect("12");
            later.doNext();
            client.expect("3");
        }
    }

    @Test
    void completionThatWritesAndWaitsLosesNothing() throws Exception {
        AtomicReference<CompletableFuture<Reply<String>>> replies = new AtomicReference<>(new CompletableFuture<>());
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(Recorder.bytes("1"));
            connection.whenWritten((own, failure) -> {
                own.write(Recorder.bytes("2"));
                Reply<String> reply = own.newReply();
                replies.get().complete(reply);
                own.write(Recorder.bytes(reply.await(Duration.ofNanos(Await.PATIENCE_NS))));
            });
        });
        TestClient client = client(serve(recorder)).send("x").expect("12");
        replies.get().get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS).complete("3");
        client.expect("3");
    }
}
