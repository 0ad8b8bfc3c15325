package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.cabrank.lf.Reply;
import org.cabrank.lf.TaskQueue;
import org.cabrank.lf.Timers;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.AttachmentKey;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An error of any kind that any callback throws costs the connection, task or timer of that callback: it is counted, and the
 * threads, the listeners and the other connections remain.
 */
public abstract class CallbackErrorsContract extends StreamContract {
    /** Errors that a callback may throw. */
    private enum Kind {
        STACK(StackOverflowError.class) {
            @Override
            void strike() {
                descend(1);
            }
        },
        MEMORY(OutOfMemoryError.class) {
            @Override
            void strike() {
                throw new OutOfMemoryError("thrown by a callback on purpose");
            }
        },
        ASSERTION(AssertionError.class) {
            @Override
            void strike() {
                throw new AssertionError("thrown by a callback on purpose");
            }
        },
        LINKAGE(NoClassDefFoundError.class) {
            @Override
            void strike() {
                throw new NoClassDefFoundError("thrown by a callback on purpose");
            }
        },
        UNKNOWN(UnknownError.class) {
            @Override
            void strike() {
                throw new UnknownError("thrown by a callback on purpose");
            }
        },
        /** A mapped file that has been truncated since. */
        MAPPED_FILE(InternalError.class) {
            @Override
            void strike() {
                readBehindTheEnd();
            }
        };

        private static final int PAGE = 4096;

        private final Class<? extends Error> type;

        Kind(Class<? extends Error> type) {
            this.type = type;
        }

        abstract void strike();

        private static long descend(long depth) {
            return depth == 0 ? 0 : descend(depth + 1) + depth;
        }

