package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.fixture.Race;
import org.cabrank.lf.leadership.Candidate;
import org.cabrank.lf.leadership.Followers;
import org.cabrank.lf.leadership.LeadershipListener;
import org.cabrank.lf.leadership.LeadershipWord;
import org.cabrank.lf.leadership.Parking;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread of the pool gives up leadership and its place in the line, as it does after an error. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class GivingUpTest {
    private static final int LEADER = 1;
    private static final int STAYS = 2;
    private static final int GIVES_UP = 3;

    private final FailureLog failures = new FailureLog(GivingUpTest.class);

    /** A set with a leader, a follower that stays, and the next leader. */
    private final class Line {
        private final LeadershipWord word = new LeadershipWord();
        private final Followers followers = new Followers(
                new LeadershipWord[] {word},
                PromotionOrder.lifo().newQueue(failures),
                Parking.SYSTEM,
                LeadershipListener.NONE);
        private final Candidate next = new Candidate(GIVES_UP, null);

        Line() {
            followers.leadOrFollow(new Candidate(LEADER, null));
            followers.leadOrFollow(new Candidate(STAYS, null));
            followers.leadOrFollow(next);
        }

        int owner() {
            return LeadershipWord.owner(word.wordAcquire());
        }
    }

    @Test
    void followerThatIsPromotedAtThatMomentHandsOver() throws InterruptedException {
        Line[] lines = new Line[Race.MEETINGS];
        Race.run(
                () -> Arrays.setAll(lines, i -> new Line()),
                i -> lines[i].followers.handOver(0, 0),
                i -> lines[i].followers.giveUp(lines[i].next),
                i -> assertEquals(STAYS, lines[i].owner(), () -> "leader after meeting " + i));
    }

    @Test
    void followerThatWasDismissedAndHasLinedUpAgainLeavesTheLine() {
        Line line = new Line();
        assertTrue(line.followers.dismiss(member -> member == line.next));
        line.followers.leadOrFollow(line.next);
        line.followers.giveUp(line.next);
        assertEquals(1, line.followers.count());
    }
}
