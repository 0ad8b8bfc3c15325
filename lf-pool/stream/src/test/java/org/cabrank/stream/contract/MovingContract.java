package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.stream.AttachmentKey;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.IdleTimeoutException;
import org.cabrank.stream.ShardCounters;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.WriteQueueFullException;
import org.junit.jupiter.api.Test;

/** A connection that is moved to the other of two shards, for which the mode asks. */
public abstract class MovingContract extends StreamContract {
    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);

    private static final int MOVES = 3;

    /** Named bound: connections that are made for one that is moved so often before it is idle for too long. */
    private static final int ATTEMPTS_MAX = 20;

    static <T> T of(CompletableFuture<T> future) throws Exception {
        return future.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
    }

    private static String shardOfThread() {
        return Thread.currentThread().getName().replaceAll(".*-s(\\d+)-\\d+", "$1");
    }

    @Test
    void movedConnectionGoesOnInTheOtherShardAndBack() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            assertEquals(shardOfThread(), "" + connection.shard());
            connection.write(Recorder.bytes(shardOfThread()));
        });
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder));
        Connection connection = recorder.connection();
        for (int i = 0; i < 6; i++) {
            int before = Integer.parseInt(new String(client.send("?").read(1)));
            assertEquals(before, connection.shard());
            assertTrue(of(connection.moveTo(1 - before)));
            assertEquals(1 - before, connection.shard());
            client.send("?").expect("" + (1 - before));
        }
        client.endOutput().expectEnd();
        reactor.awaitClosed(1);
        assertEquals(0, recorder.overlaps());
        assertEquals(1, recorder.count("opened"));
        Await.until("the handler is told", () -> recorder.count("closed") == 1); // counted by the shard before
        List<ShardCounters> shards = reactor.reactor().shardCounters();
        assertEquals(6, shards.get(0).movedIn() + shards.get(1).movedIn());
        assertEquals(shards.get(0).movedIn(), shards.get(1).movedOut());
        assertEquals(
                List.of(0L, 0L), shards.stream().map(ShardCounters::connections).toList());
        assertEquals(12, shards.stream().mapToLong(ShardCounters::receivedBytes).sum());
        assertEquals(12, shards.stream().mapToLong(ShardCounters::sentBytes).sum());
        assertTrue(shards.stream().allMatch(shard -> shard.sentBytes() == 6), shards::toString);
    }

    @Test
    void moveToWhereItIsAndToNowhere() throws Exception {
        Recorder recorder = new Recorder(ECHO);
        client(start().listen(recorder)).send("x").expect("x");
        Connection connection = recorder.connection();
        assertTrue(of(connection.moveTo(connection.shard())));
        assertThrows(IllegalArgumentException.class, () -> connection.moveTo(2));
        assertThrows(IllegalArgumentException.class, () -> connection.moveTo(-1));
    }

    /** A callback's output is sent from its shard; later input may be processed there or in the other shard. */
    @Test
    void handlerMayMoveItsConnectionAtEveryCall() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            connection.moveTo(1 - connection.shard());
            connection.write(data);
            connection.write(Recorder.bytes(shardOfThread()));
        });
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder));
        StringBuilder shards = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            client.send("x").expect("x");
            shards.append((char) client.read(1)[0]);
        }
        assertTrue(shards.indexOf("01") >= 0 && shards.indexOf("10") >= 0, shards::toString);
        assertEquals(0, recorder.overlaps());
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void laterRequestTakesThePlaceOfOneThatWaits() throws Exception {
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        CompletableFuture<Boolean> second = new CompletableFuture<>();
        Recorder recorder = new Recorder((connection, data) -> {
            connection.moveTo(1 - connection.shard()).thenAccept(first::complete);
            connection.moveTo(connection.shard()).thenAccept(second::complete);
            connection.write(data);
        });
        client(start().listen(recorder)).send("x").expect("x");
        assertFalse(of(first));
        assertTrue(of(second));
    }

    /** Half a request that the handler has left unread is in front of the other half. */
    @Test
    void unreadBytesMoveWithTheConnection() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            if (data.remaining() == 10) {
                connection.write(data);
            }
        });
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder)).send("01234");
        Connection connection = recorder.connection();
        Await.until("half has been seen", () -> recorder.count("data") == 1);
        assertTrue(of(connection.moveTo(1 - connection.shard())));
        client.send("56789").expect("0123456789");
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void attachmentAndPausedReadingMoveAlong() throws Exception {
        AttachmentKey<Object> key = AttachmentKey.named("key");
        Object attachment = new Object();
        Recorder recorder = new Recorder((connection, data) -> {
            if (connection.attachment(key) == null) {
                connection.attach(key, attachment);
                connection.pauseReading();
            }
            assertSame(attachment, connection.attachment(key));
            connection.write(data);
        });
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder)).send("x").expect("x");
        Connection connection = recorder.connection();
        assertTrue(of(connection.moveTo(1 - connection.shard())));
        client.send("y");
        CompletableFuture<Integer> calls = new CompletableFuture<>();
        connection.execute(() -> calls.complete(recorder.count("data")));
        assertEquals(1, of(calls), "reading is paused still");
        connection.resumeReading();
        client.expect("y");
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void idleTimeoutGoesOnInTheOtherShard() throws Exception {
        TestReactor reactor =
                start(StreamReactor.builder().timeouts(StreamTimeouts.DEFAULT.withIdle(Duration.ofMillis(300))));
        int moves = 0;
        for (int attempt = 1; moves < MOVES && attempt <= ATTEMPTS_MAX; attempt++) {
            Recorder recorder = new Recorder(ECHO);
            long begunNs = System.nanoTime();
            TestClient client = client(reactor.listen(recorder));
            Connection connection = recorder.connection();
            // Refused, where a thread of this test or of the reactor stood still until the time was up: then once more.
            for (moves = 0; moves < MOVES && of(connection.moveTo(1 - connection.shard())); moves++) {
                continue;
            }
            assertInstanceOf(IdleTimeoutException.class, recorder.awaitClosed());
            assertTrue(System.nanoTime() - begunNs >= 300_000_000);
            client.expectEnd();
        }
        assertEquals(MOVES, moves);
    }

    /** Not idle before the peer has taken everything: until then it stays and goes on. */
    @Test
    void connectionIsMovedWhenAllThatWasWrittenHasBeenTaken() throws Exception {
        byte[] answer = randomBytes(6 << 20, 1);
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(ByteBuffer.wrap(answer));
        });
        TestReactor reactor = start(
                StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, answer.length)));
        TestClient client =
                closing(mode().connectToReadLittle(reactor.listen(recorder))).send("go");
        Connection connection = recorder.connection();
        Await.until("the queue is long", () -> connection.queuedBytes() > 1 << 20);
        int before = connection.shard();
        CompletableFuture<Boolean> moved = connection.moveTo(1 - before);
        assertFalse(moved.isDone());
        assertEquals(before, connection.shard());
        assertArrayEquals(answer, client.read(answer.length));
        assertTrue(of(moved));
        assertEquals(1 - before, connection.shard());
    }

    @Test
    void workThatWasHandedAwayIsGoneOnWithBeforeTheMove() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Recorder recorder = new Recorder((connection, data) -> {
            byte[] request = new byte[data.remaining()];
            data.get(request);
            ConnectionContinuation<String> answer =
                    (own, result) -> own.write(Recorder.bytes(result + shardOfThread()));
            connection.offload(
                    task -> new Thread(task).start(),
                    () -> {
                        release.await();
                        return new String(request);
                    },
                    answer);
        });
        TestClient client = client(start().listen(recorder)).send("x");
        Connection connection = recorder.connection();
        Await.until("the request was seen", () -> recorder.count("data") == 1);
        int before = connection.shard();
        CompletableFuture<Boolean> moved = connection.moveTo(1 - before);
        assertFalse(moved.isDone());
        release.countDown();
        client.expect("x" + before);
        assertTrue(of(moved));
        client.send("y").expect("y" + (1 - before));
    }

    @Test
    void connectionThatEndsFirstIsNotMoved() throws Exception {
        CompletableFuture<Boolean> wanted = new CompletableFuture<>();
        Recorder recorder = new Recorder((connection, data) -> {
            connection.moveTo(1 - connection.shard()).thenAccept(wanted::complete);
            connection.abort();
        });
        TestReactor reactor = start();
        client(reactor.listen(recorder)).send("x").expectReset();
        assertFalse(of(wanted));
        recorder.awaitClosed();
        assertFalse(of(recorder.connection().moveTo(0)), "it is gone");
    }

    /** The peer's end comes by one shard, or by the other, but once. */
    @Test
    void endOfInputIsReportedOnceWhereverItComes() throws Exception {
        for (int i = 0; i < 20; i++) {
            AtomicReference<CompletableFuture<Boolean>> moved = new AtomicReference<>();
            Recorder recorder = new Recorder(ECHO);
            TestClient client = client(start().listen(recorder)).send("x").expect("x");
            Connection connection = recorder.connection();
            moved.set(connection.moveTo(1 - connection.shard()));
            client.endOutput().expectEnd();
            recorder.awaitClosed();
            assertEquals(1, recorder.count("inputClosed"));
            of(moved.get());
            closeWhatWasOpened();
        }
    }

    /** Each line is whole, and none is missing, doubled or overtaken. */
    @Test
    void writesOfAnotherThreadArriveInOrderWhileTheConnectionMoves() throws Exception {
        int lines = 3_000;
        Recorder recorder = new Recorder();
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder));
        Connection connection = recorder.connection();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(
                () -> {
                    for (int i = 0; i < lines; i++) {
                        connection.write(Recorder.bytes(String.format("%08d", i)));
                    }
                },
                task -> new Thread(task).start());
        CompletableFuture<Integer> mover = CompletableFuture.supplyAsync(
                () -> {
                    int moves = 0;
                    while (!writer.isDone() || moves < 10) {
                        moves += connection.moveTo(1 - connection.shard()).join() ? 1 : 0;
                    }
                    return moves;
                },
                task -> new Thread(task).start());
        for (int i = 0; i < lines; i++) {
            client.expect(String.format("%08d", i));
        }
        of(writer);
        assertTrue(of(mover) >= 10);
        assertEquals(0, recorder.overlaps());
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void closeWhileConnectionsMoveAnswersAllAndLeavesNothing() throws Exception {
        TestReactor reactor = start();
        Recorder recorder = new Recorder(ECHO);
        TestClient client = client(reactor.listen(recorder)).send("x").expect("x");
        Connection connection = recorder.connection();
        CountDownLatch begun = new CountDownLatch(20);
        CompletableFuture<Void> mover = CompletableFuture.runAsync(
                () -> {
                    while (connection.moveTo(1 - connection.shard()).join() || !recorder.isClosed()) {
                        begun.countDown();
                    }
                },
                task -> new Thread(task).start());
        begun.await();
        client.send("last");
        CompletableFuture<Void> closed = CompletableFuture.runAsync(reactor::close, task -> new Thread(task).start());
        client.expectToEnd("last").close();
        of(closed);
        of(mover);
    }

    @Test
    void rebalancingEvensShardsOut() throws Exception {
        TestReactor reactor = start();
        List<Recorder> recorders = new CopyOnWriteArrayList<>();
        SocketAddress address = reactor.listen(() -> {
            Recorder recorder = new Recorder(ECHO);
            recorders.add(recorder);
            return recorder;
        });
        for (int i = 0; i < 12; i++) {
            client(address).send("x").expect("x");
        }
        for (Recorder recorder : recorders) {
            assertTrue(of(recorder.connection().moveTo(1)));
        }
        assertEquals(2.0, reactor.reactor().balance().connections().ratio());
        assertEquals(2, of(reactor.reactor().rebalance(2)));
        assertEquals(4, of(reactor.reactor().rebalance(100)));
        assertEquals(
                List.of(6L, 6L),
                reactor.reactor().shardCounters().stream()
                        .map(ShardCounters::connections)
                        .toList());
        assertEquals(0, of(reactor.reactor().rebalance(100)));
    }

    /** Dropped silently, as after a close, the bytes would be missing in the middle of the stream. */
    @Test
    void refusedWriteIsRefusedInTheMidstOfAMove() throws Exception {
        int limit = 4 << 10;
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(1 << 10, 2 << 10, limit)));
        Recorder recorder = new Recorder(ECHO);
        TestClient client = client(reactor.listen(recorder));
        Connection connection = recorder.connection();
        AtomicBoolean over = new AtomicBoolean();
        TestThread writer = TestThread.start("writer", () -> {
            ByteBuffer neverFits = ByteBuffer.allocate(limit + 1);
            while (!over.get()) {
                assertThrows(WriteQueueFullException.class, () -> connection.write(neverFits));
            }
        });
        for (int i = 0; i < 400; i++) {
            assertTrue(of(connection.moveTo(1 - connection.shard())));
        }
        over.set(true);
        writer.join();
        client.send("x").expect("x");
    }

    @Test
    void requestMadeWhenAnotherIsReplacedIsKept() throws Exception {
        CompletableFuture<Boolean> again = new CompletableFuture<>();
        Recorder recorder = new Recorder((connection, data) -> {
            int other = 1 - connection.shard();
            connection
                    .moveTo(other)
                    .thenAccept(moved -> connection.moveTo(other).thenAccept(again::complete));
            connection.moveTo(connection.shard());
            connection.write(data);
        });
        client(start().listen(recorder)).send("x").expect("x");
        assertTrue(of(again));
    }
}
