package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.cabrank.lf.fixture.Race;
import org.cabrank.lf.leadership.LeadershipWord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leader and watcher meet in the leadership word: what they may find is asserted of each meeting. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class LeadershipRaceTest {
    private final LeadershipWord[] words = new LeadershipWord[Race.MEETINGS];
    private final long[] begun = new long[Race.MEETINGS];
    private final boolean[] ownerWon = new boolean[Race.MEETINGS];
    private final boolean[] watcherWon = new boolean[Race.MEETINGS];

    private void prepareWords() {
        for (int i = 0; i < Race.MEETINGS; i++) {
            words[i] = new LeadershipWord();
            words[i].tryLead(1);
            begun[i] = words[i].beginProcessingRelease();
        }
    }

    private void checkWord(int meeting, int ownerIfTheOwnerWon) {
        assertTrue(ownerWon[meeting] ^ watcherWon[meeting], () -> "exactly one wins, at meeting " + meeting);
        long seen = words[meeting].wordAcquire();
        assertEquals(ownerWon[meeting] ? ownerIfTheOwnerWon : 2, LeadershipWord.owner(seen));
        assertEquals(LeadershipWord.LEADING, LeadershipWord.phase(seen));
    }

    @Test
    void eitherTheEventEndsOrItsLeaderIsDeposed() throws InterruptedException {
        Race.run(
                this::prepareWords,
                i -> ownerWon[i] = words[i].endProcessing(begun[i]),
                i -> watcherWon[i] = words[i].depose(begun[i], 2),
                i -> checkWord(i, 1));
    }

    @Test
    void eitherTheLeaderPromotesOrItIsDeposed() throws InterruptedException {
        Race.run(
                this::prepareWords,
                i -> ownerWon[i] = words[i].promote(begun[i], 3),
                i -> watcherWon[i] = words[i].depose(begun[i], 2),
                i -> checkWord(i, 3));
    }

    @Test
    void vacantWordIsTakenByOne() throws InterruptedException {
        Race.run(
                () -> IntStream.range(0, Race.MEETINGS).forEach(i -> words[i] = new LeadershipWord()),
                i -> ownerWon[i] = words[i].tryLead(1),
                i -> watcherWon[i] = words[i].tryLead(2),
                i -> checkWord(i, 1));
    }

    /** The ready list has no lock of its own. */
    @Test
    void newLeaderSeesWhatTheDeposedOneWroteBefore() throws InterruptedException {
        int[] readyList = new int[Race.MEETINGS];
        int[] seenByWatcher = new int[Race.MEETINGS];
        Race.run(
                () -> {
                    for (int i = 0; i < Race.MEETINGS; i++) {
                        words[i] = new LeadershipWord();
                        words[i].tryLead(1);
                        readyList[i] = 0;
                        seenByWatcher[i] = -1;
                    }
                },
                i -> {
                    readyList[i] = 42;
                    words[i].beginProcessingRelease();
                },
                i -> {
                    if (words[i].depose(words[i].wordAcquire(), 2)) {
                        seenByWatcher[i] = readyList[i];
                    }
                },
                i -> assertTrue(seenByWatcher[i] == -1 || seenByWatcher[i] == 42));
    }

    private static final class Rest {
        volatile boolean announced;
    }

    /** Dekker's: the watcher announces its rest and looks, the leader ends its wait and looks; one sees the other. */
    @Test
    void eitherTheLeaderSeesTheWatcherRestOrTheWatcherSeesTheWaitEnd() throws InterruptedException {
        Rest[] rests = new Rest[Race.MEETINGS];
        Race.run(
                () -> {
                    for (int i = 0; i < Race.MEETINGS; i++) {
                        words[i] = new LeadershipWord();
                        words[i].tryLead(1);
                        words[i].beginDetectingRelease();
                        rests[i] = new Rest();
                    }
                },
                i -> {
                    words[i].endDetectingVolatile();
                    ownerWon[i] = rests[i].announced;
                },
                i -> {
                    rests[i].announced = true;
                    watcherWon[i] = LeadershipWord.phase(words[i].wordVolatile()) == LeadershipWord.LEADING;
                },
                i -> assertTrue(ownerWon[i] || watcherWon[i], () -> "neither, at meeting " + i));
    }
}
