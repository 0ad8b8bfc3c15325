package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.cabrank.lf.fixture.Race;
import org.cabrank.lf.leadership.Candidate;
import org.cabrank.lf.leadership.Followers;
import org.cabrank.lf.leadership.LeadershipWord;
import org.cabrank.lf.leadership.LinkedFollowerQueue;
import org.cabrank.lf.leadership.Parking;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A follower that is dismissed meets a takeover: the last follower never ends, and whoever ends does not lead. */
@Timeout(120)
@Tag("newest") // on an older JDK in a soak only
class GrowthRaceTest {
    private static final int LEADER = 1;
    private static final int STANDBY = 2;
    private static final int OTHER = 3;

    /** One leader that processes an event, its standby, and another follower. */
    private static final class Meeting {
        final LeadershipWord[] words = {new LeadershipWord()};
        final Candidate standby = new Candidate(STANDBY, Thread.currentThread(), 1);
        final Candidate other = new Candidate(OTHER, Thread.currentThread(), 1);
        final Followers followers;
        final long begun;
        int notices;
        boolean tookOver;
        boolean dismissed;

        Meeting() {
            followers = new Followers(
                    words, new LinkedFollowerQueue(LinkedFollowerQueue.Choice.NEWEST), Parking.SYSTEM, true);
            followers.whenNobodyFollows(() -> notices++);
            assertTrue(followers.leadOrFollow(new Candidate(LEADER, Thread.currentThread(), 1)));
            begun = words[0].beginProcessingRelease();
            assertFalse(followers.leadOrFollow(standby));
            assertFalse(followers.leadOrFollow(other));
        }
    }

    private final Meeting[] meetings = new Meeting[Race.MEETINGS];

    private void prepare() {
        for (int i = 0; i < Race.MEETINGS; i++) {
            meetings[i] = new Meeting();
        }
    }

    private static void check(Meeting meeting) {
        int owner = LeadershipWord.owner(meeting.words[0].wordAcquire());
        assertEquals(meeting.tookOver ? STANDBY : LEADER, owner);
        assertTrue(meeting.tookOver || meeting.dismissed, "the standby fails only if it was dismissed");
        int left = 2 - (meeting.tookOver ? 1 : 0) - (meeting.dismissed ? 1 : 0);
        assertEquals(left, meeting.followers.count());
        assertEquals(left == 0 ? 1 : 0, meeting.notices, "the pool hears that nobody follows");
        assertTrue(left > 0 || meeting.tookOver, "the last follower was not dismissed");
    }

    @Test
    void standbyThatIsDismissedDoesNotTakeOver() throws InterruptedException {
        Race.run(
                this::prepare,
                i -> meetings[i].tookOver = meetings[i].followers.depose(meetings[i].standby, 0, meetings[i].begun),
                i -> meetings[i].dismissed =
                        meetings[i].followers.dismiss(candidate -> candidate == meetings[i].standby),
                i -> {
                    check(meetings[i]);
                    assertFalse(meetings[i].tookOver && meetings[i].dismissed);
                });
    }

    @Test
    void followerIsNotDismissedOnceItIsTheLast() throws InterruptedException {
        Race.run(
                this::prepare,
                i -> meetings[i].tookOver = meetings[i].followers.depose(meetings[i].standby, 0, meetings[i].begun),
                i -> meetings[i].dismissed = meetings[i].followers.dismiss(candidate -> candidate == meetings[i].other),
                i -> check(meetings[i]));
    }
}
