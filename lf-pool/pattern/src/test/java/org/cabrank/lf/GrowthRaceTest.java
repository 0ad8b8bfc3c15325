package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.cabrank.lf.fixture.Race;
import org.cabrank.lf.leadership.ArrivalQueue;
import org.cabrank.lf.leadership.Candidate;
import org.cabrank.lf.leadership.Followers;
import org.cabrank.lf.leadership.LeadershipWord;
import org.cabrank.lf.leadership.Parking;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A follower that is dismissed meets a takeover: the last follower never ends, and whoever ends does not lead. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class GrowthRaceTest {
    private static final int LEADER = 1;
    private static final int OLDER = 2;
    private static final int NEWEST = 3;

    /** One leader that processes an event, and two followers, of which the newest is to take over. */
    private static final class Meeting {
        final LeadershipWord[] words = {new LeadershipWord()};
        final Candidate older = new Candidate(OLDER, Thread.currentThread());
        final Candidate newest = new Candidate(NEWEST, Thread.currentThread());
        final Followers followers;
        final long begun;
        int notices;
        boolean tookOver;
        boolean dismissed;

        Meeting() {
            followers = new Followers(words, new ArrivalQueue(ArrivalQueue.Choice.NEWEST), Parking.SYSTEM);
            followers.whenNoFollowerIsLeft(() -> notices++);
            assertTrue(followers.leadOrFollow(new Candidate(LEADER, Thread.currentThread())));
            begun = words[0].beginProcessingRelease();
            assertFalse(followers.leadOrFollow(older));
            assertFalse(followers.leadOrFollow(newest));
        }
    }

    private final Meeting[] meetings = new Meeting[Race.MEETINGS];

    private void prepare() {
        for (int i = 0; i < Race.MEETINGS; i++) {
            meetings[i] = new Meeting();
        }
    }

    private static void check(Meeting meeting, int successor) {
        assertTrue(meeting.tookOver, "somebody follows at each moment");
        assertEquals(successor, LeadershipWord.owner(meeting.words[0].wordAcquire()));
        int left = meeting.dismissed ? 0 : 1;
        assertEquals(left, meeting.followers.count());
        assertEquals(1 - left, meeting.notices, "the pool hears that nobody follows");
    }

    private void depose(int meeting) {
        meetings[meeting].tookOver = meetings[meeting].followers.depose(0, meetings[meeting].begun, 0);
    }

    @Test
    void followerThatIsDismissedDoesNotTakeOver() throws InterruptedException {
        Race.run(
                this::prepare,
                this::depose,
                i -> meetings[i].dismissed =
                        meetings[i].followers.dismiss(candidate -> candidate == meetings[i].newest),
                i -> check(meetings[i], meetings[i].dismissed ? OLDER : NEWEST));
    }

    @Test
    void followerIsNotDismissedOnceItIsTheLast() throws InterruptedException {
        Race.run(
                this::prepare,
                this::depose,
                i -> meetings[i].dismissed = meetings[i].followers.dismiss(candidate -> candidate == meetings[i].older),
                i -> check(meetings[i], NEWEST));
    }
}
