package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.UnreadLimitException;
import org.junit.jupiter.api.Test;

/** Pausing and resuming what comes in. */
public abstract class ReadingContract extends StreamContract {
    private static final int URGENT_BYTES = 20;

    /** A task of the connection has run: whatever was under way before it is over. */
    private static void awaitIdle(Connection connection) throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        connection.execute(ran::countDown);
        ran.await();
    }

    @Test
    void pausedInTheCallbackNothingComesUntilAnotherThreadResumes() throws Exception {
        StringBuffer read = new StringBuffer();
        Recorder recorder = new Recorder((connection, data) -> {
            if (read.isEmpty()) {
                connection.pauseReading();
            }
            read.append(Recorder.text(data));
        });
        TestClient client = client(serve(recorder)).send("first");
        Await.until("the first came", () -> read.toString().equals("first"));
        client.send("second");
        awaitIdle(recorder.connection());
        assertEquals("first", read.toString());
        recorder.connection().resumeReading();
        Await.until("the second came", () -> read.toString().equals("firstsecond"));
    }

    @Test
    void unreadBytesAreDeliveredAgainAfterResumeReading() throws Exception {
        StringBuffer read = new StringBuffer();
        Recorder recorder = new Recorder((connection, data) -> {
            read.append((char) data.get());
            if (data.hasRemaining()) {
                connection.pauseReading();
            }
        });
        client(serve(recorder)).send("abc");
        Connection connection = recorder.connection();
        for (int i = 1; i <= 3; i++) {
            int length = i;
            Await.until(i + " bytes were read", () -> read.length() == length);
            awaitIdle(connection);
            assertEquals("abc".substring(0, i), read.toString());
            connection.resumeReading();
        }
    }

    @Test
    void anotherThreadMayPause() throws Exception {
        StringBuffer read = new StringBuffer();
        Recorder recorder = new Recorder((connection, data) -> read.append(Recorder.text(data)));
        TestClient client = client(serve(recorder));
        Connection connection = recorder.connection();
        connection.pauseReading();
        awaitIdle(connection);
        client.send("text");
        awaitIdle(connection);
        awaitIdle(connection);
        assertEquals("", read.toString());
        connection.resumeReading();
        Await.until("the text came", () -> read.toString().equals("text"));
    }

    @Test
    void resumedInATaskWhatIsLeftComesAtOnce() throws Exception {
        StringBuffer read = new StringBuffer();
        Recorder recorder = new Recorder((connection, data) -> {
            read.append((char) data.get());
            if (data.hasRemaining()) {
                connection.pauseReading();
                connection.execute(connection::resumeReading);
            }
        });
        client(serve(recorder)).send("abcdef");
        Await.until("all was read", () -> read.toString().equals("abcdef"));
    }

    @Test
    void oneResumeIsEnough() throws Exception {
        StringBuffer read = new StringBuffer();
        Recorder recorder = new Recorder((connection, data) -> read.append(Recorder.text(data)));
        TestClient client = client(serve(recorder));
        Connection connection = recorder.connection();
        connection.pauseReading();
        connection.pauseReading();
        connection.resumeReading();
        client.send("text");
        Await.until("the text came", () -> read.toString().equals("text"));
    }

    @Test
    void endOfTheInputIsReportedAfterWhatWasPaused() throws Exception {
        StringBuffer read = new StringBuffer();
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                connection.pauseReading();
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                read.append(Recorder.text(data));
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                read.append("<end>");
                connection.close();
            }
        });
        TestClient client = client(serve(recorder)).send("last words").endOutput();
        awaitIdle(recorder.connection());
        assertEquals("", read.toString());
        recorder.connection().resumeReading();
        client.expectEnd();
        assertNull(recorder.awaitClosed());
        assertEquals("last words<end>", read.toString());
    }

    /** Far more than the socket buffers hold: the peer has to wait, and loses nothing. */
    @Test
    void pausedPeerIsHeldBackAndLosesNothing() throws Exception {
        int count = 8 << 20;
        long[] read = {0};
        Recorder recorder = new Recorder((connection, data) -> {
            read[0] += data.remaining();
            data.position(data.limit());
            if (read[0] < count) {
                connection.pauseReading();
                connection.execute(connection::resumeReading);
            } else {
                connection.write(Recorder.bytes("all"));
            }
        });
        TestClient client = client(serve(recorder));
        client.send(new byte[count]);
        client.expect("all");
        assertEquals(count, read[0]);
    }

    /** The socket has more than a call's worth when reading is resumed, and the handler is not called for each piece of it. */
    @Test
    void largeInputComesInLargePiecesAndSmallOnesFollow() throws Exception {
        byte[] large = randomBytes(512 << 10, 3);
        AtomicInteger largest = new AtomicInteger();
        Recorder recorder = new Recorder(new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                connection.pauseReading();
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                largest.accumulateAndGet(data.remaining(), Math::max);
                connection.write(data);
            }
        });
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(1 << 20, 2 << 20, 4 << 20)));
        TestClient client = client(reactor.listen(recorder));
        Connection connection = recorder.connection();
        for (int round = 0; round < 2; round++) {
            awaitIdle(connection);
            client.send(Arrays.copyOf(large, 128 << 10)); // as much as a multishot receive brings before it looks up
            connection.resumeReading();
            client.send(Arrays.copyOfRange(large, 128 << 10, large.length));
            assertArrayEquals(large, client.read(large.length));
            assertTrue(largest.getAndSet(0) >= 16 << 10, "the handler was given small pieces only");
            for (int small = 0; small < 40; small++) {
                client.send(small + ".").expect(small + ".");
            }
            connection.pauseReading();
        }
    }

    /** The opposite calls in one callback: the unread bytes are given again, though no further byte comes. */
    @Test
    void pausedAndResumedInOneCallbackWhatIsLeftComesAtOnce() throws Exception {
        StringBuffer read = new StringBuffer();
        Recorder recorder = new Recorder((connection, data) -> {
            read.append((char) data.get());
            if (data.hasRemaining()) {
                connection.pauseReading();
                connection.resumeReading();
            }
        });
        client(serve(recorder)).send("abcdefghij");
        Await.until("all was read", () -> read.toString().equals("abcdefghij"));
    }

    @Test
    void resumedAndPausedInOneCallbackNothingComes() throws Exception {
        StringBuffer read = new StringBuffer();
        Recorder recorder = new Recorder((connection, data) -> {
            read.append((char) data.get());
            connection.resumeReading();
            connection.pauseReading();
        });
        client(serve(recorder)).send("abc");
        Await.until("the first was read", () -> !read.isEmpty());
        awaitIdle(recorder.connection());
        awaitIdle(recorder.connection());
        assertEquals("a", read.toString());
        recorder.connection().resumeReading();
        Await.until("the second was read", () -> read.toString().equals("ab"));
    }

    /** Bytes that the handler has left because its message is not whole: a pause and its end give them again, too. */
    @Test
    void anotherThreadsPauseAndResumeGiveTheUnreadBytesAgain() throws Exception {
        StringBuffer seen = new StringBuffer();
        Recorder recorder = new Recorder((connection, data) ->
                seen.append(Recorder.text(data.duplicate())).append('.'));
        client(serve(recorder)).send("part");
        Connection connection = recorder.connection();
        Await.until("the part was seen", () -> seen.toString().equals("part."));
        connection.pauseReading();
        connection.resumeReading();
        Await.until("the part was seen again", () -> seen.toString().equals("part.part."));
        connection.resumeReading(); // reading is not paused
        awaitIdle(connection);
        awaitIdle(connection);
        assertEquals("part.part.", seen.toString());
    }

    /** The limit ends a connection whose handler resumes and reads nothing; it would be called again and again otherwise. */
    @Test
    void pauseAndResumeInOneCallbackDoNotSuspendTheUnreadLimit() throws Exception {
        int limit = 4 << 10;
        TestReactor reactor = start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withUnreadLimit(limit)));
        Recorder recorder = new Recorder((connection, data) -> {
            connection.pauseReading();
            if (data.remaining() >= limit) {
                connection.resumeReading();
            } else {
                connection.execute(connection::resumeReading);
            }
        });
        TestClient client = client(reactor.listen(recorder));
        client.send(new byte[limit]);
        assertInstanceOf(UnreadLimitException.class, recorder.awaitClosed());
    }

    /** After two calls that leave all bytes unread, the reactor looks for more bytes first. The kernel reports a reset only once. */
    @Test
    void resetBehindUnreadBytesIsNoOrderlyEnd() throws Exception {
        assertInstanceOf(IOException.class, causeOfResetBehindUnreadBytes((own, data) -> data.position(data.limit())));
    }

    /** After the reset was found, a further call of the handler could not offload: it would throw. */
    @Test
    void resetBehindUnreadBytesIsTheCauseThoughTheHandlerOffloads() throws Exception {
        assertInstanceOf(
                IOException.class,
                causeOfResetBehindUnreadBytes((own, data) -> own.offload(task -> {}, () -> "", (same, none) -> {})));
    }

    private Throwable causeOfResetBehindUnreadBytes(ConnectionHandler furtherCall) throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        Recorder recorder = new Recorder((connection, data) -> {
            if (calls.incrementAndGet() <= 2) {
                connection.pauseReading();
            } else {
                furtherCall.data(connection, data);
            }
        });
        TestReactor reactor = start();
        TestClient client = client(reactor.listen(recorder)).send("unread");
        Connection connection = recorder.connection();
        Await.until("the first call", () -> calls.get() == 1);
        awaitIdle(connection);
        connection.resumeReading();
        Await.until("the second call", () -> calls.get() == 2);
        awaitIdle(connection);
        client(reactor.listen((other, data) -> {
                    data.position(data.limit());
                    blocked.countDown();
                    goOn.await();
                }))
                .send("x");
        blocked.await();
        client.reset();
        connection.resumeReading(); // with one thread, the connection resumes before the reset is reported
        goOn.countDown();
        return recorder.awaitClosed();
    }

    /** A receive stops in front of TCP urgent data, although bytes behind them have come. */
    @Test
    void bytesBehindUrgentDataComeAtOnce() throws Exception {
        StringBuffer received = new StringBuffer();
        TestClient client = client(serve((connection, data) -> received.append(Recorder.text(data))));
        client.send("a");
        Await.until("the first byte", () -> "a".contentEquals(received));
        for (int i = 1; i <= URGENT_BYTES; i++) {
            int expected = 1 + 4 * i;
            client.send("bc");
            client.channel().socket().sendUrgentData('!');
            client.send("de");
            Await.until("bytes on both sides of the urgent byte", () -> received.length() == expected);
        }
        assertEquals("a" + "bcde".repeat(URGENT_BYTES), received.toString());
    }
}
