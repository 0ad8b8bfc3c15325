package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.WriteQueueFullException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds of what other threads hand to a connection whose callback runs, and the outcome at each bound. */
public abstract class MailboxContract extends StreamContract {
    private static final int LIMIT = 100;

    private static final int DEEP_ROUNDS = 2;
    private static final byte[] LETTER = {'x'};

    private HeldHandler held = new HeldHandler();
    private final AtomicInteger ran = new AtomicInteger();
    private final AtomicInteger writable = new AtomicInteger();
    private TestReactor reactor;
    private TestClient client;
    private Connection connection;

    /** A connection whose callback runs until {@link #held} is released. */
    private void hold(StreamLimits limits) throws Exception {
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        reactor = start(StreamReactor.builder().limits(limits).drainTimeout(Duration.ofSeconds(2)));
        client = client(reactor.listen(new ConnectionHandler() {
            @Override
            public void opened(Connection own) {
                opened.complete(own);
            }

            @Override
            public void data(Connection own, ByteBuffer data) throws Exception {
                held.data(own, data);
            }

            @Override
            public void writable(Connection own) {
                writable.incrementAndGet();
            }
        }));
        client.send("go");
        held.awaitEntered();
        connection = opened.get();
    }

    private void holdWithFullMailbox() throws Exception {
        hold(StreamLimits.DEFAULT.withMailboxMax(LIMIT));
        for (int i = 0; i < LIMIT; i++) {
            connection.execute(ran::incrementAndGet);
        }
    }

