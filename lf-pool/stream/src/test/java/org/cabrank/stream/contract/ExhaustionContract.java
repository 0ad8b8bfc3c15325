package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.DeadlineException;
import org.cabrank.stream.ScheduledTask;
import org.cabrank.stream.ShardCounters;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
import org.junit.jupiter.api.Test;

/** Handlers that use up the stack or the memory of their thread lose their connection; the thread and the shard live on. */
public abstract class ExhaustionContract extends StreamContract {
    private static final int ROUNDS = Long.getLong("cabrank.soak.seconds") == null ? 2 : 3;

    /** Named bound: frames from the deepest on that act, each with a little more stack left than the one before. */
    private static final int ACTING_FRAMES = 400;

    private static final ByteBuffer BIG = ByteBuffer.allocateDirect(20_000);

    private final Queue<Throwable> causes = new ConcurrentLinkedQueue<>();

    /** An action of a handler. */
    private interface Act {
        void on(Connection connection) throws Exception;
    }

    /** Acts in the deepest frame that there is room for, and then in each frame above, so that the stack ends everywhere. */
    private static final class Deep {
        private final Act act;
        private final Connection connection;
        private int acting;

        Deep(Act act, Connection connection) {
            this.act = act;
            this.connection = connection;
        }

        void descend() throws Exception {
            try {
                descend();
            } catch (Throwable end) { // a StackOverflowError, of the call above or of the action
                if (acting++ < ACTING_FRAMES) {
                    act.on(connection); // perhaps without the room for it
                }
                throw end;
            }
        }
    }

    private void actDeep(Act act) throws Exception {
        lose((connection, data) -> new Deep(act, connection).descend(), StackOverflowError.class);
    }

