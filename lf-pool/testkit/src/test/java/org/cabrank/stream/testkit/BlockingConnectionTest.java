package org.cabrank.stream.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.cabrank.stream.BlockingConnection;
import org.cabrank.stream.BlockingHandlers;
import org.cabrank.stream.BlockingTask;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionEndedException;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BlockingConnectionTest {
    private static final Executor NEW_THREADS = task -> new Thread(task, "task").start();

    /** The view, once the connection is open. */
    private static BlockingConnection viewOf(ConnectionHandler next, AtomicReference<EmbeddedConnection> opened) {
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
                        view.set(connection.blocking());
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

    private interface Body {
        void run(EmbeddedConnection peer, BlockingConnection view) throws Exception;
    }

    private static void withView(Body body) throws Exception {
        withView(StreamLimits.DEFAULT, body);
    }

    private static void withView(StreamLimits limits, Body body) throws Exception {
        AtomicReference<EmbeddedConnection> peer = new AtomicReference<>();
        BlockingConnection view = viewOf((connection, data) -> {}, peer, limits);
        try (EmbeddedConnection closed = peer.get()) {
            body.run(closed, view);
        }
    }

    private static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(100_000);
        }
    }

    /** A call in a thread of its own. */
    private static final class Call {
        private interface Step {
            Object run() throws Exception;
        }

        private final CompletableFuture<Object> outcome = new CompletableFuture<>();
        private final Thread thread;
        private volatile boolean interruptedAfter;

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
            until(() -> thread.getState() == Thread.State.WAITING || outcome.isDone());
            assertFalse(outcome.isDone(), "the call must wait");
            return this;
        }

        Object result() throws Exception {
            return outcome.get(30, TimeUnit.SECONDS);
        }

        <E extends Throwable> E failure(Class<E> kind) {
            return assertInstanceOf(
                    kind, assertThrows(Exception.class, this::result).getCause());
        }
    }

    private static String read(BlockingConnection view, int bytes) throws IOException {
        return new String(view.inputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
    }

    private static void write(BlockingConnection view, String text) throws IOException {
        view.outputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    // ---- tasks ----

    @Test
    void aTaskServesAConnectionFromBeginningToEnd() {
        BlockingTask task = connection -> {
            int value = connection.inputStream().read();
            while (value >= 0) {
                connection.outputStream().write(value + 1);
                value = connection.inputStream().read();
            }
            write(connection, ".");
        };
        try (EmbeddedConnection peer =
                EmbeddedConnection.open(BlockingHandlers.of(NEW_THREADS, task).get())) {
            peer.peerSends("HAL");
            StringBuilder got = new StringBuilder();
            until(() -> got.append(peer.peerReceives()).length() == 3);
            peer.peerEnds();
            until(peer::isClosed);
            assertEquals("IBM.", got.append(peer.peerReceives()).toString());
            assertNull(peer.closeCause());
            assertTrue(peer.isOutputEnded());
        }
    }

    @Test
    void aTaskThatThrowsEndsTheConnectionWithItsException() {
        IOException wrong = new IOException("no such account");
        try (EmbeddedConnection peer = EmbeddedConnection.open(BlockingHandlers.of(NEW_THREADS, connection -> {
                    write(connection, "sorry");
                    throw wrong;
                })
                .get())) {
            until(peer::isClosed);
            assertSame(wrong, peer.closeCause());
            assertEquals("sorry", peer.peerReceives());
        }
    }

    @Test
    void aTaskThatFailsBecauseItsConnectionHasEndedIsNoFailure() {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        CompletableFuture<Throwable> uncaught = new CompletableFuture<>();
        Executor watched = task -> {
            Thread thread = new Thread(() -> {
                task.run();
                uncaught.complete(null);
            });
            thread.setUncaughtExceptionHandler((dead, failure) -> uncaught.complete(failure));
            thread.start();
        };
        try (EmbeddedConnection peer = EmbeddedConnection.open(BlockingHandlers.of(watched, connection -> {
                    try {
                        connection.inputStream().read();
                    } catch (IOException ended) {
                        thrown.set(ended);
                        throw new IllegalStateException("the session is broken", ended);
                    }
                })
                .get())) {
            peer.peerResets();
            assertNull(uncaught.orTimeout(30, TimeUnit.SECONDS).join());
            assertTrue(
                    thrown.get().getMessage().contains("ECONNRESET"),
                    thrown.get().getMessage());
            assertSame(peer.closeCause(), thrown.get().getCause());
        }
    }

    @Test
    void aFailureAfterTheEndOfTheConnectionReachesTheThreadsOwner() {
        CompletableFuture<Throwable> uncaught = new CompletableFuture<>();
        CompletableFuture<Void> gone = new CompletableFuture<>();
        IllegalStateException wrong = new IllegalStateException("the ledger does not add up");
        Executor watched = task -> {
            Thread thread = new Thread(task);
            thread.setUncaughtExceptionHandler((dead, failure) -> uncaught.complete(failure));
            thread.start();
        };
        try (EmbeddedConnection peer = EmbeddedConnection.open(BlockingHandlers.of(watched, connection -> {
                    gone.join();
                    throw wrong;
                })
                .get())) {
            peer.peerResets();
            assertTrue(peer.isClosed());
            gone.complete(null);
            assertSame(wrong, uncaught.orTimeout(30, TimeUnit.SECONDS).join());
        }
    }

    @Test
    void anExecutorThatRefusesTheTaskEndsTheConnection() {
        Executor full = task -> {
            throw new RejectedExecutionException("no thread is free");
        };
        try (EmbeddedConnection peer = EmbeddedConnection.open(
                BlockingHandlers.of(full, connection -> {}).get())) {
            assertTrue(peer.isClosed());
            assertInstanceOf(RejectedExecutionException.class, peer.closeCause());
        }
    }

    // ---- reading ----

    @Test
    void readsReturnAllBytesInOrderHoweverTheyAreCut() throws Exception {
        withView((peer, view) -> {
            byte[] sent = new byte[300_000];
            Random random = new Random(7);
            random.nextBytes(sent);
            Call reader = new Call(() -> {
                ByteBuffer got = ByteBuffer.allocate(sent.length);
                Random sizes = new Random(8);
                while (got.hasRemaining()) {
                    ByteBuffer part = got.slice();
                    part.limit(Math.min(part.limit(), 1 + sizes.nextInt(5_000)));
                    got.position(got.position() + view.read(part));
                }
                return got.array();
            });
            for (int at = 0; at < sent.length; ) {
                int count = Math.min(sent.length - at, 1 + random.nextInt(20_000));
                peer.peerSends(ByteBuffer.wrap(sent, at, count));
                at += count;
            }
            assertArrayEquals(sent, (byte[]) reader.result());
            assertEquals(0, view.available());
        });
    }

    @Test
    void aTaskThatDoesNotReadHoldsBoundedMemory() throws Exception {
        withView((peer, view) -> {
            byte[] sent = new byte[1 << 20];
            new Random(1).nextBytes(sent);
            for (int at = 0; at < sent.length; at += 32 << 10) {
                peer.peerSends(ByteBuffer.wrap(sent, at, 32 << 10));
            }
            int unreadMax = StreamLimits.DEFAULT.unreadLimit() + StreamLimits.DEFAULT.receiveBuffer();
            assertTrue(view.available() >= StreamLimits.DEFAULT.unreadLimit(), view.available() + " bytes");
            assertTrue(view.available() <= unreadMax, view.available() + " bytes");
            byte[] got = new byte[sent.length];
            for (int at = 0; at < got.length; ) {
                at += view.read(got, at, got.length - at);
                peer.settle();
                assertTrue(view.available() <= unreadMax, view.available() + " bytes");
            }
            assertArrayEquals(sent, got);
            assertFalse(peer.isClosed());
        });
    }

    @Test
    void bytesBeforeThePeersEndAreReadAndThenTheEnd() throws Exception {
        withView((peer, view) -> {
            peer.peerSends("last");
            peer.peerEnds();
            assertEquals("last", read(view, 4));
            assertEquals(-1, view.read(ByteBuffer.allocate(1)));
            assertEquals(-1, view.inputStream().read());
            write(view, "still here");
            peer.settle();
            assertEquals("still here", peer.peerReceives());
            assertFalse(peer.isClosed(), "the view decides when the connection ends");
            view.close();
            assertTrue(peer.isClosed());
        });
    }

    @Test
    void aReadWaitsUntilItsTimeoutAndLeavesTheConnectionUsable() throws Exception {
        withView((peer, view) -> {
            SocketTimeoutException late = assertThrows(
                    SocketTimeoutException.class, () -> view.read(ByteBuffer.allocate(1), Duration.ofMillis(5)));
            assertTrue(late.getMessage().contains("PT0.005S"), late.getMessage());
            view.readTimeout(Duration.ofMillis(5));
            assertThrows(SocketTimeoutException.class, () -> view.inputStream().read());
            view.readTimeout(StreamTimeouts.NEVER);
            Call reader = new Call(() -> read(view, 2)).awaitWaiting();
            peer.peerSends("ok");
            assertEquals("ok", reader.result());
            assertThrows(IllegalArgumentException.class, () -> view.readTimeout(Duration.ofNanos(1)));
        });
    }

    @Test
    void anInterruptedReadLeavesTheConnectionUsableAndTheThreadInterrupted() throws Exception {
        withView((peer, view) -> {
            Call reader = new Call(() -> read(view, 1)).awaitWaiting();
            reader.thread.interrupt();
            reader.failure(InterruptedIOException.class);
            assertTrue(reader.interruptedAfter);
            peer.peerSends("x");
            Thread.currentThread().interrupt();
            try {
                assertEquals("x", read(view, 1), "a read that need not wait is not interrupted");
                assertThrows(InterruptedIOException.class, () -> read(view, 1));
            } finally {
                assertTrue(Thread.interrupted());
            }
            assertFalse(peer.isClosed());
        });
    }

    @Test
    void severalReadersShareWhatComes() throws Exception {
        withView((peer, view) -> {
            List<Call> readers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                readers.add(new Call(() -> view.inputStream().read()).awaitWaiting());
            }
            peer.peerSends("abcd");
            int sum = 0;
            for (Call reader : readers) {
                sum += (int) reader.result();
            }
            assertEquals('a' + 'b' + 'c' + 'd', sum);
        });
    }

    // ---- writing ----

    private static final StreamLimits SMALL = StreamLimits.DEFAULT.withQueue(1_000, 4_000, 8_000);

    @Test
    void aWriteLargerThanTheQueueWaitsForThePeerAndIsNeverRefused() throws Exception {
        withView(SMALL, (peer, view) -> {
            byte[] sent = new byte[200_000];
            new Random(3).nextBytes(sent);
            peer.peerTakes(0);
            Call writer = new Call(() -> view.write(ByteBuffer.wrap(sent))).awaitWaiting();
            peer.settle();
            // The counts of mail and queue are read one after the other: a piece that passes from one to the other
            // counts twice.
            until(() -> view.connection().queuedBytes() <= 8_000);
            ByteBuffer got = ByteBuffer.allocate(sent.length);
            while (got.hasRemaining()) {
                peer.peerTakes(700);
                got.put(peer.peerReceivesBytes());
            }
            assertEquals(sent.length, writer.result());
            assertArrayEquals(sent, got.array());
        });
    }

    @Test
    void writesOfSeveralThreadsAreNotMixed() throws Exception {
        withView(SMALL, (peer, view) -> {
            peer.peerTakes(0);
            int length = 30_000;
            List<Call> writers = new ArrayList<>();
            for (char letter = 'a'; letter < 'd'; letter++) {
                byte[] own = String.valueOf(letter).repeat(length).getBytes(StandardCharsets.US_ASCII);
                writers.add(new Call(() -> view.write(ByteBuffer.wrap(own))).awaitWaiting());
            }
            StringBuilder got = new StringBuilder();
            while (got.length() < 3 * length) {
                peer.peerTakes(5_000);
                got.append(peer.peerReceives());
            }
            for (Call writer : writers) {
                assertEquals(length, writer.result());
            }
            for (int third = 0; third < 3; third++) {
                String piece = got.substring(third * length, (third + 1) * length);
                assertEquals(piece.substring(0, 1).repeat(length), piece);
            }
        });
    }

    @Test
    void aWriteThatTimesOutTellsHowMuchItHasHandedOver() throws Exception {
        withView(SMALL, (peer, view) -> {
            peer.peerTakes(0);
            byte[] sent = new byte[50_000];
            new Random(4).nextBytes(sent);
            ByteBuffer from = ByteBuffer.wrap(sent);
            view.writeTimeout(Duration.ofMillis(5));
            SocketTimeoutException late = assertThrows(SocketTimeoutException.class, () -> view.write(from));
            assertTrue(late.bytesTransferred > 0 && late.bytesTransferred < sent.length);
            assertEquals(late.bytesTransferred, from.position());
            peer.peerTakes(EmbeddedConnection.UNLIMITED);
            view.writeTimeout(StreamTimeouts.NEVER);
            view.write(from);
            peer.settle();
            assertArrayEquals(sent, peer.peerReceivesBytes().array());
        });
    }

    @Test
    void aWriterWakesAlsoWhereOneByteOfTheQueueIsTakenAtATime() throws Exception {
        withView(StreamLimits.DEFAULT.withQueue(0, 1, 1), (peer, view) -> {
            peer.peerTakes(0);
            Call writer = new Call(() -> view.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}))).awaitWaiting();
            ByteBuffer got = ByteBuffer.allocate(5);
            while (got.hasRemaining()) {
                peer.peerTakes(1);
                got.put(peer.peerReceivesBytes());
            }
            assertEquals(5, writer.result());
            assertArrayEquals(new byte[] {1, 2, 3, 4, 5}, got.array());
        });
    }

    @Test
    void nothingIsWrittenAfterTheOutputWasShutDown() throws Exception {
        withView((peer, view) -> {
            write(view, "bye");
            view.shutdownOutput();
            assertTrue(peer.isOutputEnded());
            assertEquals("bye", peer.peerReceives());
            assertTrue(assertThrows(IOException.class, () -> write(view, "x"))
                    .getMessage()
                    .contains("shutdownOutput"));
            peer.peerSends("more");
            assertEquals("more", read(view, 4));
        });
    }

    @Test
    void shutDownOutputEndsEachWriteThatWaits() throws Exception {
        withView(SMALL, (peer, view) -> {
            peer.peerTakes(0);
            List<Call> writers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                writers.add(new Call(() -> view.write(ByteBuffer.allocate(30_000))).awaitWaiting());
            }
            view.shutdownOutput();
            for (Call writer : writers) {
                assertTrue(writer.failure(IOException.class).getMessage().contains("shutdownOutput"));
            }
        });
    }

    // ---- ends ----

    private static void assertWakesAll(String reason, Body end) throws Exception {
        withView(SMALL, (peer, view) -> {
            peer.peerTakes(0);
            List<Call> calls = new ArrayList<>();
            calls.add(new Call(() -> read(view, 1)).awaitWaiting());
            calls.add(new Call(() -> view.write(ByteBuffer.allocate(100_000))).awaitWaiting());
            calls.add(new Call(() -> view.write(ByteBuffer.allocate(1))).awaitWaiting());
            end.run(peer, view);
            for (Call call : calls) {
                String message = call.failure(ConnectionEndedException.class).getMessage();
                assertTrue(message.contains(reason), message);
            }
            assertFalse(view.isOpen());
            assertThrows(ConnectionEndedException.class, () -> read(view, 1));
            assertThrows(ConnectionEndedException.class, () -> write(view, "x"));
        });
    }

    @Test
    void closeWakesEveryThreadThatWaits() throws Exception {
        assertWakesAll("this side has closed", (peer, view) -> view.close());
    }

    @Test
    void abortWakesEveryThreadThatWaits() throws Exception {
        assertWakesAll("this side has aborted", (peer, view) -> view.abort());
    }

    @Test
    void aResetWakesEveryThreadThatWaits() throws Exception {
        assertWakesAll("ECONNRESET", (peer, view) -> peer.peerResets());
    }

    @Test
    void aDeadlineWakesEveryThreadThatWaits() throws Exception {
        assertWakesAll("deadline", (peer, view) -> {
            view.connection().deadline(Duration.ofSeconds(1));
            peer.settle();
            peer.advance(Duration.ofSeconds(2));
        });
    }

    @Test
    void anAbortOfTheConnectionItselfWakesEveryThreadThatWaits() throws Exception {
        assertWakesAll("was closed", (peer, view) -> view.connection().abort());
    }

    @Test
    void bytesThatCameBeforeAResetAreRead() throws Exception {
        withView((peer, view) -> {
            peer.peerSends("before");
            peer.peerResets();
            assertEquals("before", read(view, 6));
            assertTrue(assertThrows(ConnectionEndedException.class, () -> read(view, 1))
                    .getMessage()
                    .contains("ECONNRESET"));
        });
    }

    // ---- callbacks ----

    @Test
    void callsInCallbacksAreRefusedInsteadOfWaitingForThemselves() {
        List<Throwable> refusals = new ArrayList<>();
        AtomicReference<BlockingConnection> first = new AtomicReference<>();
        ConnectionHandler calling = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                first.compareAndSet(null, connection.blocking());
                BlockingConnection view = first.get();
                refusals.add(assertThrows(IllegalStateException.class, () -> view.read(ByteBuffer.allocate(1))));
                refusals.add(assertThrows(IllegalStateException.class, () -> view.write(ByteBuffer.allocate(1))));
                refusals.add(assertThrows(
                        IllegalStateException.class, () -> view.inputStream().read()));
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                throw new AssertionError("the view has the connection");
            }
        };
        try (EmbeddedConnection own = EmbeddedConnection.open(calling);
                EmbeddedConnection other = EmbeddedConnection.open(calling)) {
            assertFalse(own.isClosed());
            assertFalse(other.isClosed());
            assertEquals(6, refusals.size());
            assertTrue(
                    refusals.get(0).getMessage().contains("BlockingHandlers"),
                    refusals.get(0).getMessage());
        }
    }

    @Test
    void aViewTakenInTheMiddleReadsOnWhereTheHandlerHasStopped() throws Exception {
        AtomicReference<BlockingConnection> view = new AtomicReference<>();
        List<String> calls = new ArrayList<>();
        ConnectionHandler upgrading = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                byte[] head = new byte[8];
                data.get(head);
                calls.add(new String(head, StandardCharsets.US_ASCII) + " " + connection.isReceiving());
                view.set(connection.blocking());
                assertSame(view.get(), connection.blocking());
                calls.add("then " + connection.isReceiving());
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                calls.add("closed");
            }
        };
        try (EmbeddedConnection peer = EmbeddedConnection.open(upgrading)) {
            peer.peerSends("UPGRADE straight");
            assertEquals("straight", read(view.get(), 8));
            peer.peerSends(" on");
            assertEquals(" on", read(view.get(), 3));
            assertThrows(IllegalStateException.class, () -> peer.connection().blocking());
            view.get().close();
            peer.peerEnds();
            assertTrue(peer.isClosed());
            assertEquals(List.of("UPGRADE  true", "then false", "closed"), calls);
        }
    }

    @Test
    void aViewTakenAtThePeersEndReadsTheRestAndTheEnd() throws Exception {
        AtomicReference<BlockingConnection> view = new AtomicReference<>();
        ConnectionHandler late = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                // all bytes stay unread
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                unread.get();
                view.set(connection.blocking());
            }
        };
        try (EmbeddedConnection peer = EmbeddedConnection.open(late)) {
            peer.peerSends("whole");
            peer.peerEnds();
            assertEquals("hole", read(view.get(), 4));
            assertEquals(-1, view.get().inputStream().read());
            assertFalse(peer.isClosed());
        }
    }

    // ---- drain ----

    @Test
    void aDrainWaitsForTheTask() throws Exception {
        withView((peer, view) -> {
            Call reader = new Call(() -> read(view, 4)).awaitWaiting();
            peer.drain();
            assertTrue(view.isDraining());
            assertFalse(peer.isClosed());
            peer.peerSends("rest");
            assertEquals("rest", reader.result());
            write(view, "answer");
            view.close();
            peer.peerEnds();
            assertEquals("answer", peer.peerReceives());
            assertTrue(peer.isClosed());
            assertNull(peer.closeCause());
        });
    }

    @Test
    void aDrainEndsTheWaitForTheNextRequestAndNoOther() throws Exception {
        withView((peer, view) -> {
            Call waiting = new Call(view::awaitInput).awaitWaiting();
            Call reading = new Call(() -> read(view, 1)).awaitWaiting();
            peer.drain();
            assertEquals(false, waiting.result());
            assertFalse(reading.outcome.isDone());
            peer.peerSends("xy");
            assertEquals("x", reading.result());
            assertTrue(view.awaitInput());
            assertEquals("y", read(view, 1));
            assertFalse(view.awaitInput());
        });
    }

    @Test
    void aDrainEndsTheWaitBehindAllBytesThatHaveCome() throws Exception {
        withView((peer, view) -> {
            int bytes = 1 << 20;
            peer.peerSends(ByteBuffer.allocate(bytes));
            peer.drain();
            byte[] some = new byte[10_000];
            int read = 0;
            while (view.awaitInput()) {
                read += view.read(some, 0, some.length);
            }
            assertEquals(bytes, read);
        });
    }

    @Test
    void theWaitForTheNextRequestEndsWithBytesOrThePeersEndOrItsTimeout() throws Exception {
        withView((peer, view) -> {
            view.readTimeout(Duration.ofMillis(5));
            assertThrows(SocketTimeoutException.class, view::awaitInput);
            view.readTimeout(StreamTimeouts.NEVER);
            Call waiting = new Call(view::awaitInput).awaitWaiting();
            peer.peerSends("x");
            assertEquals(true, waiting.result());
            assertEquals("x", read(view, 1));
            peer.peerEnds();
            assertFalse(view.awaitInput());
        });
    }
}
