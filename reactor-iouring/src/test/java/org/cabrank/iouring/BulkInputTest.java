package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BulkInputTest {
    private static final int BUFFER = 4 << 10;
    private static final int RECEIVE_BUFFER = 64 << 10;

    private final BulkInput bulk = new BulkInput();

    private boolean begins(int bytes) {
        return bulk.begins(InboundQueue.piece(1, 0, bytes), BUFFER, RECEIVE_BUFFER);
    }

    private void begin() {
        for (int bytes = BUFFER; bytes < BulkInput.BEGIN_BYTES; bytes += BUFFER) {
            assertFalse(begins(BUFFER));
        }
        assertTrue(begins(BUFFER));
    }

    /** One receive, and what the claim holder reads behind it. */
    private void turn(int bytes) {
        bulk.asked();
        assertFalse(bulk.mayHaveMore());
        bulk.received(1);
        assertTrue(bulk.mayHaveMore());
        bulk.read(bytes - 1, bytes);
        assertFalse(bulk.mayHaveMore());
    }

    @Test
    void fullPiecesInARowBeginBulkInput() {
        begin();
        assertTrue(bulk.isUnderWay());
        assertTrue(bulk.mayHaveMore());
    }

    @Test
    void pieceThatDoesNotFillItsBufferBreaksTheRow() {
        for (int i = 0; i < 100; i++) {
            assertFalse(begins(i % 7 == 0 ? BUFFER - 1 : BUFFER));
        }
    }

    @Test
    void receiveBufferAsSmallAsAProvidedBufferNeverBeginsIt() {
        for (int i = 0; i < 100; i++) {
            assertFalse(bulk.begins(InboundQueue.piece(1, 0, BUFFER), BUFFER, BUFFER));
        }
    }

    @Test
    void readThatFillsItsRoomMayHaveLeftMore() {
        begin();
        bulk.read(1_000, 1_000);
        assertTrue(bulk.mayHaveMore());
        bulk.paused();
        assertFalse(bulk.mayHaveMore());
    }

    @Test
    void smallTurnsInARowEndIt() {
        begin();
        for (int i = 1; i < BulkInput.SMALL_MAX; i++) {
            turn(100);
            assertTrue(bulk.isUnderWay());
        }
        turn(BulkInput.SMALL_BYTES);
        for (int i = 1; i <= BulkInput.SMALL_MAX; i++) {
            assertTrue(bulk.isUnderWay());
            turn(100);
        }
        assertFalse(bulk.isUnderWay());
        begin();
    }

    @Test
    void manyReadsOfOneTurnCountTogether() {
        begin();
        for (int i = 0; i < 10 * BulkInput.SMALL_MAX; i++) {
            bulk.read(1_000, 1_000);
        }
        bulk.paused();
        assertTrue(bulk.isUnderWay());
    }
}
