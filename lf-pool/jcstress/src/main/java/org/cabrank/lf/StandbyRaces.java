package org.cabrank.lf;

import java.util.Comparator;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.leadership.Followers;
import org.cabrank.lf.leadership.LeadershipWord;
import org.cabrank.lf.leadership.Parking;
import org.cabrank.lf.leadership.StopCheck;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Races of a standby that goes to sleep with an event or another follower: a wake-up is never lost. */
public final class StandbyRaces {
    private static final StopCheck RUNNING = new PoolPhase();
    private static final FailureLog FAILURES = new FailureLog(StandbyRaces.class);

    private StandbyRaces() {}

    /** An event for a standby that has seen an idle leader for long enough and goes to sleep without a timer. */
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "the standby wakes, or does not sleep")
    @State
    public static class EventAndStandby {
        final LeadershipWord word = new LeadershipWord();
        final RaceParking parking = new RaceParking();
        final Followers followers =
                new Followers(new LeadershipWord[] {word}, PromotionOrder.lifo().newQueue(FAILURES), parking, true);
        final Member standby = new Member(2, Thread.currentThread(), 1);

        public EventAndStandby() {
            followers.leadOrFollow(new Member(1, Thread.currentThread(), 1));
            word.beginDetectingRelease();
            followers.leadOrFollow(standby);
            standby.view.sawBefore(0, word.wordAcquire());
        }

        @Actor
        public void standby() {
            followers.sleepAsStandby(standby, HandleSet.FOREVER, RUNNING);
        }

        @Actor
        public void leader() {
            word.endDetectingVolatile();
            followers.wakeSleepingStandby();
            parking.sleep.otherSideIsDone();
        }

        @Arbiter
        public void afterwards(Z_Result result) {
            result.r1 = parking.sleep.lost;
        }
    }

    /**
     * A standby goes to sleep as a more urgent follower overtakes it and goes to sleep, too; then there is an event. Parking does
     * not sleep here: the event comes while the new standby would.
     */
    @JCStressTest
    @Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "the event wakes the follower that stands by")
    @State
    public static class OvertakenStandbySleeps {
        private static final Thread LEADER = new Thread("c: leads");
        private static final Thread OVERTAKEN = new Thread("b: is overtaken");
        private static final Thread URGENT = new Thread("a: is more urgent");

        /** Parking that does not sleep: a thread that parks causes the event, once the urgent follower would sleep as well. */
        static final class EventParking implements Parking {
            Followers followers;
            volatile boolean urgentSleeps;
            volatile boolean urgentWoken;

            @Override
            public long nanoTime() {
                return 0;
            }

            @Override
            public void park(Object blocker, long nanos) {
                if (urgentSleeps) {
                    followers.wakeSleepingStandby();
                }
            }

            @Override
            public void unpark(Thread thread) {
                if (thread == URGENT) {
                    urgentWoken = true;
                }
            }
        }

        final LeadershipWord word = new LeadershipWord();
        final EventParking parking = new EventParking();
        final Followers followers = new Followers(
                new LeadershipWord[] {word},
                PromotionOrder.priority(Comparator.comparing(Thread::getName)).newQueue(FAILURES),
                parking,
                true);
        final Member overtaken = new Member(2, OVERTAKEN, 1);
        final Member urgent = new Member(3, URGENT, 1);

        public OvertakenStandbySleeps() {
            parking.followers = followers;
            followers.leadOrFollow(new Member(1, LEADER, 1));
            word.beginDetectingRelease();
            followers.leadOrFollow(overtaken);
            overtaken.view.sawBefore(0, word.wordAcquire());
        }

        @Actor
        public void overtakenStandby() {
            followers.sleepAsStandby(overtaken, HandleSet.FOREVER, RUNNING);
        }

        @Actor
        public void urgentFollower() {
            followers.leadOrFollow(urgent);
            urgent.view.sawBefore(0, word.wordAcquire());
            parking.urgentSleeps = true;
            followers.sleepAsStandby(urgent, HandleSet.FOREVER, RUNNING);
        }

        /** Not by the urgent follower: the overtaken one may have taken the announcement, and be about to unpark. */
        @Arbiter
        public void afterwards(Z_Result result) {
            result.r1 = parking.urgentWoken;
        }
    }
}
