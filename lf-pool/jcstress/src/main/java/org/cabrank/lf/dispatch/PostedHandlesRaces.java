package org.cabrank.lf.dispatch;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Races for the list of posted handles, and for the slots in which late events find their handles. */
public final class PostedHandlesRaces {
    private PostedHandlesRaces() {}

    /** Removes all handles from the list and returns them as the digits of a number, oldest first. */
    static int drain(PostedHandles posted) {
        int digits = 0;
        posted.takeArrived();
        for (HandleState handle = posted.poll(); handle != null; handle = posted.poll()) {
            digits = digits * 10 + ((RaceHandle) handle).digit;
        }
        return digits;
    }

    /** Two threads post at once. */
    @JCStressTest
    @Outcome(
            id = {"12", "21"},
            expect = Expect.ACCEPTABLE,
            desc = "each once, in either order")
    @State
    public static class TwoPosters {
        final PostedHandles posted = new PostedHandles();
        final RaceHandle first = new RaceHandle(1);
        final RaceHandle second = new RaceHandle(2);

        @Actor
        public void one() {
            posted.push(first);
        }

        @Actor
        public void other() {
            posted.push(second);
        }

        @Arbiter
        public void afterwards(I_Result result) {
            result.r1 = drain(posted);
        }
    }

    /** The leader takes the list over while another thread posts. */
    @JCStressTest
    @Outcome(id = "12, 0", expect = Expect.ACCEPTABLE, desc = "both are taken over, the oldest first")
    @Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "the second waits for the next time")
    @State
    public static class PostDuringTakeOver {
        final PostedHandles posted = new PostedHandles();
        final RaceHandle second = new RaceHandle(2);

        public PostDuringTakeOver() {
            posted.push(new RaceHandle(1));
        }

        @Actor
        public void leader(II_Result result) {
            result.r1 = drain(posted);
        }

        @Actor
        public void poster() {
            posted.push(second);
        }

        @Arbiter
        public void afterwards(II_Result result) {
            result.r2 = drain(posted);
        }
    }

    /** An event arrives for a handle that is being closed and whose slot a new handle takes. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the handle itself, before it has left")
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "nobody: the event is stale")
    @State
    public static class LateEvent {
        final SlotTable slots = new SlotTable();
        final RaceHandle handle = new RaceHandle(1);
        final RaceHandle successor = new RaceHandle(2);
        final long key;

        public LateEvent() {
            slots.add(handle);
            key = handle.key();
        }

        @Actor
        public void closer() {
            slots.remove(handle);
            slots.add(successor);
        }

        @Actor
        public void leader(I_Result result) {
            RaceHandle found = (RaceHandle) slots.lookup(key);
            result.r1 = found == null ? 0 : found.digit;
        }
    }
}
