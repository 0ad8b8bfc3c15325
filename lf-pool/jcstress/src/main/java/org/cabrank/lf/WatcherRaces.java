package org.cabrank.lf;

import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.leadership.Deadlines;
import org.cabrank.lf.leadership.Followers;
import org.cabrank.lf.leadership.LeaderWatch;
import org.cabrank.lf.leadership.LeadershipWord;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Races of a watcher that goes to rest with a thread that wakes the watcher. No wake-up may be lost. */
public final class WatcherRaces {
    private WatcherRaces() {}

    /** Thread 1 leads, and the watcher checks it. */
    static class Watch {
        private static final FailureLog FAILURES = new FailureLog(Watch.class);
        private static final long MAX_GAP_NS = 1_000_000;

        final LeadershipWord word = new LeadershipWord();
        final RaceParking parking = new RaceParking();
        Sleep sleep = new Sleep();
        final Followers followers =
                new Followers(new LeadershipWord[] {word}, PromotionOrder.lifo().newQueue(FAILURES), parking);
        final LeaderWatch watch = new LeaderWatch(
                () -> sleep.wake(), new LeadershipWord[] {word}, id -> null, followers, parking, MAX_GAP_NS);
        long nowNs;

        Watch() {
            followers.whenSomebodyFollows(me -> watch.somebodyFollows());
            followers.leadOrFollow(new Member(1, Thread.currentThread()));
            word.beginDetectingRelease();
        }

        /** Returns true if the watcher rests until it is woken. */
        final boolean check() {
            nowNs += MAX_GAP_NS;
            return watch.check(nowNs) == Deadlines.FOREVER;
        }

        final void follow() {
            followers.leadOrFollow(new Member(2, Thread.currentThread()));
        }

        final void sleepIfItRests() {
            if (check()) {
                sleep.sleep();
            }
        }
    }

    /** An event begins while the watcher, which has seen an idle leader for long enough, goes to rest. */
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "the watcher wakes, or does not rest")
    @State
    public static class EventAndRest extends Watch {
        public EventAndRest() {
            follow();
            check(); // begins the watch
            for (int looks = 0; looks < LeaderWatch.IDLE_LOOKS_MAX; looks++) {
                if (check()) {
                    throw new IllegalStateException("rests after " + looks);
                }
            }
            sleep = new Sleep(); // the first Sleep was woken by the follower
        }

        @Actor
        public void watcher() {
            sleepIfItRests();
        }

        @Actor
        public void leader() {
            word.endDetectingVolatile();
            watch.somebodyLeads();
            sleep.otherSideIsDone();
        }

        @Arbiter
        public void afterwards(Z_Result result) {
            result.r1 = sleep.lost;
        }
    }

    /** A follower arrives while the watcher finds that no thread follows. */
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "the watcher wakes, or does not rest")
    @State
    public static class FollowerAndRest extends Watch {
        private final Member first = new Member(3, Thread.currentThread());

        public FollowerAndRest() {
            followers.leadOrFollow(first);
            check();
            followers.leave(first);
            sleep = new Sleep(); // the first Sleep was woken by the follower
        }

        @Actor
        public void watcher() {
            sleepIfItRests();
        }

        @Actor
        public void follower() {
            follow();
            sleep.otherSideIsDone();
        }

        @Arbiter
        public void afterwards(Z_Result result) {
            result.r1 = sleep.lost;
        }
    }
}
