package org.cabrank.stream.testkit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.cabrank.stream.BlockingConnection;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;

/** Blocking views of embedded connections, and calls of such views in threads of their own. */
final class BlockingViews {
    static final StreamLimits SMALL = StreamLimits.DEFAULT.withQueue(1_000, 4_000, 8_000);

    static final Executor NEW_THREADS = task -> new Thread(task, "task").start();

    /** Returns the view, once the connection is open. */
    static BlockingConnection viewOf(ConnectionHandler next, AtomicReference<EmbeddedConnection> opened) {
        return viewOf(next, opened, StreamLimits.DEFAULT);
    }

    private static BlockingConnection viewOf(
            ConnectionHandler next, AtomicReference<EmbeddedConnection> opened, StreamLimits limits) {
        AtomicReference<BlockingConnection> view = new AtomicReference<>();
        opened.set(EmbeddedConnection.open(
                new ConnectionHandler() {
                    @Override
                    public void opened(Connection connection) throws Exception {
                        next.opened(connection);
                        view.set(BlockingConnection.of(connection));
                    }

                    @Override
                    public void data(Connection connection, ByteBuffer data) throws Exception {
                        next.data(connection, data);
                    }

                    @Override
                    public void closed(Connection connection, Throwable cause) {
                        next.closed(connection, cause);
                    }
                },
                limits,
                StreamTimeouts.DEFAULT));
        return view.get();
    }

    interface Body {
        void run(EmbeddedConnection peer, BlockingConnection view) throws Exception;
    }

    static void withView(Body body) throws Exception {
        withView(StreamLimits.DEFAULT, body);
    }

    static void withView(StreamLimits limits, Body body) throws Exception {
        AtomicReference<EmbeddedConnection> peer = new AtomicReference<>();
        BlockingConnection view = viewOf((connection, data) -> {}, peer, limits);
        try (EmbeddedConnection closed = peer.get()) {
            body.run(closed, view);
        }
    }

    static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(100_000);
            assertFalse(Thread.interrupted(), "interrupted, by the time limit of the test");
        }
    }

    /** A call in a thread of its own. */
    static final class Call {
        interface Step {
            Object run() throws Exception;
        }

        final CompletableFuture<Object> outcome = new CompletableFuture<>();
        final Thread thread;
        volatile boolean interruptedAfter;

        Call(Step step) {
            thread = new Thread(
                    () -> {
                        try {
                            outcome.complete(step.run());
                        } catch (Throwable failed) {
                            interruptedAfter = Thread.currentThread().isInterrupted();
                            outcome.completeExceptionally(failed);
                        }
                    },
                    "call");
            thread.start();
        }

        /** Waits until the thread waits. */
        Call awaitWaiting() {
            until(this::isWaitingOrDone);
            assertFalse(outcome.isDone(), "the call must wait");
            return this;
        }

        private boolean isWaitingOrDone() {
            return thread.getState() == Thread.State.WAITING || outcome.isDone();
        }

        Object result() throws Exception {
            return outcome.get(120, TimeUnit.SECONDS);
        }

        <E extends Throwable> E failure(Class<E> kind) {
            return assertInstanceOf(
                    kind, assertThrows(Exception.class, this::result).getCause());
        }
    }

    static String read(BlockingConnection view, int bytes) throws IOException {
        return new String(view.inputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
    }

    static void write(BlockingConnection view, String text) throws IOException {
        view.outputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private BlockingViews() {}
}
