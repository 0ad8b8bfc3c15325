package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.cabrank.lf.fixture.Race;
import org.cabrank.lf.leadership.LeadershipWord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leader and standby meet in the leadership word: what they may find is asserted of each meeting. */
@Timeout(120)
@Tag("newest") // on an older JDK in a soak only
class LeadershipRaceTest {
    private final LeadershipWord[] words = new LeadershipWord[Race.MEETINGS];
    private final long[] begun = new long[Race.MEETINGS];
    private final boolean[] ownerWon = new boolean[Race.MEETINGS];
    private final boolean[] standbyWon = new boolean[Race.MEETINGS];

    private void prepareWords() {
        for (int i = 0; i < Race.MEETINGS; i++) {
            words[i] = new LeadershipWord();
            words[i].tryLead(1);
            begun[i] = words[i].beginProcessingRelease();
        }
    }

    private void checkWord(int meeting, int ownerIfTheOwnerWon) {
        assertTrue(ownerWon[meeting] ^ standbyWon[meeting], () -> "exactly one wins, at meeting " + meeting);
        long seen = words[meeting].wordAcquire();
        assertEquals(ownerWon[meeting] ? ownerIfTheOwnerWon : 2, LeadershipWord.owner(seen));
        assertEquals(LeadershipWord.LEADING, LeadershipWord.phase(seen));
    }

    @Test
    void eitherTheEventEndsOrItsLeaderIsDeposed() throws InterruptedException {
        Race.run(
                this::prepareWords,
                i -> ownerWon[i] = words[i].endProcessing(begun[i]),
                i -> standbyWon[i] = words[i].depose(begun[i], 2),
                i -> checkWord(i, 1));
    }

    @Test
    void eitherTheLeaderPromotesOrItIsDeposed() throws InterruptedException {
        Race.run(
                this::prepareWords,
                i -> ownerWon[i] = words[i].promote(begun[i], 3),
                i -> standbyWon[i] = words[i].depose(begun[i], 2),
                i -> checkWord(i, 3));
    }

    @Test
    void vacantWordIsTakenByOne() throws InterruptedException {
        Race.run(
                () -> IntStream.range(0, Race.MEETINGS).forEach(i -> words[i] = new LeadershipWord()),
                i -> ownerWon[i] = words[i].tryLead(1),
                i -> standbyWon[i] = words[i].tryLead(2),
                i -> checkWord(i, 1));
    }

    /** The ready list has no lock of its own. */
    @Test
    void newLeaderSeesWhatTheDeposedOneWroteBefore() throws InterruptedException {
        int[] readyList = new int[Race.MEETINGS];
        int[] seenByStandby = new int[Race.MEETINGS];
        Race.run(
                () -> {
                    for (int i = 0; i < Race.MEETINGS; i++) {
                        words[i] = new LeadershipWord();
                        words[i].tryLead(1);
                        readyList[i] = 0;
                        seenByStandby[i] = -1;
                    }
                },
                i -> {
                    readyList[i] = 42;
                    words[i].beginProcessingRelease();
                },
                i -> {
                    if (words[i].depose(words[i].wordAcquire(), 2)) {
                        seenByStandby[i] = readyList[i];
                    }
                },
                i -> assertTrue(seenByStandby[i] == -1 || seenByStandby[i] == 42));
    }

    private static final class Sleep {
        volatile boolean announced;
    }

    /** Dekker's: the standby announces its sleep and looks, the leader ends its wait and looks; one sees the other. */
    @Test
    void eitherTheLeaderSeesTheStandbySleepOrTheStandbySeesTheWaitEnd() throws InterruptedException {
        Sleep[] sleeps = new Sleep[Race.MEETINGS];
        Race.run(
                () -> {
                    for (int i = 0; i < Race.MEETINGS; i++) {
                        words[i] = new LeadershipWord();
                        words[i].tryLead(1);
                        words[i].beginDetectingRelease();
                        sleeps[i] = new Sleep();
                    }
                },
                i -> {
                    words[i].endDetectingVolatile();
                    ownerWon[i] = sleeps[i].announced;
                },
                i -> {
                    sleeps[i].announced = true;
                    standbyWon[i] = LeadershipWord.phase(words[i].wordVolatile()) == LeadershipWord.LEADING;
                },
                i -> assertTrue(ownerWon[i] || standbyWon[i], () -> "neither, at meeting " + i));
    }
}
