package org.cabrank.lf.dispatch;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Races of a leader that goes to sleep with a thread that wakes the leader. No wake-up may be lost. */
public final class WakeUpRaces {
    private WakeUpRaces() {}

    /** A thread posts while the leader begins to wait. */
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
            set.dispatcher.post(handle, ReadyBits.POSTED);
            set.sleep.otherSideIsDone();
        }
    }

    /** A thread posts while the leader serves a first post. One wake-up may serve both posts, but there must be one. */
    @JCStressTest
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "served, with the first or in the second wait")
    @State
    public static class SecondPostAndSleep {
        final RaceSet set = new RaceSet();
        final RaceHandle first = set.register(1);
        final RaceHandle second = set.register(2);

        public SecondPostAndSleep() {
            set.dispatcher.post(first, ReadyBits.POSTED);
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
            for (HandleState handle = set.readyList.nextClaimed();
                    handle != null;
                    handle = set.readyList.nextClaimed()) {
                served |= handle == second;
            }
            return served;
        }

        @Actor
        public void poster() {
            set.dispatcher.post(second, ReadyBits.POSTED);
            set.sleep.otherSideIsDone();
        }
    }

    /** A timer is scheduled while the leader begins to wait without a timer. */
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
            set.dispatcher.schedule(handle, 1);
            set.sleep.otherSideIsDone();
        }
    }

    /** A pool stops while its leader checks for a stop and then begins to wait. */
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
            set.dispatcher.wakeup();
            set.sleep.otherSideIsDone();
        }
    }
}
