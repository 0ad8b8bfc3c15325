package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.cabrank.lf.leadership.FollowerQueue;
import org.cabrank.lf.leadership.Followers;
import org.cabrank.lf.leadership.LeadershipWait;
import org.cabrank.lf.leadership.LeadershipWord;
import org.cabrank.lf.leadership.Parking;
import org.cabrank.lf.leadership.Turn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A follower that is promoted after it has decided to leave and before it has left. */
@Timeout(300)
class PromotedWhileLeavingTest {
    private static final long DEADLINE_NS = 1_000;

    private final PoolFixture fixture = PoolFixture.eager(3);
    private final LeadershipWord[] words = {new LeadershipWord()};
    private final Member leader = new Member(1, new Thread("leader"));
    private final Member leaves = new Member(2, Thread.currentThread());
    private final Member stays = new Member(3, new Thread("stays"));
    private Followers followers;

    /** Action while the follower reads the clock. */
    private Runnable atTheClock = () -> {};

    private final Parking parking = new Parking() {
        @Override
        public long nanoTime() {
            atTheClock.run();
            return DEADLINE_NS;
        }

        @Override
        public void park(Object blocker, long nanos) {
            throw new AssertionError("its time is up");
        }

        @Override
        public void unpark(Thread thread) {}
    };

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void timedOutFollowerPassesLeadershipOn() {
        FollowerQueue line = PromotionOrder.lifo().newQueue(fixture.set.failures());
        followers = new Followers(words, line, parking);
        LeadershipWait wait = new LeadershipWait(fixture.pool.phase(), followers, parking, 0);
        assertTrue(followers.leadOrFollow(leader));
        assertFalse(followers.leadOrFollow(stays));
        atTheClock = () -> {
            atTheClock = () -> {};
            assertTrue(followers.handOver(0, 0), "to the one that is leaving: it came last");
            assertTrue(leaves.promoted);
        };
        assertEquals(Turn.Outcome.TIMED_OUT, wait.awaitLeadership(leaves, DEADLINE_NS));
        assertEquals(3, LeadershipWord.owner(words[0].wordAcquire()), "the next in line leads");
        assertTrue(stays.promoted);
    }
}
