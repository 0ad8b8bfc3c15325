package org.cabrank.lf.leadership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.cabrank.lf.PoolConfig;
import org.junit.jupiter.api.Test;

class LeadershipWordTest {
    private final LeadershipWord word = new LeadershipWord();

    private void assertWord(long sequence, int owner, int phase) {
        long seen = word.wordAcquire();
        assertEquals(sequence, LeadershipWord.sequence(seen));
        assertEquals(owner, LeadershipWord.owner(seen));
        assertEquals(phase, LeadershipWord.phase(seen));
    }

    @Test
    void fieldsLieWhereTheDrawingSaysSo() {
        long drawn = 0x1234_5678_9abcL << 16 | 0x2bcdL << 2 | LeadershipWord.PROCESSING;
        assertEquals(0x1234_5678_9abcL, LeadershipWord.sequence(drawn));
        assertEquals(0x2bcd, LeadershipWord.owner(drawn));
        assertEquals(LeadershipWord.PROCESSING, LeadershipWord.phase(drawn));
        assertEquals((1L << 48) - 1, LeadershipWord.sequence(-1L));
        assertEquals(LeadershipWord.OWNER_MAX, LeadershipWord.owner(-1L));
        assertTrue(LeadershipWord.OWNER_MAX >= PoolConfig.THREADS_MAX);
    }

    @Test
    void vacantWordIsTakenByTheFirst() {
        assertWord(0, 0, LeadershipWord.LEADING);
        assertTrue(word.tryLead(LeadershipWord.OWNER_MAX));
        assertFalse(word.tryLead(1));
        assertWord(0, LeadershipWord.OWNER_MAX, LeadershipWord.LEADING);
    }

    @Test
    void detectingComesAndGoesWithoutCounting() {
        word.tryLead(3);
        word.beginDetectingRelease();
        assertWord(0, 3, LeadershipWord.DETECTING);
        word.endDetectingVolatile();
        assertWord(0, 3, LeadershipWord.LEADING);
    }

    @Test
    void everyEventBegunHasANumberOfItsOwn() {
        word.tryLead(3);
        long first = word.beginProcessingRelease();
        assertWord(1, 3, LeadershipWord.PROCESSING);
        assertTrue(word.endProcessing(first));
        assertWord(1, 3, LeadershipWord.LEADING);
        long second = word.beginProcessingRelease();
        assertWord(2, 3, LeadershipWord.PROCESSING);
        assertNotEquals(first, second);
        assertFalse(word.endProcessing(first), "that event is over");
        assertFalse(word.depose(first, 4), "that event is over");
        assertTrue(word.endProcessing(second));
    }

    @Test
    void deposedLeaderNeitherEndsNorPromotes() {
        word.tryLead(3);
        long begun = word.beginProcessingRelease();
        assertTrue(word.depose(begun, 4));
        assertWord(1, 4, LeadershipWord.LEADING);
        assertFalse(word.endProcessing(begun));
        assertFalse(word.promote(begun, 5));
        assertFalse(word.depose(begun, 6));
        assertWord(1, 4, LeadershipWord.LEADING);
    }

    @Test
    void leaderThatHasPromotedNeitherEndsNorIsDeposed() {
        word.tryLead(3);
        long begun = word.beginProcessingRelease();
        assertTrue(word.promote(begun, 4));
        assertWord(1, 4, LeadershipWord.LEADING);
        assertFalse(word.endProcessing(begun));
        assertFalse(word.depose(begun, 5));
        assertFalse(word.promote(begun, 5));
    }

    @Test
    void leaderThatHasEndedIsNotDeposed() {
        word.tryLead(3);
        long begun = word.beginProcessingRelease();
        assertTrue(word.endProcessing(begun));
        assertFalse(word.depose(begun, 4));
        assertFalse(word.promote(begun, 4));
        assertWord(1, 3, LeadershipWord.LEADING);
    }

    @Test
    void promotingNobodyLeavesTheWordVacant() {
        word.tryLead(3);
        long begun = word.beginProcessingRelease();
        assertTrue(word.promote(begun, 0));
        assertWord(1, 0, LeadershipWord.LEADING);
        assertTrue(word.tryLead(4));
        assertWord(1, 4, LeadershipWord.LEADING);
    }

    @Test
    void onlyAProcessingLeaderCanBeDeposed() {
        word.tryLead(3);
        assertFalse(word.depose(word.wordAcquire(), 4));
        word.beginDetectingRelease();
        assertFalse(word.depose(word.wordAcquire(), 4));
        assertWord(0, 3, LeadershipWord.DETECTING);
    }

    @Test
    void handOverCountsTheEventsItPasses() {
        word.tryLead(3);
        word.handOverVolatile(4, 1);
        assertWord(1, 4, LeadershipWord.LEADING);
        word.handOverVolatile(0, 0);
        assertWord(1, 0, LeadershipWord.LEADING);
    }

    @Test
    void leadershipWordIsDescribedInText() {
        assertEquals("vacant #0", word.toString());
        word.tryLead(3);
        assertEquals("thread 3 leading #0", word.toString());
        word.beginDetectingRelease();
        assertEquals("thread 3 detecting #0", word.toString());
        word.endDetectingVolatile();
        word.beginProcessingRelease();
        assertEquals("thread 3 processing #1", word.toString());
    }
}
