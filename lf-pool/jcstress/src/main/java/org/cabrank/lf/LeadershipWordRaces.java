package org.cabrank.lf;

import org.cabrank.lf.leadership.LeadershipWord;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Races for the leadership word. Thread 1 leads. The watcher gives leadership to thread 2. Thread 1 promotes thread 3, a follower. */
public final class LeadershipWordRaces {
    private LeadershipWordRaces() {}

    /** The leader's event ends during a takeover. The leader must either keep leadership, or see that it was deposed. */
    @JCStressTest
    @Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "the event ended in time")
    @Outcome(id = "false, true, 2", expect = Expect.ACCEPTABLE, desc = "its leader was deposed")
    @State
    public static class EndOrDepose {
        final LeadershipWord word = new LeadershipWord();
        final long begun;

        public EndOrDepose() {
            word.tryLead(1);
            begun = word.beginProcessingRelease();
        }

        @Actor
        public void owner(ZZI_Result result) {
            result.r1 = word.endProcessing(begun);
        }

        @Actor
        public void watcher(ZZI_Result result) {
            result.r2 = word.depose(begun, 2);
        }

        @Arbiter
        public void afterwards(ZZI_Result result) {
            result.r3 = LeadershipWord.owner(word.wordAcquire());
        }
    }

    /** A handler promotes a follower during a takeover. */
    @JCStressTest
    @Outcome(id = "true, false, 3", expect = Expect.ACCEPTABLE, desc = "the follower of its choice leads")
    @Outcome(id = "false, true, 2", expect = Expect.ACCEPTABLE, desc = "the follower that the watcher chose leads")
    @State
    public static class PromoteOrDepose {
        final LeadershipWord word = new LeadershipWord();
        final long begun;

        public PromoteOrDepose() {
            word.tryLead(1);
            begun = word.beginProcessingRelease();
        }

        @Actor
        public void owner(ZZI_Result result) {
            result.r1 = word.promote(begun, 3);
        }

        @Actor
        public void watcher(ZZI_Result result) {
            result.r2 = word.depose(begun, 2);
        }

        @Arbiter
        public void afterwards(ZZI_Result result) {
            result.r3 = LeadershipWord.owner(word.wordAcquire());
        }
    }

    /** The watcher has seen an event twice. Before the watcher acts, the leader may begin the next event, which must not count as slow. */
    @JCStressTest
    @Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "the leader is at the next event")
    @Outcome(id = "false, true, 2", expect = Expect.ACCEPTABLE, desc = "deposed at the event that was seen")
    @State
    public static class DeposeForAnEventThatIsOver {
        final LeadershipWord word = new LeadershipWord();
        final long begun;

        public DeposeForAnEventThatIsOver() {
            word.tryLead(1);
            begun = word.beginProcessingRelease();
        }

        @Actor
        public void owner(ZZI_Result result) {
            result.r1 = word.endProcessing(begun);
            if (result.r1) {
                word.beginProcessingRelease();
            }
        }

        @Actor
        public void watcher(ZZI_Result result) {
            result.r2 = word.depose(begun, 2);
        }

        @Arbiter
        public void afterwards(ZZI_Result result) {
            result.r3 = LeadershipWord.owner(word.wordAcquire());
        }
    }

    /** Two threads arrive at a vacant word. */
    @JCStressTest
    @Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "one leads")
    @Outcome(id = "false, true, 2", expect = Expect.ACCEPTABLE, desc = "the other leads")
    @State
    public static class TakeTheVacantWord {
        final LeadershipWord word = new LeadershipWord();

        @Actor
        public void one(ZZI_Result result) {
            result.r1 = word.tryLead(1);
        }

        @Actor
        public void other(ZZI_Result result) {
            result.r2 = word.tryLead(2);
        }

        @Arbiter
        public void afterwards(ZZI_Result result) {
            result.r3 = LeadershipWord.owner(word.wordAcquire());
        }
    }

    /** A takeover publishes the ready list, which has no lock, to the follower that takes over. */
    @JCStressTest
    @Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "there was nobody to depose yet")
    @Outcome(id = "42", expect = Expect.ACCEPTABLE, desc = "the ready list is seen")
    @State
    public static class ReadyListAfterTheTakeover {
        final LeadershipWord word = new LeadershipWord();
        int readyList;

        public ReadyListAfterTheTakeover() {
            word.tryLead(1);
        }

        @Actor
        public void owner() {
            readyList = 42;
            word.beginProcessingRelease();
        }

        @Actor
        public void watcher(I_Result result) {
            result.r1 = word.depose(word.wordAcquire(), 2) ? readyList : -1;
        }
    }

    /** Handing leadership over publishes the ready list to a thread that finds leadership vacant. */
    @JCStressTest
    @Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "leadership has not been given away yet")
    @Outcome(id = "42", expect = Expect.ACCEPTABLE, desc = "the ready list is seen")
    @State
    public static class ReadyListAfterTheHandOver {
        final LeadershipWord word = new LeadershipWord();
        int readyList;

        public ReadyListAfterTheHandOver() {
            word.tryLead(1);
        }

        @Actor
        public void owner() {
            readyList = 42;
            word.handOverVolatile(0, 1);
        }

        @Actor
        public void comer(I_Result result) {
            result.r1 = word.tryLead(2) ? readyList : -1;
        }
    }
}