        private static void readBehindTheEnd() {
            try (FileChannel file = FileChannel.open(
                    Files.createTempFile("truncated", null),
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE)) {
                file.write(ByteBuffer.allocate(PAGE));
                ByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, PAGE);
                file.truncate(0);
                mapped.get(0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Callbacks of a connection, and of whom the service hands to a connection. */
    protected enum Callback {
        OPENED,
        DATA,
        WRITABLE,
        INPUT_CLOSED,
        DEADLINE,
        CLOSED,
        TASK,
        LAST_TASK,
        CONTINUATION,
        FAILED_WORK,
        AFTER_WAIT
    }

    private static final int HIGH_WATERMARK = 64 << 10;

    /** More than the sockets of both sides take, as long as the peer does not read. */
    private static final int LONG_ANSWER = 8 << 20;

    /** Calls after which the JIT has compiled a method. */
    private static final int COMPILED_AFTER = 200_000;

    private static final AttachmentKey<Byte> FIRST = AttachmentKey.named("first");

    private static final Executor CALLER = Runnable::run;

    private final Queue<Throwable> causes = new ConcurrentLinkedQueue<>();
    private final AtomicInteger ends = new AtomicInteger();
    private final AtomicInteger ranBehind = new AtomicInteger();
    private TestReactor reactor;
    private SocketAddress echo;
    private TestClient other;
    private volatile Connection latest;

    /** A handler that throws in one of its callbacks. */
    private final class Failing implements ConnectionHandler {
        private final Callback callback;
        private final Kind kind;

        Failing(Callback callback, Kind kind) {
            this.callback = callback;
            this.kind = kind;
        }

        private void strikeIn(Callback called) {
            if (called == callback) {
                kind.strike();
            }
        }

        @Override
        public void opened(Connection connection) {
            latest = connection;
            strikeIn(Callback.OPENED);
        }

        @Override
        public void data(Connection connection, ByteBuffer data) throws Exception {
            data.position(data.limit());
            switch (callback) {
                case DATA -> kind.strike();
                case WRITABLE -> connection.write(ByteBuffer.allocate(LONG_ANSWER));
                case DEADLINE -> connection.deadline(Duration.ofMillis(1));
                case TASK -> {
                    connection.execute(kind::strike);
                    connection.execute(ranBehind::incrementAndGet);
                }
                case LAST_TASK -> {
                    connection.execute(kind::strike);
                    connection.execute(kind::strike);
                    connection.execute(ranBehind::incrementAndGet);
                    connection.abort();
                }
                case CONTINUATION -> connection.offload(CALLER, () -> "done", (resumed, result) -> kind.strike());
                case FAILED_WORK ->
                    connection.offload(
                            CALLER,
                            () -> {
                                kind.strike();
                                return "never";
                            },
                            (resumed, result) -> {});
                case AFTER_WAIT -> {
                    Reply<Object> reply = connection.newReply();
                    reactor.reactor().connect(echo, new Answering(reply::complete));
                    reply.await(Duration.ofNanos(Await.PATIENCE_NS));
                    kind.strike();
                }
                case CLOSED -> connection.close();
                default -> {}
            }
        }

        @Override
        public void writable(Connection connection) {
            strikeIn(Callback.WRITABLE);
        }

        @Override
        public void inputClosed(Connection connection, ByteBuffer unread) {
            strikeIn(Callback.INPUT_CLOSED);
            connection.close();
        }

        @Override
        public void deadlinePassed(Connection connection) {
            strikeIn(Callback.DEADLINE);
        }

        @Override
        public void closed(Connection connection, Throwable cause) {
            if (cause != null) {
                causes.add(cause);
            }
            ends.incrementAndGet();
            strikeIn(Callback.CLOSED);
        }
    }

    /** A client that completes a reply when its connection stands. */
    private static final class Answering implements ConnectionHandler {
        private final Consumer<Object> reply;

        Answering(Consumer<Object> reply) {
            this.reply = reply;
        }

        @Override
        public void opened(Connection connection) {
            reply.accept("opened");
            connection.close();
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            data.position(data.limit());
        }
    }

    private void begin() throws Exception {
        reactor = start(StreamReactor.builder()
                .limits(StreamLimits.DEFAULT.withQueue(1 << 10, HIGH_WATERMARK, 16 << 20))
                .drainTimeout(Duration.ofSeconds(2)));
        echo = reactor.listen((connection, data) -> connection.write(data));
        other = client(echo).send("before").expect("before");
    }

    /** The listener accepts, the connection that stood before is served, no thread is lost and nothing is kept. */
    private void assertServes(int listeners) throws Exception {
        other.send("still here").expect("still here");
        try (TestClient next = TestClient.connect(echo)) {
            next.send("next").expect("next").endOutput().expectEnd();
        }
        assertNull(reactor.reactor().failure());
        reactor.reactor().pools().forEach(pool -> assertNull(pool.failure()));
        Await.until(
                "all threads are there",
                () -> reactor.reactor().pools().stream()
                        .allMatch(pool -> pool.threads().size() == pool.config().threads()));
        Await.until(
                "one connection and the listeners are left",
                () -> reactor.streamCount() == listeners * mode().shards() + 1);
        Await.until("no chunk is in use", () -> reactor.chunksInUse() == 0);
    }

    @ParameterizedTest
    @EnumSource(Callback.class)
    void errorOfACallbackCostsItsConnection(Callback callback) throws Exception {
        begin();
        int listeners = 1;
        for (Kind kind : Kind.values()) {
            SocketAddress address = reactor.listen(new Failing(callback, kind));
            listeners++;
            int endsBefore = ends.get();
            long failuresBefore = reactor.failureCount();
            causes.clear();
            ranBehind.set(0);
            latest = null;
            TestClient lost = closing(mode().connectToReadLittle(address)).send("x");
            if (callback == Callback.INPUT_CLOSED) {
                lost.endOutput();
            }
            if (callback == Callback.WRITABLE) {
                Await.until("the queue is long", () -> latest != null && latest.queuedBytes() > HIGH_WATERMARK);
            }
            lost.readAndForget();
            lost.close();
            Await.until("it is closed", () -> ends.get() > endsBefore);
            assertServes(listeners);
            assertEquals(endsBefore + 1, ends.get());
            Await.until("it is counted", () -> reactor.failureCount() > failuresBefore);
            assertEquals(failuresBefore + failures(callback), reactor.failureCount());
            if (callback != Callback.CLOSED && callback != Callback.LAST_TASK) {
                assertSame(kind.type, causes.element().getClass());
            }
            if (callback == Callback.TASK || callback == Callback.LAST_TASK) {
                assertEquals(1, ranBehind.get());
            }
        }
    }

    /** The JVM reports a fault in compiled code late: in the handler, or in the code of the pool that it returns to. */
    @Test
    void faultInACompiledHandlerCostsNoMoreThanItsConnection() throws Exception {
        begin();
        Path path = Files.createTempFile("truncated", null);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(Kind.PAGE));
            ByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, Kind.PAGE);
            long sum = 0;
            for (int i = 0; i < COMPILED_AFTER; i++) {
                sum += first(mapped);
            }
            assertEquals(0, sum);
            file.truncate(0);
            SocketAddress address = reactor.listen((connection, data) -> {
                data.position(data.limit());
                connection.attach(FIRST, first(mapped));
            });
            try (TestClient faulty = TestClient.connect(address)) {
                faulty.send("x");
                Await.until("the fault is counted", () -> reactor.failureCount() > 0);
            }
            assertServes(2);
        } finally {
            Files.delete(path);
        }
    }

