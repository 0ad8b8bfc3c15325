package org.cabrank.stream.testkit;

import static org.cabrank.stream.testkit.BlockingViews.SMALL;
import static org.cabrank.stream.testkit.BlockingViews.read;
import static org.cabrank.stream.testkit.BlockingViews.until;
import static org.cabrank.stream.testkit.BlockingViews.withView;
import static org.cabrank.stream.testkit.BlockingViews.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.cabrank.stream.Connection;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.testkit.BlockingViews.Call;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes of a blocking view. */
@Timeout(300)
class BlockingWriteTest {
    @Test
    void aWriteLargerThanTheQueueWaitsForThePeerAndIsNeverRefused() throws Exception {
        withView(SMALL, (peer, view) -> {
            byte[] sent = new byte[200_000];
            new Random(3).nextBytes(sent);
            peer.peerTakes(0);
            Call writer = new Call(() -> view.write(ByteBuffer.wrap(sent))).awaitWaiting();
            peer.awaitIdle();
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

    /** The pool thread has gathered the bytes, which other threads do not see, and sends nothing before its task ends. */
    @Test
    void writtenBytesCountForOtherThreadsUntilTheyAreSentOrQueued() throws Exception {
        withView(SMALL, (peer, view) -> {
            Connection connection = view.connection();
            peer.peerTakes(0);
            CountDownLatch[] entered = {new CountDownLatch(1), new CountDownLatch(1)};
            CountDownLatch[] leave = {new CountDownLatch(1), new CountDownLatch(1)};
            connection.execute(() -> pass(entered[0], leave[0]));
            entered[0].await();
            connection.write(ByteBuffer.allocate(3_000));
            connection.execute(() -> pass(entered[1], leave[1]));
            leave[0].countDown();
            entered[1].await();
            try {
                assertEquals(3_000, connection.queuedBytes());
                assertThrows(WriteQueueFullException.class, () -> connection.write(ByteBuffer.allocate(5_001)));
            } finally {
                leave[1].countDown();
            }
            peer.awaitIdle();
            assertEquals(3_000, connection.queuedBytes());
        });
    }

    private static void pass(CountDownLatch entered, CountDownLatch leave) {
        entered.countDown();
        try {
            leave.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
            view.writeTimeout(Duration.ofHours(1));
            Call writer = new Call(() -> view.write(from)).awaitWaiting();
            peer.advance(Duration.ofHours(1));
            SocketTimeoutException late = writer.failure(SocketTimeoutException.class);
            assertTrue(late.bytesTransferred > 0 && late.bytesTransferred < sent.length);
            assertEquals(late.bytesTransferred, from.position());
            peer.peerTakes(EmbeddedConnection.UNLIMITED);
            view.writeTimeout(StreamTimeouts.NEVER);
            view.write(from);
            peer.awaitIdle();
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
}
