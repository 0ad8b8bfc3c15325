package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;

/** Writers and memory when the peer takes less than it is sent: the watermarks of the queue. */
public abstract class WatermarkContract extends StreamContract {
    private static final int PIECE = 10_000;

    /** An endless source that writes whenever it is notified of room. */
    private static final class Source implements ConnectionHandler {
        private static final int PIECE = 32 << 10;

        /** Largest size of a queued piece: through TLS, each of its two records has a header and a tag. */
        private static final int PIECE_QUEUED = PIECE + 2 * 64;

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
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        Await.until("the queue is above the low watermark", () -> queued(recorder) > 32 << 10);
        client.read((int) count);
        assertTrue(recorder.count("writable") >= 1, recorder.calls()::toString);
        assertTrue(source.queuedMax <= (128 << 10) + Source.PIECE_QUEUED, "queued at most " + source.queuedMax);
    }

    /**
     * A task fills the queue at a moment at which the peer has made room already, so that the socket takes it in the same breath:
     * nothing is left of it when the watermarks are checked, and yet the handler has stopped and waits for a notification.
     */
    @Test
    void writableIsCalledThoughTheQueueHasFallenAtOnce() throws Exception {
        assumeTrue(mode().threads() > 1, "another thread has to learn of the room while this one is busy");
        int piece = 32 << 10;
        AtomicLong written = new AtomicLong();
        CountDownLatch full = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            while (connection.queuedBytes() == 0) {
                connection.write(ByteBuffer.allocate(piece));
                connection.flush();
                written.addAndGet(piece);
            }
            full.countDown();
            goOn.await();
        });
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(32 << 10, 128 << 10, 1 << 20)));
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("go");
        full.await();
        Connection connection = recorder.connection();
        // Through TLS, a record of which a part is queued cannot be read.
        int taken = (int) Math.max(0, written.get() - connection.queuedBytes() - piece);
        client.read(taken);
        // Another connection is served by the same threads, so one of them has been told of the room before.
        client(reactor.listen((other, data) -> other.write(data))).send("x").expect("x");
        CountDownLatch stopped = new CountDownLatch(1);
        connection.execute(() -> {
            while (connection.queuedBytes() <= 128 << 10) {
                connection.write(ByteBuffer.allocate(piece));
                written.addAndGet(piece);
            }
            stopped.countDown();
        });
        goOn.countDown();
        stopped.await();
        client.read((int) written.get() - taken);
        Await.until("the handler is told", () -> recorder.count("writable") > 0);
    }

    /** It counts from the call of write on, though the socket takes all of it when it gets so far. */
    @Test
    void writableIsCalledForWhatAnotherThreadHasQueued() throws Exception {
        HeldHandler held = new HeldHandler();
        Recorder recorder = new Recorder(held);
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(32 << 10, 128 << 10, 1 << 20)));
        TestClient client = client(reactor.listen(recorder)).send("go");
        held.awaitEntered();
        Connection connection = recorder.connection();
        int written = 0;
        while (connection.queuedBytes() <= 128 << 10) {
            connection.write(ByteBuffer.allocate(10_000));
            written += 10_000;
        }
        assertEquals(0, recorder.count("writable"));
        held.release();
        client.read(written);
        Await.until("the handler is told", () -> recorder.count("writable") > 0);
    }

    /** Writers inside and outside of callbacks stop when the connection is not writable, and lose no notification. */
    @Test
    void writersThatAskBeforeEachWriteSendAllBytes() throws Exception {
        int count = 8 << 20;
        AtomicLong left = new AtomicLong(count);
        ConnectionHandler source = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                data.position(data.limit());
                pump(connection, left);
            }

            @Override
            public void writable(Connection connection) {
                Thread other = new Thread(() -> pump(connection, left)); // each second round is that of another thread
                if (left.get() / PIECE % 2 == 0) {
                    other.start();
                } else {
                    pump(connection, left);
                }
            }
        };
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(32 << 10, 128 << 10, 1 << 20)));
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(source)));
        client.send("go").read(count);
    }

    private static void pump(Connection connection, AtomicLong left) {
        while (connection.isWritable()) {
            long before = left.getAndUpdate(bytes -> Math.max(0, bytes - PIECE));
            if (before == 0) {
                return;
            }
            connection.write(ByteBuffer.allocate((int) Math.min(before, PIECE)));
        }
    }

    @Test
    void aboveTheHighWatermarkReadingPauses() throws Exception {
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(32 << 10, 64 << 10, 16 << 20)));
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(ByteBuffer.allocate(8 << 20));
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("a");
        Await.until("the queue is long", () -> queued(recorder) > 64 << 10);
        client.send("b");
        CountDownLatch ran = new CountDownLatch(1);
        recorder.connection().execute(ran::countDown);
        ran.await();
        assertEquals(1, recorder.count("data"));
        assertEquals(1, reactor.reactor().counters().readingPauses());
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
    void peerThatNeverReadsCostsBoundedMemoryAndDelaysNoOtherConnection() throws Exception {
        long limit = 512 << 10;
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, limit)));
        Recorder recorder = new Recorder((connection, data) -> connection.write(data));
        SocketAddress address = reactor.listen(recorder);
        TestClient deaf = closing(mode().connectToReadLittle(address));
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
