package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.WriteQueueFullException;
import org.junit.jupiter.api.Test;

/** Output: its thread, its buffer, and the case of a peer that does not take it. */
public abstract class WritingContract extends StreamContract {
    private static final int LARGE = 3 << 20;

    private final HeldHandler held = new HeldHandler();

    @Test
    void anotherThreadsWritesComeInTheirOrder() throws Exception {
        Recorder recorder = new Recorder();
        TestClient client = client(serve(recorder));
        Connection connection = recorder.connection();
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 1_000; i++) {
            connection.write(Recorder.bytes(i + ","));
            expected.append(i).append(',');
        }
        client.expect(expected.toString());
        Await.until("nothing is queued", () -> connection.queuedBytes() == 0);
    }

    @Test
    void anotherThreadsBufferIsConsumedWhenWriteReturns() throws Exception {
        Recorder recorder = new Recorder();
        TestClient client = client(serve(recorder));
        ByteBuffer buffer = Recorder.bytes("mine again");
        recorder.connection().write(buffer);
        assertFalse(buffer.hasRemaining());
        Arrays.fill(buffer.array(), (byte) '!');
        client.expect("mine again");
    }

    @Test
    void tasksRunInTheirOrderAndBetweenTheWrites() throws Exception {
        Recorder recorder = new Recorder();
        TestClient client = client(serve(recorder));
        Connection connection = recorder.connection();
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 600; i++) {
            String text = "t" + i + " ";
            if (i % 2 == 0) {
                connection.execute(() -> connection.write(Recorder.bytes(text)));
            } else {
                connection.write(Recorder.bytes(text));
            }
            expected.append(text);
        }
        client.expect(expected.toString());
    }

    @Test
    void nothingIsExecutedOrWrittenOnceTheConnectionIsGone() throws Exception {
        TestReactor reactor = start();
        Recorder recorder = new Recorder();
        client(reactor.listen(recorder)).endOutput().expectEnd();
        recorder.awaitClosed();
        Connection connection = recorder.connection();
        assertThrows(RejectedExecutionException.class, () -> connection.execute(() -> {}));
        for (int i = 0; i < 3; i++) {
            ByteBuffer dropped = ByteBuffer.allocate(LARGE); // together more than the queue's limit
            connection.write(dropped);
            assertFalse(dropped.hasRemaining());
        }
        assertEquals(0, connection.queuedBytes());
        connection.close();
        connection.abort();
        connection.pauseReading();
        connection.shutdownOutput();
    }

    @Test
    void bytesWrittenAfterCloseAreDropped() throws Exception {
        TestClient client = client(serve((connection, data) -> {
            data.position(data.limit());
            connection.write(Recorder.bytes("before"));
            connection.close();
            ByteBuffer after = Recorder.bytes("after");
            connection.write(after);
            assertFalse(after.hasRemaining());
        }));
        client.send("go").expectToEnd("before");
    }

    /** The same bytes from every kind of buffer, and all of them consumed. */
    private void arrivesWhole(UnaryOperator<ByteBuffer> made) throws Exception {
        for (int count : new int[] {1, 8_191, 8_192, 65_536, 65_537, 700_001, LARGE}) {
            byte[] bytes = randomBytes(count, count);
            CompletableFuture<Integer> left = new CompletableFuture<>();
            TestReactor reactor = start(
                    StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(1 << 10, 64 << 10, 2L * LARGE)));
            TestClient client = client(reactor.listen((connection, data) -> {
                data.position(data.limit());
                ByteBuffer buffer = made.apply(ByteBuffer.wrap(bytes));
                connection.write(Recorder.bytes("<"));
                connection.write(buffer);
                connection.write(Recorder.bytes(">"));
                left.complete(buffer.remaining());
            }));
            client.send("go").expect("<");
            assertArrayEquals(bytes, client.read(count), count + " bytes");
            client.expect(">");
            assertEquals(0, left.get());
        }
    }

    private static ByteBuffer direct(ByteBuffer bytes) {
        return ByteBuffer.allocateDirect(bytes.remaining()).put(bytes).flip();
    }

    /** The bytes in the middle of something larger. */
    private static ByteBuffer within(ByteBuffer room, ByteBuffer bytes) {
        int count = bytes.remaining();
        room.position(13).put(bytes).position(7);
        return room.slice().position(6).limit(6 + count);
    }

    @Test
    void bytesOfTheHeapArriveWhole() throws Exception {
        arrivesWhole(bytes -> bytes);
    }

    @Test
    void directBytesArriveWhole() throws Exception {
        arrivesWhole(WritingContract::direct);
    }

    @Test
    void readOnlyBytesArriveWhole() throws Exception {
        arrivesWhole(ByteBuffer::asReadOnlyBuffer);
        arrivesWhole(bytes -> direct(bytes).asReadOnlyBuffer());
    }

    @Test
    void slicesArriveWhole() throws Exception {
        arrivesWhole(bytes -> within(ByteBuffer.allocate(bytes.remaining() + 100), bytes));
        arrivesWhole(bytes -> within(ByteBuffer.allocateDirect(bytes.remaining() + 100), bytes));
    }

    @Test
    void flushSendsBeforeTheCallbackEnds() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        TestClient client = client(serve((connection, data) -> {
            data.position(data.limit());
            connection.write(Recorder.bytes("wait"));
            connection.flush();
            seen.await();
        }));
        client.send("go").expect("wait");
        seen.countDown();
    }

    @Test
    void fullQueueRefusesAWriteAndConsumesNothing() throws Exception {
        List<String> outcome = new ArrayList<>();
        CompletableFuture<Long> queued = new CompletableFuture<>();
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(1 << 10, 64 << 10, 100_000)));
        TestClient client = client(reactor.listen((connection, data) -> {
            data.position(data.limit());
            ByteBuffer tooMuch = ByteBuffer.allocate(100_001);
            var full = assertThrows(WriteQueueFullException.class, () -> connection.write(tooMuch));
            outcome.add("left " + tooMuch.remaining() + (full.mayRetry() ? "" : ", never fits"));
            connection.write(Recorder.bytes("small"));
            queued.complete(connection.queuedBytes());
        }));
        client.send("go").expect("small");
        assertEquals(List.of("left 100001, never fits"), outcome);
        assertEquals(5, queued.get());
        assertEquals(1, reactor.queueFullCount());
    }

    @Test
    void fullQueueRefusesAnotherThreadsWriteToo() throws Exception {
        Recorder recorder = new Recorder(held);
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(1 << 10, 64 << 10, 100_000)));
        TestClient client = client(reactor.listen(recorder)).send("go");
        held.awaitEntered();
        Connection connection = recorder.connection();
        connection.write(ByteBuffer.allocate(60_000));
        ByteBuffer tooMuch = ByteBuffer.allocate(60_000);
        assertThrows(WriteQueueFullException.class, () -> connection.write(tooMuch));
        assertEquals(60_000, tooMuch.remaining());
        assertEquals(60_000, connection.queuedBytes());
        assertEquals(1, reactor.queueFullCount());
        held.release();
        client.read(60_000);
        Await.until("there is room again", () -> connection.queuedBytes() == 0);
        connection.write(tooMuch);
        client.read(60_000);
    }

    /** Neither are all other threads' writes taken, however small, nor all tasks; what was taken is done, and nothing else. */
    @Test
    void fullMailboxRefusesTasksAndWritesUntilTheConnectionHasComeToThem() throws Exception {
        int max = 16;
        TestReactor reactor = start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withMailboxMax(max)));
        CountDownLatch writable = new CountDownLatch(1);
        AtomicInteger run = new AtomicInteger();
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) throws Exception {
                held.data(connection, data);
            }

            @Override
            public void writable(Connection connection) {
                writable.countDown();
            }
        });
        TestClient client = client(reactor.listen(recorder)).send("go");
        held.awaitEntered();
        Connection connection = recorder.connection();
        for (int i = 0; i < max / 2; i++) {
            connection.execute(run::incrementAndGet);
            connection.write(Recorder.bytes("y"));
        }
        assertThrows(RejectedExecutionException.class, () -> connection.execute(run::incrementAndGet));
        ByteBuffer refused = Recorder.bytes("z");
        assertTrue(assertThrows(WriteQueueFullException.class, () -> connection.write(refused))
                .mayRetry());
        assertEquals(1, refused.remaining());
        assertEquals(max / 2, connection.queuedBytes());
        assertEquals(2, reactor.queueFullCount());
        held.release();
        client.expect("y".repeat(max / 2));
        writable.await();
        assertEquals(max / 2, run.get());
        connection.write(refused);
        connection.execute(run::incrementAndGet);
        client.expect("z");
    }

    /** Answers a byte with a prefix and a write as large as the queue, and tries the latter again when there is room. */
    private static final class Retrying implements ConnectionHandler {
        private final int refusedBytes;
        private volatile boolean refused;

        Retrying(int refusedBytes) {
            this.refusedBytes = refusedBytes;
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            data.position(data.limit());
            connection.write(Recorder.bytes("first"));
            var full = assertThrows(
                    WriteQueueFullException.class, () -> connection.write(ByteBuffer.allocate(refusedBytes)));
            refused = full.mayRetry();
        }

        @Override
        public void writable(Connection connection) {
            if (refused) {
                connection.write(ByteBuffer.allocate(refusedBytes));
                refused = false;
            }
        }
    }

    @Test
    void writableFollowsARefusedWriteThoughNothingPassedTheHighWatermark() throws Exception {
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(1 << 10, 64 << 10, 100_000)));
        for (int bytes : new int[] {100_000, 99_996}) { // as large as the queue, and a byte too much behind the first
            TestClient client = client(reactor.listen(new Retrying(bytes)));
            client.send("go").expect("first").read(bytes);
        }
    }

    @Test
    void writableFollowsARefusedWriteOfAnotherThread() throws Exception {
        Recorder recorder = new Recorder(held);
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(1 << 10, 64 << 10, 100_000)));
        TestClient client = client(reactor.listen(recorder)).send("go");
        held.awaitEntered();
        Connection connection = recorder.connection();
        connection.write(ByteBuffer.allocate(60_000));
        for (int i = 0; i < 3; i++) {
            var full = assertThrows(WriteQueueFullException.class, () -> connection.write(ByteBuffer.allocate(60_000)));
            assertTrue(full.mayRetry());
        }
        var never = assertThrows(WriteQueueFullException.class, () -> connection.write(ByteBuffer.allocate(100_001)));
        assertFalse(never.mayRetry());
        held.release();
        client.read(60_000);
        Await.until("the handler is notified of the room", () -> recorder.count("writable") == 1);
        connection.write(ByteBuffer.allocate(60_000));
        client.read(60_000);
    }

    @Test
    void threadThatWritableNotifiesHasTheRoom() throws Exception {
        CompletableFuture<Void> written = new CompletableFuture<>();
        Connection connection = writingToAHeldOne(written);
        assertThrows(WriteQueueFullException.class, () -> connection.write(ByteBuffer.allocate(70_000)));
        held.release();
        written.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
    }

    @Test
    void threadThatACompletionNotifiesHasTheRoom() throws Exception {
        CompletableFuture<Void> written = new CompletableFuture<>();
        Connection connection = writingToAHeldOne(new CompletableFuture<>());
        connection.whenWritten((own, failure) -> writeByAnotherThread(own, written));
        held.release();
        written.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
    }

    /** A connection whose queue of 100,000 bytes will hold 40,000 when its callback is released. */
    private Connection writingToAHeldOne(CompletableFuture<Void> whenWritable) throws Exception {
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) throws Exception {
                held.data(connection, data);
            }

            @Override
            public void writable(Connection connection) throws Exception {
                writeByAnotherThread(connection, whenWritable);
            }
        });
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(1 << 10, 64 << 10, 100_000)));
        client(reactor.listen(recorder)).send("go");
        held.awaitEntered();
        recorder.connection().write(ByteBuffer.allocate(40_000));
        return recorder.connection();
    }

    /** Another thread writes 70,000 bytes during the present callback. */
    private static void writeByAnotherThread(Connection connection, CompletableFuture<Void> written) throws Exception {
        Thread writer = new Thread(() -> {
            try {
                connection.write(ByteBuffer.allocate(70_000));
                written.complete(null);
            } catch (Throwable failed) {
                written.completeExceptionally(failed);
            }
        });
        writer.start();
        writer.join();
    }
}