    /** A connection whose handler fails so is closed with that cause, time and again, and others are served beside it. */
    private void lose(ConnectionHandler failing, Class<? extends Error> kind) throws Exception {
        TestReactor reactor = start(StreamReactor.builder().drainTimeout(Duration.ofSeconds(2)));
        SocketAddress echo = reactor.listen((connection, data) -> connection.write(data));
        SocketAddress address = reactor.listen(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) throws Exception {
                data.position(data.limit());
                failing.data(connection, data);
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                causes.add(cause == null ? new Throwable("closed without a cause") : cause);
            }
        });
        TestClient other = client(echo).send("before").expect("before");
        for (int round = 1; round <= ROUNDS; round++) {
            int wanted = round;
            TestClient lost = client(address).send("x");
            Await.until("it is closed", () -> causes.size() >= wanted);
            lost.readAndForget();
            lost.close();
            other.send("still here").expect("still here");
        }
        for (Throwable cause : causes) {
            boolean wrapped = cause instanceof InternalError && cause.getCause() != null; // by linking a lambda
            assertInstanceOf(kind, wrapped ? cause.getCause() : cause);
        }
        assertEquals(ROUNDS, causes.size());
        reactor.reactor().pools().forEach(pool -> assertNull(pool.failure()));
        assertNull(reactor.reactor().failure());
        Await.until(
                "all threads are there",
                () -> reactor.reactor().pools().stream()
                        .allMatch(pool -> pool.threads().size() == pool.config().threads()));
        Await.until(
                "one connection and the listeners are left", () -> reactor.streamCount() == (2 * mode().shards()) + 1);
        Await.until("no chunk is in use", () -> reactor.chunksInUse() == 0);
    }

    @Test
    void handlerThatOverflows() throws Exception {
        actDeep(connection -> {});
    }

    @Test
    void handlerThatOverflowsInSmallWrites() throws Exception {
        actDeep(connection -> connection.write(ByteBuffer.allocate(1)));
    }

    @Test
    void handlerThatOverflowsInLargeWrites() throws Exception {
        actDeep(connection -> connection.write(BIG.duplicate()));
    }

    @Test
    void handlerThatOverflowsInFlush() throws Exception {
        actDeep(connection -> {
            connection.write(ByteBuffer.allocate(100));
            connection.flush();
        });
    }

    @Test
    void handlerThatOverflowsInExecute() throws Exception {
        actDeep(connection -> connection.execute(() -> {}));
    }

    @Test
    void handlerThatOverflowsInPauseAndResume() throws Exception {
        actDeep(connection -> {
            connection.pauseReading();
            connection.resumeReading();
        });
    }

    @Test
    void handlerThatOverflowsInShutdownOutput() throws Exception {
        actDeep(Connection::shutdownOutput);
    }

    @Test
    void handlerThatOverflowsInDeadline() throws Exception {
        actDeep(connection -> connection.deadline(Duration.ofMinutes(1)));
    }

    /** A connection whose handler acts deep in its stack, catches the overflow and returns. */
    private Recorder servedDeep(StreamTimeouts timeouts, Act act) throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            try {
                new Deep(act, connection).descend();
            } catch (Throwable caught) { // the overflow
                connection.write(ByteBuffer.wrap(new byte[] {'!'}));
            }
        });
        TestReactor reactor = start(StreamReactor.builder().timeouts(timeouts));
        client(reactor.listen(recorder)).send("x").readAndForget();
        return recorder;
    }

    @Test
    void deadlineThatWasSetWhereTheStackEndsPasses() throws Exception {
        Duration deadline = Duration.ofMillis(20);
        Recorder recorder = servedDeep(StreamTimeouts.DEFAULT, connection -> connection.deadline(deadline));
        assertInstanceOf(DeadlineException.class, recorder.awaitClosed());
    }

    @Test
    void closeThatWasBegunWhereTheStackEndsIsLimitedInTime() throws Exception {
        Duration shortTime = Duration.ofMillis(20);
        StreamTimeouts timeouts =
                StreamTimeouts.DEFAULT.withClose(StreamTimeouts.NEVER).withCloseTotal(shortTime);
        Recorder recorder = servedDeep(timeouts, Connection::close);
        recorder.awaitClosed();
    }

    @Test
    void handlerThatHasNoMemory() throws Exception {
        lose(
                (connection, data) -> {
                    connection.write(ByteBuffer.allocate(10));
                    throw new OutOfMemoryError("thrown by a handler on purpose");
                },
                OutOfMemoryError.class);
    }

    /** Work that was begun deep in the stack is finished when the handler has failed. */
    @Test
    void handlerThatOverflowsInClose() throws Exception {
        actDeep(Connection::close);
    }

    @Test
    void handlerThatOverflowsInAbort() throws Exception {
        actDeep(Connection::abort);
    }

    /** Connections that leave most of the shard's memory unread are closed and counted, and others are served beside them. */
    @Test
    void unreadBytesOfAllConnectionsAreBounded() throws Exception {
        TestReactor reactor = start(StreamReactor.builder()
                .drainTimeout(Duration.ofSeconds(2))
                .limits(StreamLimits.DEFAULT.withShardMemory(256 << 10)));
        try (Hoarders hoarders = Hoarders.fill(this, reactor, 20_000)) {
            int closed = hoarders.causes().size();
            long refusals = reactor.reactor().shardCounters().stream()
                    .mapToLong(ShardCounters::memoryRefusals)
                    .sum();
            assertTrue(refusals >= closed, refusals + " refusals for " + closed);
        }
        Await.until("no chunk is in use", () -> reactor.chunksInUse() == 0);
    }

    /** A message that its handler leaves unread grows where it is, even if the shard has no larger memory for it. */
    @Test
    void unreadBytesStayInTheirMemoryWhileItHasRoom() throws Exception {
        int begun = 3_000;
        int whole = 5_000;
        int memory = 8 << 10; // twice the begun message, to a power of two
        TestReactor reactor = start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withShardMemory(64 << 10)));
        AtomicInteger seen = new AtomicInteger();
        SocketAddress address = reactor.listen(new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                connection.moveTo(0); // so that all share the memory of one shard
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                seen.accumulateAndGet(data.remaining(), Math::max);
                if (data.remaining() == whole) {
                    data.position(data.limit());
                    connection.write(Recorder.bytes("whole"));
                }
            }
        });
        TestClient client = client(address).send(new byte[begun]);
        for (int used = memory; used <= 3 * memory; used += memory) { // afterwards nobody gets so much
            int wanted = used;
            Await.until(
                    "the message is kept",
                    () -> reactor.reactor().shardCounters().get(0).memoryUsedBytes() == wanted);
            if (used < 3 * memory) {
                client(address).send(new byte[begun]);
            }
        }
        client.send(new byte[1_000]);
        Await.until("the next part has come", () -> seen.get() == begun + 1_000);
        client.send(new byte[whole - begun - 1_000]).expect("whole");
    }

    /** The second part fills the memory of the first part and has bytes left, for which the shard has no memory. */
    @Test
    void bytesThatFitBehindUnreadBytesAreDeliveredThoughTheirRestFindsNoMemory() throws Exception {
        int begun = 1_500;
        int next = 4 << 10;
        TestReactor reactor = start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withShardMemory(64 << 10)));
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        SocketAddress address = reactor.listen(new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                connection.moveTo(0); // so that all share the memory of one shard
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                calls.incrementAndGet();
                if (data.remaining() > begun || seen.get() > 0) {
                    if (seen.addAndGet(data.remaining()) == begun + next) {
                        connection.write(Recorder.bytes("whole"));
                    }
                    data.position(data.limit());
                }
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                if (cause instanceof ShardMemoryException) {
                    causes.add(cause);
                }
            }
        });
        TestClient client = client(address).send(new byte[begun]);
        for (int sent = 1; causes.isEmpty(); sent++) {
            int wanted = sent;
            Await.until("the message has come", () -> calls.get() >= wanted);
            client(address).send(new byte[begun]);
        }
        client.send(new byte[next]).expect("whole");
    }

    /** Another thread cancels a task at each depth of its stack. */
    @Test
    void taskThatIsCancelledWithoutStackIsCancelledOrNot() throws Exception {
        Recorder recorder = new Recorder();
        client(serve(recorder));
        Duration day = Duration.ofDays(1);
        ScheduledTask task = recorder.connection().scheduleEvery(day, day, () -> {});
        AtomicInteger cancelled = new AtomicInteger();
        Deep deep = new Deep(
                connection -> {
                    if (task.cancel()) {
                        cancelled.incrementAndGet();
                    }
                },
                recorder.connection());
        assertThrows(StackOverflowError.class, deep::descend);
        assertEquals(1, cancelled.get());
    }

    /** A peer that does not read loses its connection when the shard has no memory for its share, long before its own limit. */
    @Test
    void queuedBytesOfAllConnectionsAreBounded() throws Exception {
        TestReactor reactor = start(StreamReactor.builder()
                .drainTimeout(Duration.ofSeconds(2))
                .limits(StreamLimits.DEFAULT
                        .withQueue(1 << 10, 60 << 20, 64 << 20)
                        .withShardMemory(256 << 10)));
        SocketAddress echo = reactor.listen((connection, data) -> connection.write(data));
        SocketAddress address = reactor.listen(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                data.position(data.limit());
                connection.write(ByteBuffer.allocate(32 << 20));
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                causes.add(cause == null ? new Throwable("closed without a cause") : cause);
            }
        });
        client(address).send("x");
        Await.until("it is closed", () -> !causes.isEmpty());
        assertInstanceOf(ShardMemoryException.class, causes.element());
        client(echo).send("hello").expect("hello");
        Await.until("no chunk is in use", () -> reactor.chunksInUse() == 0);
    }

    /** Each byte so many times. */
    private static ByteBuffer repeated(ByteBuffer data, int times) {
        ByteBuffer answer = ByteBuffer.allocate(data.remaining() * times);
        while (data.hasRemaining()) {
            byte next = data.get();
            for (int i = 0; i < times; i++) {
                answer.put(next);
            }
        }
        return answer.flip();
    }

    /** Peers that do not read share the shard's memory: reading pauses for those that hold most of it, and none is closed. */
    @Test
    void readingPausesWhereTheMemoryOfTheShardIsScarce() throws Exception {
        int peers = 8;
        int times = 5; // the kernel has buffers, too
        byte[] sent = new byte[1 << 20];
        ThreadLocalRandom.current().nextBytes(sent);
        TestReactor reactor =
                start(StreamReactor.builder().shards(1).limits(StreamLimits.DEFAULT.withShardMemory(2 << 20)));
        SocketAddress address = reactor.listen((connection, data) -> connection.write(repeated(data, times)));
        List<TestClient> clients = new ArrayList<>();
        List<TestThread> writers = new ArrayList<>();
        for (int i = 0; i < peers; i++) {
            TestClient client = closing(mode().connectToReadLittle(address));
            clients.add(client);
            writers.add(TestThread.start("writes " + i, () -> client.send(sent)));
        }
        Await.until(
                "most of the memory is in use",
                () -> reactor.reactor().shardCounters().stream()
                                .mapToLong(ShardCounters::memoryUsedBytes)
                                .sum()
                        > 256 << 10);
        client(address).send("hi").expect("hhhhhiiiii");
        byte[] answer = repeated(ByteBuffer.wrap(sent), times).array();
        for (TestClient client : clients) {
            assertArrayEquals(answer, client.read(answer.length));
        }
        for (TestThread writer : writers) {
            writer.join();
        }
        assertEquals(
                0,
                reactor.reactor().shardCounters().stream()
                        .mapToLong(ShardCounters::memoryRefusals)
                        .sum());
    }
}
