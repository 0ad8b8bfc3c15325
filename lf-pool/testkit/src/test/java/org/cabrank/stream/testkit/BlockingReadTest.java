package org.cabrank.stream.testkit;

import static org.cabrank.stream.testkit.BlockingViews.read;
import static org.cabrank.stream.testkit.BlockingViews.withView;
import static org.cabrank.stream.testkit.BlockingViews.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.testkit.BlockingViews.Call;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads of a blocking view. */
@Timeout(300)
class BlockingReadTest {
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
                peer.awaitIdle();
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
            peer.awaitIdle();
            assertEquals("still here", peer.peerReceives());
            assertFalse(peer.isClosed(), "the view decides when the connection ends");
            view.close();
            assertTrue(peer.isClosed());
        });
    }

    @Test
    void aReadWaitsUntilItsTimeoutAndLeavesTheConnectionUsable() throws Exception {
        withView((peer, view) -> {
            Call early = new Call(() -> view.read(ByteBuffer.allocate(1), Duration.ofHours(1))).awaitWaiting();
            peer.advance(Duration.ofHours(1).minusNanos(1));
            early.awaitWaiting();
            peer.advance(Duration.ofNanos(1));
            SocketTimeoutException late = early.failure(SocketTimeoutException.class);
            assertTrue(late.getMessage().contains("PT1H"), late.getMessage());
            view.readTimeout(Duration.ofHours(2));
            Call single = new Call(() -> view.inputStream().read()).awaitWaiting();
            peer.advance(Duration.ofHours(2));
            single.failure(SocketTimeoutException.class);
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
            view.readTimeout(Duration.ofHours(1));
            Call early = new Call(view::awaitInput).awaitWaiting();
            peer.advance(Duration.ofHours(1));
            early.failure(SocketTimeoutException.class);
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
