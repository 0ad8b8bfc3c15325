package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.cabrank.lf.leadership.Candidate;
import org.cabrank.lf.leadership.Followers;
import org.cabrank.lf.leadership.LeadershipListener;
import org.cabrank.lf.leadership.LeadershipWord;
import org.cabrank.lf.leadership.Parking;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A standby that a more urgent follower overtakes at the moment at which it falls asleep. */
@Timeout(60)
class OvertakenStandbyTest {
    private final PoolFixture fixture = PoolFixture.deferred(3);
    private final LeadershipWord[] words = {new LeadershipWord()};
    private final Member leader = new Member(1, new Thread("leader"), 1);
    private final Member overtaken = new Member(2, new Thread("z: overtaken"), 1);
    private final Member urgent = new Member(3, new Thread("a: urgent"), 1);
    private final List<String> unparked = new ArrayList<>();

    /** Runs in the midst of the next park. */
    private Runnable whileParked = () -> {};

    private final Parking parking = new Parking() {
        @Override
        public long nanoTime() {
            return 1;
        }

        @Override
        public void park(Object blocker, long nanos) {
            Runnable once = whileParked;
            whileParked = () -> {};
            once.run();
        }

        @Override
        public void unpark(Thread thread) {
            unparked.add(thread.getName());
        }
    };

    private final Followers followers = new Followers(
            words,
            PromotionOrder.priority(Comparator.comparing(Thread::getName)).newQueue(fixture.set.failures()),
            parking,
            true);

    @AfterEach
    void close() {
        fixture.close();
    }

    private void look(Member standby) {
        standby.view.looked(1);
        standby.view.sawBefore(0, words[0].wordAcquire());
    }

    @Test
    void overtakenStandbyDoesNotTakeTheAnnouncementOfTheOneThatSleeps() {
        assertTrue(followers.leadOrFollow(leader));
        words[0].beginDetectingRelease();
        assertFalse(followers.leadOrFollow(overtaken));
        look(overtaken);
        assertFalse(followers.leadOrFollow(urgent));
        assertTrue(followers.isStandby(urgent));
        look(urgent);
        whileParked = () -> {
            // The overtaken standby had decided to sleep before, and goes to sleep only now.
            followers.sleepAsStandby(overtaken, HandleSet.FOREVER, fixture.pool.phase());
            words[0].endDetectingVolatile();
            followers.wakeSleepingStandby();
        };
        followers.sleepAsStandby(urgent, HandleSet.FOREVER, fixture.pool.phase());
        assertEquals(List.of("a: urgent"), unparked, "who sleeps is woken by the first event");
    }

    @Test
    void listenerThatThrowsCostsNoLeadership() {
        LeadershipListener broken = new LeadershipListener() {
            @Override
            public void handedOver(int set, int owner, int eventsBegun, Candidate promoted) {
                throw new InternalError("thrown by a listener on purpose");
            }

            @Override
            public void handedBack(int set, int owner, Candidate regular) {}

            @Override
            public void promotedByHandler(int set, int owner, Candidate promoted) {
                throw new StackOverflowError("thrown by a listener on purpose");
            }

            @Override
            public void deposed(int set, int owner, Candidate standby, long seenNs) {
                throw new IllegalStateException("thrown by a listener on purpose");
            }
        };
        Followers heard = new Followers(
                words,
                PromotionOrder.fifo().newQueue(fixture.set.failures()),
                parking,
                true,
                broken,
                fixture.set.failures());
        assertTrue(heard.leadOrFollow(leader));
        assertFalse(heard.leadOrFollow(overtaken));
        assertTrue(heard.handOver(0, 1));
        assertFalse(heard.leadOrFollow(leader));
        assertTrue(heard.promoteWhileProcessing(0, words[0].beginProcessingRelease()));
        assertFalse(heard.leadOrFollow(urgent));
        assertTrue(heard.depose(urgent, 0, words[0].beginProcessingRelease()));
        assertEquals(3, LeadershipWord.owner(words[0].wordAcquire()));
        assertEquals(3, fixture.set.failures().count());
    }
}
