package org.cabrank.lf;

import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.leadership.Followers;
import org.cabrank.lf.leadership.LeadershipWord;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Races for a place in the line of followers. The last figure of a result is the thread that leads in the end, or 0 for none. */
public final class FollowersRaces {
    private FollowersRaces() {}

    /** A leader (thread 1) and a thread that may follow it (thread 2). */
    static class Rank {
        final LeadershipWord word = new LeadershipWord();
        final RaceParking parking = new RaceParking();
        final Followers followers = new Followers(
                new LeadershipWord[] {word}, PromotionOrder.fifo().newQueue(new FailureLog(Rank.class)), parking);
        final Member follower = new Member(2, Thread.currentThread());

        Rank() {
            followers.leadOrFollow(new Member(1, Thread.currentThread()));
        }

        /** Returns the owner of the leadership word, or -2 if the owner is a follower that was not notified. */
        int leaderInTheEnd(boolean tookTheLead) {
            int owner = LeadershipWord.owner(word.wordAcquire());
            boolean told = tookTheLead || follower.promoted && parking.unparks > 0;
            return owner == 2 && !told ? -2 : owner;
        }
    }

    /** The leader gives leadership away while a follower arrives. Leadership must not be vacant while a thread follows. */
    @JCStressTest
    @Outcome(id = "true, false, 2", expect = Expect.ACCEPTABLE, desc = "it arrived in time to be promoted")
    @Outcome(id = "false, true, 2", expect = Expect.ACCEPTABLE, desc = "it found leadership vacant")
    @State
    public static class HandOverOrArrive extends Rank {
        @Actor
        public void leader(ZZI_Result result) {
            result.r1 = followers.handOver(0, 1);
        }

        @Actor
        public void comer(ZZI_Result result) {
            result.r2 = followers.leadOrFollow(follower);
        }

        @Arbiter
        public void afterwards(ZZI_Result result) {
            result.r3 = leaderInTheEnd(result.r2);
        }
    }

    /** A handler promotes while a follower arrives. */
    @JCStressTest
    @Outcome(id = "true, false, 2", expect = Expect.ACCEPTABLE, desc = "it arrived in time to be promoted")
    @Outcome(id = "true, true, 2", expect = Expect.ACCEPTABLE, desc = "it found leadership vacant")
    @State
    public static class PromoteOrArrive extends Rank {
        final long begun = word.beginProcessingRelease();

        @Actor
        public void leader(ZZI_Result result) {
            result.r1 = followers.promoteWhileProcessing(0, begun);
        }

        @Actor
        public void comer(ZZI_Result result) {
            result.r2 = followers.leadOrFollow(follower);
        }

        @Arbiter
        public void afterwards(ZZI_Result result) {
            result.r3 = leaderInTheEnd(result.r2);
        }
    }

    /** The wait of a follower ends while the follower is promoted. The follower must either leave, or know that it must lead. */
    @JCStressTest
    @Outcome(id = "true, false, 2", expect = Expect.ACCEPTABLE, desc = "promoted: it must pass leadership on")
    @Outcome(id = "false, true, 0", expect = Expect.ACCEPTABLE, desc = "it left, and leadership is vacant")
    @State
    public static class HandOverOrLeave extends Rank {
        public HandOverOrLeave() {
            followers.leadOrFollow(follower);
        }

        @Actor
        public void leader(ZZI_Result result) {
            result.r1 = followers.handOver(0, 1);
        }

        @Actor
        public void leaver(ZZI_Result result) {
            result.r2 = followers.leave(follower);
        }

        @Arbiter
        public void afterwards(ZZI_Result result) {
            result.r3 = leaderInTheEnd(false);
        }
    }
}
