package org.cabrank.lf;

import java.util.Comparator;
import org.cabrank.lf.leadership.Followers;
import org.cabrank.lf.leadership.LeadershipWord;
import org.cabrank.lf.leadership.Parking;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Races of a thread that goes to sleep with one that wakes it: a wake-up is never lost. */
public final class WakeUpRaces {
    private WakeUpRaces() {}

    /** A post for a leader that begins to wait. */
    @JCStressTest
    @Outcome(
            id = "false, true",
            expect = Expect.ACCEPTABLE,
            desc = "the leader wakes, or does not sleep, and serves it")
    @State
    public static class PostAndSleep {
        final RaceSet set = new RaceSet();
        final RaceHandle handle = set.register(1);

        @Actor
        public void leader(ZZ_Result result) {
            set.detect();
            result.r1 = set.sleep.lost;
            result.r2 = set.readyList.nextClaimed() == handle;
        }

        @Actor
        public void poster() {
            handle.post(Ready.POSTED);
            set.sleep.otherSideIsDone();
        }
    }

    /** A second post for a leader that serves the first: posts that come together cost one wake-up, but one they cost. */
    @JCStressTest
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "served, with the first or in the second wait")
    @State
    public static class SecondPostAndSleep {
        final RaceSet set = new RaceSet();
        final RaceHandle first = set.register(1);
        final RaceHandle second = set.register(2);

        public SecondPostAndSleep() {
            first.post(Ready.POSTED);
        }

        @Actor
        public void leader(ZZ_Result result) {
            set.detect();
            boolean served = serve();
            if (!served) {
                set.detect();
                served = serve();
            }
            result.r1 = set.sleep.lost;
            result.r2 = served;
        }

        private boolean serve() {
            boolean served = false;
            for (Handle handle = set.readyList.nextClaimed(); handle != null; handle = set.readyList.nextClaimed()) {
                served |= handle == second;
            }
            return served;
        }

        @Actor
        public void poster() {
            second.post(Ready.POSTED);
            set.sleep.otherSideIsDone();
        }
    }

    /** A timer for a leader that begins to wait without one. */
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "the leader wakes, or waits until the timer only")
    @State
    public static class TimerAndSleep {
        final RaceSet set = new RaceSet();
        final RaceHandle handle = set.register(1);

        @Actor
        public void leader(Z_Result result) {
            set.detect();
            result.r1 = set.sleep.lost;
        }

        @Actor
        public void scheduler() {
            handle.scheduleTimer(1);
            set.sleep.otherSideIsDone();
        }
    }

    /** A pool stops while its leader looks whether it does, and then begins to wait. */
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "the leader leaves")
    @State
    public static class StopAndSleep {
        final RaceSet set = new RaceSet();
        volatile boolean stopping;

        @Actor
        public void leader(Z_Result result) {
            if (!stopping) {
                set.detect();
            }
            result.r1 = set.sleep.lost;
        }

        @Actor
        public void stopper() {
            stopping = true;
            set.wakeup();
            set.sleep.otherSideIsDone();
        }
    }

    /** An event for a standby that has seen an idle leader for long enough and goes to sleep without a timer. */
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "the standby wakes, or does not sleep")
    @State
    public static class EventAndStandby {
        private static final RaceSet RUNNING_SET = new RaceSet();
        private static final LeaderFollowersPool RUNNING =
                new LeaderFollowersPool(RUNNING_SET, PoolConfig.of("race", 2));

        final LeadershipWord word = new LeadershipWord();
        final RaceParking parking = new RaceParking();
        final Followers followers = new Followers(
                new LeadershipWord[] {word}, PromotionOrder.lifo().newQueue(RUNNING_SET.failures()), parking, true);
        final Member standby = new Member(2, Thread.currentThread(), 1);

        public EventAndStandby() {
            followers.leadOrFollow(new Member(1, Thread.currentThread(), 1));
            word.beginDetectingRelease();
            followers.leadOrFollow(standby);
            standby.view.sawBefore(0, word.wordAcquire());
        }

        @Actor
        public void standby() {
            followers.sleepAsStandby(standby, HandleSet.FOREVER, RUNNING.phase());
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
                PromotionOrder.priority(Comparator.comparing(Thread::getName))
                        .newQueue(EventAndStandby.RUNNING_SET.failures()),
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
            followers.sleepAsStandby(overtaken, HandleSet.FOREVER, EventAndStandby.RUNNING.phase());
        }

        @Actor
        public void urgentFollower() {
            followers.leadOrFollow(urgent);
            urgent.view.sawBefore(0, word.wordAcquire());
            parking.urgentSleeps = true;
            followers.sleepAsStandby(urgent, HandleSet.FOREVER, EventAndStandby.RUNNING.phase());
        }

        /** Not by the urgent follower: the overtaken one may have taken the announcement, and be about to unpark. */
        @Arbiter
        public void afterwards(Z_Result result) {
            result.r1 = parking.urgentWoken;
        }
    }
}
