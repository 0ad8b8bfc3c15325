package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.cabrank.kernel.Errno;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Received bytes are taken in their order, and the end behind them. */
@Timeout(300)
class InboundQueueTest {
    private static long numbered(int number) {
        return InboundQueue.piece(number & 0x7fff, number, number + 1);
    }

    private static void addAll(InboundQueue queue, int from, int to) {
        for (int i = from; i < to; i++) {
            queue.add(numbered(i));
        }
    }

    private static void takeAll(InboundQueue queue, int from, int to) {
        for (int i = from; i < to; i++) {
            assertEquals(numbered(i), queue.poll());
        }
    }

    @Test
    void pieceKeepsItsFieldsApart() {
        int widest = (1 << 24) - 1;
        long piece = InboundQueue.piece(InboundQueue.COPIED, 0, widest);
        assertTrue(InboundQueue.isPiece(piece));
        assertEquals(InboundQueue.COPIED, InboundQueue.bufferId(piece));
        assertEquals(0, InboundQueue.offset(piece));
        assertEquals(widest, InboundQueue.bytes(piece));
        piece = InboundQueue.piece(3, widest, 1);
        assertEquals(3, InboundQueue.bufferId(piece));
        assertEquals(widest, InboundQueue.offset(piece));
        assertEquals(1, InboundQueue.bytes(piece));
    }

    @Test
    void piecesAreTakenInTheirOrderWhereverTheQueueGrows() {
        for (int taken = 0; taken < 4; taken++) {
            InboundQueue queue = new InboundQueue();
            addAll(queue, 0, 4);
            takeAll(queue, 0, taken);
            addAll(queue, 4, 30); // the oldest stands anywhere in the array as it grows
            assertEquals(30 - taken, queue.size());
            takeAll(queue, taken, 30);
            assertEquals(InboundQueue.NOTHING, queue.poll());
        }
    }

    @Test
    void endComesBehindThePiecesAndStays() {
        InboundQueue queue = new InboundQueue();
        addAll(queue, 0, 2);
        queue.end(-Errno.ECONNRESET);
        assertTrue(queue.hasEnded());
        assertEquals(2, queue.size());
        assertFalse(queue.isAtEnd(), "pieces stand in front");
        takeAll(queue, 0, 2);
        assertTrue(queue.isAtEnd());
        assertEquals(InboundQueue.END, queue.poll());
        assertEquals(InboundQueue.END, queue.poll());
        assertEquals(-Errno.ECONNRESET, queue.endResult());
        assertFalse(InboundQueue.isPiece(InboundQueue.END));
    }

    @Test
    void queueIsEmptyWithNeitherPieceNorEnd() {
        InboundQueue queue = new InboundQueue();
        assertTrue(queue.isEmpty());
        assertFalse(queue.hasEnded());
        assertEquals(InboundQueue.NOTHING, queue.poll());
        assertFalse(InboundQueue.isPiece(InboundQueue.NOTHING));
        queue.add(numbered(0));
        assertFalse(queue.isEmpty());
        assertEquals(1, queue.size());
        queue.poll();
        assertTrue(queue.isEmpty());
        queue.end(0);
        assertFalse(queue.isEmpty(), "the end is still to be told");
        assertEquals(0, queue.size());
    }

    @Test
    void othersStandInThePlaceOfAllPieces() {
        InboundQueue queue = new InboundQueue();
        addAll(queue, 0, 12);
        takeAll(queue, 0, 3);
        addAll(queue, 12, 18); // around the end of the array
        queue.replaceAll(present -> {
            long[] expected = new long[15];
            for (int i = 0; i < expected.length; i++) {
                expected[i] = numbered(3 + i);
            }
            assertArrayEquals(expected, present);
            return new long[] {numbered(100), numbered(101), numbered(102), numbered(103), numbered(104)};
        });
        assertEquals(5, queue.size());
        queue.add(numbered(105));
        queue.end(0);
        takeAll(queue, 100, 106);
        assertEquals(InboundQueue.END, queue.poll());
    }

    @Test
    void firstErrorStaysAndNothingIsTakenBehindIt() {
        InboundQueue queue = new InboundQueue();
        assertTrue(queue.add(numbered(0)));
        queue.end(-Errno.ECONNRESET);
        assertFalse(queue.add(numbered(1)));
        queue.end(-Errno.ETIMEDOUT);
        queue.end(0);
        takeAll(queue, 0, 1);
        assertEquals(InboundQueue.END, queue.poll());
        assertEquals(-Errno.ECONNRESET, queue.endResult());
    }

    /** The peer's end was received in order, and bytes in front of it are lost then. */
    @Test
    void errorStandsInThePlaceOfAnOrderlyEnd() {
        InboundQueue queue = new InboundQueue();
        queue.end(0);
        queue.end(InboundQueue.NO_MEMORY);
        assertTrue(queue.hasFailed());
        assertEquals(InboundQueue.NO_MEMORY, queue.endResult());
    }
}
