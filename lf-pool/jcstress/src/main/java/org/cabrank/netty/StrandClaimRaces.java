package org.cabrank.netty;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZZ_Result;
import org.openjdk.jcstress.infra.results.IZ_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Races for the claim of a strand: one holder at a time, whose writes the next one sees, and no work is lost. */
public final class StrandClaimRaces {
    private StrandClaimRaces() {}

    /** Two threads that come for events. */
    @JCStressTest
    @Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "the first holds it while the second comes")
    @Outcome(id = "false, true, 1", expect = Expect.ACCEPTABLE, desc = "the second holds it while the first comes")
    @Outcome(
            id = "true, true, 2",
            expect = Expect.ACCEPTABLE,
            desc = "one after the other, who sees what the one has written")
    @State
    public static class TwoHolders {
        final StrandClaim claim = new StrandClaim();
        int written;

        private boolean enterAndLeave() {
            if (!claim.tryEnter()) {
                return false;
            }
            written++;
            while (!claim.tryLeave()) {
                Thread.onSpinWait();
            }
            return true;
        }

        @Actor
        public void one(ZZI_Result result) {
            result.r1 = enterAndLeave();
        }

        @Actor
        public void other(ZZI_Result result) {
            result.r2 = enterAndLeave();
        }

        @Arbiter
        public void after(ZZI_Result result) {
            claim.tryEnter();
            result.r3 = written;
        }
    }

    /** A thread puts a task while the holder leaves. */
    @JCStressTest
    @Outcome(id = "1, false", expect = Expect.ACCEPTABLE, desc = "the holder takes the task")
    @Outcome(id = "0, true", expect = Expect.ACCEPTABLE, desc = "the holder has left, and somebody is sent for")
    @Outcome(
            id = "1, true",
            expect = Expect.ACCEPTABLE,
            desc = "the holder takes the task, and somebody comes for nothing")
    @State
    public static class TaskForALeavingHolder {
        final StrandClaim claim = new StrandClaim();
        final AtomicInteger tasks = new AtomicInteger();

        public TaskForALeavingHolder() {
            claim.tryEnter();
        }

        @Actor
        public void holder(IZ_Result result) {
            do {
                result.r1 += tasks.getAndSet(0);
            } while (!claim.tryLeave());
        }

        @Actor
        public void submitter(IZ_Result result) {
            tasks.incrementAndGet();
            result.r2 = claim.makeDue();
        }
    }

    /** Two threads put tasks into a strand that is free: one of them sends for somebody, who finds both or is sent for again. */
    @JCStressTest
    @Outcome(id = "2, (true, false|false, true)", expect = Expect.ACCEPTABLE, desc = "one sends")
    @State
    public static class TwoTasks {
        final StrandClaim claim = new StrandClaim();
        final AtomicInteger tasks = new AtomicInteger();

        @Actor
        public void one(IZZ_Result result) {
            tasks.incrementAndGet();
            result.r2 = claim.makeDue();
        }

        @Actor
        public void other(IZZ_Result result) {
            tasks.incrementAndGet();
            result.r3 = claim.makeDue();
        }

        @Arbiter
        public void comer(IZZ_Result result) {
            if (claim.tryEnter()) {
                result.r1 = tasks.get();
            }
        }
    }
}