    @Test
    void callbackThatFillsTheMailboxOfItsOwnConnectionIsRefusedToo() throws Exception {
        CompletableFuture<String> outcome = new CompletableFuture<>();
        TestReactor other = start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withMailboxMax(LIMIT)));
        TestClient filling = client(other.listen((own, data) -> {
            data.position(data.limit());
            int accepted = 0;
            try {
                while (accepted <= LIMIT) {
                    own.execute(ran::incrementAndGet);
                    accepted++;
                }
                outcome.complete("not refused");
            } catch (RejectedExecutionException full) {
                outcome.complete("refused after " + accepted);
            }
            own.write(Recorder.bytes("answer"));
        }));
        filling.send("go").expect("answer");
        assertEquals("refused after " + LIMIT, outcome.get());
        Await.until("all have run", () -> ran.get() == LIMIT);
        filling.send("again").expect("answer");
    }

    @Test
    void taskThatHandsItselfOverAgainFindsRoom() throws Exception {
        hold(StreamLimits.DEFAULT.withMailboxMax(16));
        connection.execute(new Runnable() {
            @Override
            public void run() {
                if (ran.incrementAndGet() < LIMIT) {
                    connection.execute(this);
                }
            }
        });
        held.release();
        Await.until("it has run as often as it wanted", () -> ran.get() == LIMIT);
    }

    @Test
    void closeIsNotRefusedByAFullMailbox() throws Exception {
        holdWithFullMailbox();
        connection.close();
        connection.close();
        held.release();
        client.expectEnd();
        assertEquals(LIMIT, ran.get());
    }

    @Test
    void abortIsNotRefusedByAFullMailbox() throws Exception {
        holdWithFullMailbox();
        connection.abort();
        held.release();
        Await.until("tasks that were accepted have run", () -> ran.get() == LIMIT);
        Await.until("it is closed", () -> isGone());
    }

    private boolean isGone() {
        return reactor.streamCount() == mode().shards(); // the listeners are left
    }

    @Test
    void moveIsNotRefusedByAFullMailboxAndReplacesTheOneBefore() throws Exception {
        holdWithFullMailbox();
        List<CompletableFuture<Boolean>> moves = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            moves.add(connection.moveTo(0));
        }
        assertTrue(moves.get(0).isDone(), "replaced, and so not kept");
        assertFalse(moves.get(0).get());
        assertFalse(moves.get(1).get());
        assertFalse(moves.get(2).isDone());
        held.release();
        assertTrue(moves.get(2).get());
    }

    @Test
    void latestOfPauseAndResumeActsThoughTheMailboxIsFull() throws Exception {
        holdWithFullMailbox();
        for (int i = 0; i < LIMIT; i++) {
            connection.pauseReading();
            connection.resumeReading();
            connection.deadline(Duration.ofMinutes(1));
        }
        assertThrows(RejectedExecutionException.class, () -> connection.execute(ran::incrementAndGet));
        connection.shutdownOutput();
        held.release();
        client.expectEnd();
        client.close(); // found only by a connection that reads
        Await.until("it is closed", this::isGone);
        assertEquals(LIMIT, ran.get());
    }

    /** An array of this size is never available, whatever the heap. */
    @Test
    void writeThatFindsNoHeapForItsCopyLeavesNothingCounted(@TempDir Path directory) throws Exception {
        hold(StreamLimits.DEFAULT
                .withQueue(1 << 10, 64 << 10, Long.MAX_VALUE / 2)
                .withMailboxMax(16));
        try (FileChannel file = FileChannel.open(
                directory.resolve("sparse"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            ByteBuffer huge = file.map(FileChannel.MapMode.READ_WRITE, 0, Integer.MAX_VALUE);
            assertThrows(OutOfMemoryError.class, () -> connection.write(huge));
            assertEquals(Integer.MAX_VALUE, huge.remaining());
        }
        assertEquals(0, connection.queuedBytes());
        connection.write(Recorder.bytes("fits")); // the only place is free
        held.release();
        client.expect("fits");
    }

    @Test
    void taskThatOverflowsAfterTheEndKeepsNothingFromTheOthers() throws Exception {
        CompletableFuture<Throwable> closed = new CompletableFuture<>();
        TestReactor other = start(StreamReactor.builder().drainTimeout(Duration.ofSeconds(2)));
        client(other.listen(new ConnectionHandler() {
                    @Override
                    public void data(Connection own, ByteBuffer data) {
                        own.execute(() -> {
                            throw new StackOverflowError("on purpose");
                        });
                        own.execute(ran::incrementAndGet);
                        own.abort(); // and the bytes are left unread
                    }

                    @Override
                    public void closed(Connection own, Throwable cause) {
                        closed.complete(new Throwable("closed", cause));
                    }
                }))
                .send("go");
        Await.until("it is closed", closed::isDone);
        assertEquals(1, ran.get());
        Await.until("no chunk is in use", () -> other.chunksInUse() == 0);
    }

    /** With a full mailbox, too: whoever waited for writable would wait indefinitely. */
    @Test
    void writeThatNeverFitsIsNotToBeTriedAgain() throws Exception {
        hold(StreamLimits.DEFAULT.withQueue(1 << 10, 2 << 10, 4 << 10).withMailboxMax(LIMIT));
        for (int i = 0; i < LIMIT; i++) {
            connection.execute(ran::incrementAndGet);
        }
        assertFalse(refusalOf((4 << 10) + 1).mayRetry());
        assertTrue(refusalOf(4 << 10).mayRetry());
        held.release();
        Await.until("the handler is told of room", () -> writable.get() == 1);
    }

    /** In a thread of its own: {@code call} is made at each depth of a stack that ends, from the deepest on. */
    private static void atEachDepth(int round, Runnable call) throws Exception {
        Thread outsider = new Thread(null, () -> descend(call, round), "outsider", (256 + 8 * round) * 1024L);
        outsider.setUncaughtExceptionHandler((thread, overflow) -> {}); // as intended
        outsider.start();
        outsider.join();
    }

    private static int descend(Runnable call, int padding) {
        try {
            return descend(call, padding) + padding;
        } finally {
            call.run();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void interruptThatATaskLeavesIsNotSeenByTheNext(boolean aborted) throws Exception {
        hold(StreamLimits.DEFAULT);
        List<Boolean> seen = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 3; i++) {
            connection.execute(() -> {
                seen.add(Thread.currentThread().isInterrupted());
                Thread.currentThread().interrupt();
            });
        }
        if (aborted) { // the tasks run last of all
            connection.abort();
        }
        held.release();
        Await.until("all have run", () -> seen.size() == 3);
        assertEquals(List.of(false, false, false), seen);
    }

    @Test
    void refusalInAThreadWhoseStackEndsKeepsNoWritableFromOthers() throws Exception {
        for (int round = 0; round < DEEP_ROUNDS; round++) {
            ran.set(0);
            writable.set(0);
            holdWithFullMailbox();
            AtomicInteger refused = new AtomicInteger();
            atEachDepth(round, () -> {
                if (refused.get() == 0) {
                    try {
                        connection.write(ByteBuffer.allocate(1));
                    } catch (WriteQueueFullException full) {
                        refused.incrementAndGet();
                    }
                }
            });
            assertEquals(1, refused.get());
            held.release();
            Await.until("the handler is told of room", () -> writable.get() > 0);
            closeWhatWasOpened();
            held = new HeldHandler();
        }
    }

    @Test
    void taskHandedOverWhereTheStackEndsIsAcceptedOrNot() throws Exception {
        for (int round = 0; round < DEEP_ROUNDS; round++) {
            ran.set(0);
            hold(StreamLimits.DEFAULT);
            AtomicInteger accepted = new AtomicInteger();
            Runnable task = ran::incrementAndGet;
            atEachDepth(round, () -> {
                if (accepted.get() < 10) {
                    connection.execute(task);
                    accepted.incrementAndGet();
                }
            });
            assertEquals(10, accepted.get());
            held.release();
            AtomicInteger last = new AtomicInteger();
            connection.execute(last::incrementAndGet);
            Await.until("the last task has run", () -> last.get() == 1);
            assertEquals(10, ran.get());
            closeWhatWasOpened();
            held = new HeldHandler();
        }
    }

    @Test
    void writeHandedOverWhereTheStackEndsIsAcceptedOrNot() throws Exception {
        for (int round = 0; round < DEEP_ROUNDS; round++) {
            hold(StreamLimits.DEFAULT);
            AtomicInteger accepted = new AtomicInteger();
            atEachDepth(round, () -> {
                if (accepted.get() < 10) {
                    connection.write(ByteBuffer.wrap(LETTER));
                    accepted.incrementAndGet();
                }
            });
            connection.write(Recorder.bytes("!"));
            held.release();
            client.expect("x".repeat(10) + "!");
            Await.until("nothing counts as queued", () -> connection.queuedBytes() == 0);
            closeWhatWasOpened();
            held = new HeldHandler();
        }
    }

    private WriteQueueFullException refusalOf(int bytes) {
        return assertThrows(WriteQueueFullException.class, () -> connection.write(ByteBuffer.allocate(bytes)));
    }
}
