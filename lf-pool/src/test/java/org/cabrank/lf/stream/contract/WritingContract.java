package org.cabrank.lf.stream.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.UnaryOperator;
import org.cabrank.lf.stream.Connection;
import org.cabrank.lf.stream.ConnectionHandler;
import org.cabrank.lf.stream.StreamLimits;
import org.cabrank.lf.stream.StreamReactor;
import org.cabrank.lf.stream.WriteQueueFullException;
import org.junit.jupiter.api.Test;

/** What goes out: from which thread, out of which buffer, and what happens when the peer does not take it. */
public abstract class WritingContract extends StreamContract {
    private static final int LARGE = 3 << 20;

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
    void whatIsWrittenAfterCloseIsDropped() throws Exception {
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
            assertThrows(WriteQueueFullException.class, () -> connection.write(tooMuch));
            outcome.add("left " + tooMuch.remaining());
            connection.write(Recorder.bytes("small"));
            queued.complete(connection.queuedBytes());
        }));
        client.send("go").expect("small");
        assertEquals(List.of("left 100001"), outcome);
        assertEquals(5, queued.get());
        assertEquals(1, reactor.queueFullCount());
    }

    @Test
    void fullQueueRefusesAnotherThreadsWriteToo() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            entered.countDown();
            leave.await();
        });
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(1 << 10, 64 << 10, 100_000)));
        TestClient client = client(reactor.listen(recorder)).send("go");
        entered.await();
        Connection connection = recorder.connection();
        connection.write(ByteBuffer.allocate(60_000));
        ByteBuffer tooMuch = ByteBuffer.allocate(60_000);
        assertThrows(WriteQueueFullException.class, () -> connection.write(tooMuch));
        assertEquals(60_000, tooMuch.remaining());
        assertEquals(60_000, connection.queuedBytes());
        assertEquals(1, reactor.queueFullCount());
        leave.countDown();
        client.read(60_000);
        Await.until("there is room again", () -> connection.queuedBytes() == 0);
        connection.write(tooMuch);
        client.read(60_000);
    }

    /** A source without an end that writes whenever it is told that there is room. */
    private static final class Source implements ConnectionHandler {
        private static final int PIECE = 32 << 10;
        private long left;
        volatile long queuedMax;

        Source(long bytes) {
            left = bytes;
        }

        private void pump(Connection connection) {
            while (left > 0 && connection.queuedBytes() <= 128 << 10) {
                int count = (int) Math.min(left, PIECE);
                connection.write(ByteBuffer.allocate(count));
                left -= count;
                queuedMax = Math.max(queuedMax, connection.queuedBytes());
            }
        }

        @Override
        public void opened(Connection connection) {
            pump(connection);
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            data.position(data.limit());
        }

        @Override
        public void writable(Connection connection) {
            pump(connection);
        }
    }

    @Test
    void writableIsCalledWheneverTheQueueHasFallen() throws Exception {
        long count = 16 << 20;
        Source source = new Source(count);
        Recorder recorder = new Recorder(source);
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(32 << 10, 128 << 10, 1 << 20)));
        TestClient client = closing(TestClient.connectToReadLittle(reactor.listen(recorder)));
        Await.until("the queue is above the low watermark", () -> queued(recorder) > 32 << 10);
        client.read((int) count);
        assertTrue(recorder.count("writable") >= 1, recorder.calls()::toString);
        assertTrue(source.queuedMax <= (128 << 10) + Source.PIECE, "queued at most " + source.queuedMax);
    }

    @Test
    void aboveTheHighWatermarkReadingPauses() throws Exception {
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(32 << 10, 64 << 10, 16 << 20)));
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(ByteBuffer.allocate(8 << 20));
        });
        TestClient client = closing(TestClient.connectToReadLittle(reactor.listen(recorder)));
        client.send("a");
        Await.until("the queue is long", () -> queued(recorder) > 64 << 10);
        client.send("b");
        CountDownLatch ran = new CountDownLatch(1);
        recorder.connection().execute(ran::countDown);
        ran.await();
        assertEquals(1, recorder.count("data"));
        client.read(8 << 20);
        Await.until("reading goes on", () -> recorder.count("data") == 2);
        assertTrue(recorder.count("writable") >= 1);
        client.read(8 << 20);
    }

    private static long queued(Recorder recorder) {
        try {
            return recorder.connection().queuedBytes();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void peerThatNeverReadsCostsBoundedMemoryAndNobodyElseAnything() throws Exception {
        long limit = 512 << 10;
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, limit)));
        Recorder recorder = new Recorder((connection, data) -> connection.write(data));
        SocketAddress address = reactor.listen(recorder);
        TestClient deaf = closing(TestClient.connectToReadLittle(address));
        deaf.channel().configureBlocking(false);
        ByteBuffer flood = ByteBuffer.allocate(256 << 10);
        long[] queuedBefore = {0};
        int[] looksAtRest = {0};
        // The socket may take some of the queue after reading has paused: what counts is that nothing moves any more.
        Await.until("the peer can send no more", () -> {
            try {
                flood.clear();
                boolean sent = deaf.channel().write(flood) > 0;
                boolean rests = !sent && queued(recorder) == queuedBefore[0] && queuedBefore[0] > 64 << 10;
                queuedBefore[0] = queued(recorder);
                looksAtRest[0] = rests ? looksAtRest[0] + 1 : 0;
                return looksAtRest[0] >= 20;
            } catch (java.io.IOException e) {
                throw new AssertionError(e);
            }
        });
        assertTrue(queued(recorder) <= limit, "queued: " + queued(recorder));
        assertTrue(reactor.chunksInUse() <= limit / (16 << 10) + 1, "chunks: " + reactor.chunksInUse());
        client(address).send("others").expect("others");
        deaf.reset();
        recorder.awaitClosed();
        Await.until("its memory is free", () -> reactor.chunksInUse() == 0);
    }
}