    private static byte first(ByteBuffer mapped) {
        return mapped.get(0);
    }

    private static int failures(Callback callback) {
        return callback == Callback.LAST_TASK ? 2 : 1;
    }

    @Test
    void errorInOpenedOfAClientCostsThatConnectionOnly() throws Exception {
        begin();
        for (Kind kind : Kind.values()) {
            int endsBefore = ends.get();
            causes.clear();
            CompletableFuture<Connection> connecting =
                    reactor.reactor().connect(echo, new Failing(Callback.OPENED, kind));
            connecting.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
            Await.until("it is closed", () -> ends.get() > endsBefore);
            assertSame(kind.type, causes.element().getClass());
            assertServes(1);
        }
    }

    /** Whoever waits for the connection is called by the pool's thread. */
    @Test
    void errorOfWhoeverAwaitsAConnectIsThatCallsOwn() throws Exception {
        begin();
        for (Kind kind : Kind.values()) {
            CompletableFuture<Void> after = reactor.reactor()
                    .connect(echo, (connection, data) -> data.position(data.limit()))
                    .thenAccept(connection -> {
                        connection.close();
                        kind.strike();
                    });
            Throwable thrown =
                    assertThrows(ExecutionException.class, () -> after.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            assertSame(kind.type, thrown.getCause().getClass());
            assertServes(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void errorOfATimerCostsThatCallOnly(Kind kind) throws Exception {
        begin();
        AtomicInteger told = new AtomicInteger();
        Timers timers = new Timers(
                reactor.reactor().pools().get(0).handleSets().get(0), 10, (timer, failure) -> told.incrementAndGet());
        timers.after(Duration.ofNanos(1), timer -> kind.strike());
        Await.until("it is told", () -> told.get() == 1);
        assertServes(1);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void errorOfATaskOfAQueueCostsThatTaskOnly(Kind kind) throws Exception {
        begin();
        try (TaskQueue tasks =
                new TaskQueue(reactor.reactor().pools().get(0).handleSets().get(0), "tasks", 10)) {
            AtomicInteger ran = new AtomicInteger();
            tasks.execute(kind::strike);
            tasks.execute(ran::incrementAndGet);
            Await.until("the next ran", () -> ran.get() == 1);
            assertServes(1);
            assertEquals(1, tasks.counters().failed());
        }
    }
}
