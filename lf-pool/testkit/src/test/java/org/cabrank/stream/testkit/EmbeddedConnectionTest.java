package org.cabrank.stream.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.Reply;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.DeadlineException;
import org.cabrank.stream.IdleTimeoutException;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.ScheduledTask;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.WriteCompletion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class EmbeddedConnectionTest {
    private static ByteBuffer utf8(String text) {
        return StandardCharsets.UTF_8.encode(text);
    }

    @Test
    void anEchoAnswersAtOnce() {
        try (EmbeddedConnection echo = EmbeddedConnection.open((connection, data) -> connection.write(data))) {
            echo.peerSends("hello");
            assertEquals("hello", echo.peerReceives());
            assertEquals("", echo.peerReceives());
            assertFalse(echo.isClosed());
        }
    }

    @Test
    void filesAreSentAsFarAsThePeerTakesThem(@TempDir Path dir) throws Exception {
        byte[] content = new byte[3_000_000]; // more than one turn
        new Random(2).nextBytes(content);
        List<String> written = new ArrayList<>();
        try (ReactorFile file = EmbeddedConnection.openFile(Files.write(dir.resolve("file"), content));
                EmbeddedConnection connection = EmbeddedConnection.open((own, data) -> {
                    data.position(data.limit());
                    own.sendFile(file, 0, content.length);
                    own.write(utf8("tail"));
                    own.whenWritten((same, failure) -> written.add(failure == null ? "sent" : "failed"));
                })) {
            connection.peerTakes(100_000);
            connection.peerSends("x");
            assertEquals(2_900_004, connection.connection().queuedBytes());
            assertArrayEquals(
                    Arrays.copyOf(content, 100_000),
                    connection.peerReceivesBytes().array());
            connection.peerTakes(EmbeddedConnection.UNLIMITED);
            byte[] rest = connection.peerReceivesBytes().array();
            assertArrayEquals(Arrays.copyOfRange(content, 100_000, content.length), Arrays.copyOf(rest, 2_900_000));
            assertEquals(2_900_004, rest.length);
            assertEquals(List.of("sent"), written);
        }
    }

    @Test
    void completionsOfWritesFollowWhatThePeerTakes() {
        List<String> written = new ArrayList<>();
        try (EmbeddedConnection connection = EmbeddedConnection.open((own, data) -> {
            own.write(utf8("12345"));
            own.whenWritten((same, failure) -> written.add(failure == null ? "five" : "failed"));
            own.write(data);
            own.whenWritten((same, failure) -> written.add(failure == null ? "all" : "failed"));
        })) {
            connection.peerTakes(4);
            connection.peerSends("67");
            assertEquals(List.of(), written);
            connection.peerTakes(1);
            assertEquals(List.of("five"), written);
            CompletableFuture<Void> later = WriteCompletion.future(connection.connection());
            connection.awaitIdle();
            assertFalse(later.isDone());
            connection.peerTakes(2);
            assertEquals(List.of("five", "all"), written);
            assertTrue(later.isDone());
            assertEquals("1234567", connection.peerReceives());
            connection.peerTakes(0);
            connection.peerSends("8");
            connection.peerResets();
            assertEquals(List.of("five", "all", "failed", "failed"), written);
            assertTrue(WriteCompletion.future(connection.connection()).isCompletedExceptionally());
        }
    }

    @Test
    void largeAnswersArriveWholeFromHeapAndDirectBuffers() {
        byte[] sent = new byte[300_000];
        new Random(1).nextBytes(sent);
        for (boolean direct : new boolean[] {false, true}) {
            try (EmbeddedConnection echo = EmbeddedConnection.open((connection, data) -> {
                ByteBuffer copy =
                        direct ? ByteBuffer.allocateDirect(data.remaining()) : ByteBuffer.allocate(data.remaining());
                connection.write(copy.put(data).flip());
            })) {
                echo.peerSends(ByteBuffer.wrap(sent));
                ByteBuffer got = echo.peerReceivesBytes();
                assertArrayEquals(sent, got.array());
            }
        }
    }

    @Test
    void twoPiecesAreOneWriteOrNone() {
        StreamLimits limits = StreamLimits.DEFAULT.withQueue(0, 4, 4);
        List<String> refusals = new ArrayList<>();
        try (EmbeddedConnection pieces = EmbeddedConnection.open(
                (connection, data) -> {
                    data.position(data.limit());
                    ByteBuffer head = utf8("abc");
                    ByteBuffer body = utf8("de");
                    try {
                        connection.write(head, body);
                    } catch (RuntimeException full) {
                        refusals.add(head.remaining() + " and " + body.remaining() + " left");
                    }
                    connection.write(utf8("1"), utf8("23"));
                },
                limits,
                StreamTimeouts.DEFAULT)) {
            pieces.peerSends("go");
            assertEquals(List.of("3 and 2 left"), refusals);
            assertEquals("123", pieces.peerReceives());
            pieces.connection().write(utf8("x"), utf8("yz"));
            pieces.awaitIdle();
            assertEquals("xyz", pieces.peerReceives());
        }
    }

    @Test
    void bytesThatTheSocketDoesNotTakeAreQueuedUntilItDoes() {
        List<String> calls = new ArrayList<>();
        ConnectionHandler handler = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.write(data);
            }

            @Override
            public void writable(Connection connection) {
                calls.add("writable");
            }
        };
        StreamLimits limits = StreamLimits.DEFAULT.withQueue(0, 4, 100);
        try (EmbeddedConnection slow = EmbeddedConnection.open(handler, limits, StreamTimeouts.DEFAULT)) {
            slow.peerTakes(3);
            slow.peerSends("0123456789");
            assertEquals("012", slow.peerReceives());
            assertEquals(7, slow.connection().queuedBytes());
            assertEquals(List.of(), calls);
            slow.peerTakes(EmbeddedConnection.UNLIMITED);
            assertEquals("3456789", slow.peerReceives());
            assertEquals(List.of("writable"), calls);
        }
    }

    @Test
    void connectionIsWritableUpToTheHighWatermark() {
        List<String> seen = new ArrayList<>();
        ConnectionHandler handler = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.write(data);
                seen.add("after data: " + connection.isWritable());
            }

            @Override
            public void writable(Connection connection) {
                seen.add("writable: " + connection.isWritable());
            }
        };
        StreamLimits limits = StreamLimits.DEFAULT.withQueue(1, 4, 100);
        try (EmbeddedConnection slow = EmbeddedConnection.open(handler, limits, StreamTimeouts.DEFAULT)) {
            slow.peerTakes(0);
            slow.peerSends("1234");
            assertTrue(slow.connection().isWritable());
            slow.connection().write(utf8("5"));
            slow.awaitIdle();
            assertFalse(slow.connection().isWritable());
            slow.awaitIdle();
            slow.peerTakes(3);
            assertTrue(slow.connection().isWritable());
            assertEquals(List.of("after data: true"), seen);
            slow.peerTakes(1);
            assertEquals(List.of("after data: true", "writable: true"), seen);
            slow.peerTakes(EmbeddedConnection.UNLIMITED);
            assertEquals(List.of("after data: true", "writable: true"), seen);
        }
    }

    /** The socket takes the bytes at once, so that the queue itself never passes the watermark. */
    @Test
    void writableFollowsEachAnswerThatTheConnectionIsNotWritable() {
        List<String> calls = new ArrayList<>();
        ConnectionHandler handler = new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.write(data);
                calls.add("data " + connection.isWritable());
            }

            @Override
            public void writable(Connection connection) {
                calls.add("writable " + connection.isWritable());
            }
        };
        StreamLimits limits = StreamLimits.DEFAULT.withQueue(1, 4, 100);
        try (EmbeddedConnection fast = EmbeddedConnection.open(handler, limits, StreamTimeouts.DEFAULT)) {
            fast.peerSends("12345");
            assertEquals(List.of("data false", "writable true"), calls);
        }
    }

    @Test
    void scheduledTasksRunInTimeUntilTheConnectionCloses() {
        try (EmbeddedConnection echo = EmbeddedConnection.open((connection, data) -> connection.write(data))) {
            Connection connection = echo.connection();
            Runnable tick = () -> connection.write(utf8("t"));
            ScheduledTask once = connection.schedule(Duration.ofSeconds(2), () -> connection.write(utf8("once")));
            ScheduledTask cancelled = connection.schedule(Duration.ofSeconds(2), () -> connection.write(utf8("no")));
            ScheduledTask every = connection.scheduleEvery(Duration.ofSeconds(3), Duration.ofSeconds(1), tick);
            assertTrue(cancelled.cancel());
            assertFalse(cancelled.cancel());
            echo.advance(Duration.ofMillis(1_999));
            assertEquals("", echo.peerReceives());
            assertTrue(once.isActive());
            echo.advance(Duration.ofMillis(1));
            assertEquals("once", echo.peerReceives());
            assertFalse(once.isActive());
            assertFalse(once.cancel());
            echo.advance(Duration.ofSeconds(1));
            assertEquals("t", echo.peerReceives());
            echo.advance(Duration.ofMillis(2_500));
            assertEquals("t", echo.peerReceives());
            echo.advance(Duration.ofMillis(500));
            assertEquals("t", echo.peerReceives());
            connection.close();
            echo.awaitIdle();
            echo.advance(Duration.ofSeconds(2));
            assertEquals("", echo.peerReceives());
            echo.peerEnds();
            assertTrue(echo.isClosed());
            assertFalse(every.isActive());
            assertThrows(RejectedExecutionException.class, () -> connection.schedule(Duration.ZERO, tick));
            assertThrows(
                    IllegalArgumentException.class, () -> connection.scheduleEvery(Duration.ZERO, Duration.ZERO, tick));
        }
    }

    @Test
    void taskThatCancelsItselfRunsNoMoreAndOneThatThrowsClosesTheConnection() {
        ConnectionHandler handler = (connection, data) -> data.position(data.limit());
        try (EmbeddedConnection silent = EmbeddedConnection.open(handler)) {
            Connection connection = silent.connection();
            List<ScheduledTask> own = new ArrayList<>();
            own.add(connection.scheduleEvery(Duration.ofSeconds(1), Duration.ofSeconds(1), () -> {
                connection.write(utf8("x"));
                assertTrue(own.get(0).cancel());
            }));
            silent.advance(Duration.ofSeconds(1));
            silent.advance(Duration.ofSeconds(5));
            assertEquals("x", silent.peerReceives());
            connection.schedule(Duration.ZERO, () -> {
                throw new IllegalStateException("on purpose");
            });
            silent.awaitIdle();
            assertTrue(silent.isClosed());
            assertEquals("on purpose", silent.closeCause().getMessage());
        }
    }

    @Test
    void theEndOfThePeerFollowsItsBytesAndClosesByDefault() {
        try (EmbeddedConnection echo = EmbeddedConnection.open((connection, data) -> connection.write(data))) {
            echo.peerSends("last");
            echo.peerEnds();
            assertEquals("last", echo.peerReceives());
            assertTrue(echo.isOutputEnded());
            assertTrue(echo.isClosed());
            assertNull(echo.closeCause());
            assertThrows(IllegalStateException.class, () -> echo.peerSends("more"));
        }
    }

    @Test
    void aResetReachesTheHandler() {
        try (EmbeddedConnection reset = EmbeddedConnection.open((connection, data) -> {})) {
            reset.peerResets();
            assertTrue(reset.isClosed());
            assertInstanceOf(IOException.class, reset.closeCause());
        }
    }

    @Test
    void aHandlersExceptionIsTheCauseOfTheClose() {
        IllegalStateException broken = new IllegalStateException("broken");
        try (EmbeddedConnection failing = EmbeddedConnection.open((connection, data) -> {
            throw broken;
        })) {
            failing.peerSends("x");
            assertEquals(broken, failing.closeCause());
        }
    }

    @Test
    void timeOutsPassWithTheVirtualClock() {
        StreamTimeouts timeouts = StreamTimeouts.DEFAULT.withIdle(Duration.ofMinutes(5));
        try (EmbeddedConnection idle = EmbeddedConnection.open(
                (connection, data) -> data.position(data.limit()), StreamLimits.DEFAULT, timeouts)) {
            idle.advance(Duration.ofMinutes(4));
            idle.peerSends("alive");
            idle.advance(Duration.ofMinutes(4));
            assertFalse(idle.isClosed());
            idle.advance(Duration.ofMinutes(2));
            assertInstanceOf(IdleTimeoutException.class, idle.closeCause());
        }
    }

    @Test
    void aDeadlinePassesWithTheVirtualClock() {
        try (EmbeddedConnection late = EmbeddedConnection.open((connection, data) -> {})) {
            late.connection().deadline(Duration.ofSeconds(10));
            late.awaitIdle();
            late.advance(Duration.ofSeconds(9));
            assertFalse(late.isClosed());
            late.advance(Duration.ofSeconds(2));
            assertInstanceOf(DeadlineException.class, late.closeCause());
        }
    }

    @Test
    void pausedReadingDeliversWhenItIsResumed() {
        List<String> got = new ArrayList<>();
        try (EmbeddedConnection paused = EmbeddedConnection.open((connection, data) ->
                got.add(StandardCharsets.UTF_8.decode(data).toString()))) {
            paused.connection().pauseReading();
            paused.awaitIdle();
            paused.peerSends("later");
            assertEquals(List.of(), got);
            paused.connection().resumeReading();
            paused.awaitIdle();
            assertEquals(List.of("later"), got);
        }
    }

    @Test
    void offloadedWorkContinuesInTheConnection() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        try (EmbeddedConnection offloading = EmbeddedConnection.open((connection, data) -> {
            data.position(data.limit());
            connection.offload(Runnable::run, () -> "answer", (own, answer) -> {
                own.write(utf8(answer));
                done.countDown();
            });
        })) {
            offloading.peerSends("question");
            assertTrue(done.await(120, TimeUnit.SECONDS));
            assertEquals("answer", offloading.peerReceives());
        }
    }

    @Test
    void aNestedWaitLetsTheTestGoOn() {
        List<Reply<String>> replies = new ArrayList<>();
        try (EmbeddedConnection waiting = EmbeddedConnection.open((connection, data) -> {
            data.position(data.limit());
            Reply<String> reply = connection.newReply();
            replies.add(reply);
            connection.write(utf8(reply.await(Duration.ofSeconds(120))));
        })) {
            waiting.peerSends("question");
            assertEquals("", waiting.peerReceives());
            replies.get(0).complete("answer");
            waiting.awaitIdle();
            assertEquals("answer", waiting.peerReceives());
        }
    }

    @Test
    void aDrainClosesAnIdleConnection() {
        try (EmbeddedConnection drained = EmbeddedConnection.open((connection, data) -> connection.write(data))) {
            drained.peerSends("x");
            drained.drain();
            assertTrue(drained.isOutputEnded());
            drained.peerEnds();
            assertTrue(drained.isClosed());
        }
    }

    @Test
    void closingReportsTheEndToTheHandler() {
        List<Throwable> ends = new ArrayList<>();
        EmbeddedConnection open = EmbeddedConnection.open(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {}

            @Override
            public void closed(Connection connection, Throwable cause) {
                ends.add(cause);
            }
        });
        open.close();
        open.close();
        assertEquals(1, ends.size());
        assertTrue(open.isClosed());
    }

    /** The other thread writes as soon as a task of the connection has run behind its last write, so that the mail never ends. */
    @Test
    void bytesThatThePeerHasTakenDoNotCountAgainstAnotherThread() throws Exception {
        int pieceBytes = 16 << 10;
        int pieces = 100;
        StreamLimits limits = StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, 512 << 10);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (EmbeddedConnection embedded = EmbeddedConnection.open(
                (connection, data) -> data.position(data.limit()), limits, StreamTimeouts.DEFAULT)) {
            Connection connection = embedded.connection();
            int[] written = {0};
            Runnable[] task = {null};
            Runnable writing = () -> {
                connection.write(ByteBuffer.allocate(pieceBytes));
                connection.execute(task[0]);
            };
            task[0] = () -> {
                if (written[0]++ < pieces) {
                    CompletableFuture.runAsync(writing, other).join();
                }
            };
            connection.execute(task[0]);
            embedded.awaitIdle();
            assertNull(embedded.closeCause());
            assertEquals(pieces * pieceBytes, embedded.peerReceivesBytes().remaining());
        } finally {
            other.shutdown();
        }
    }
}
