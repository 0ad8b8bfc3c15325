package org.cabrank.netty;

import java.util.concurrent.atomic.AtomicInteger;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.IZZ_Result;
import org.openjdk.jcstress.infra.results.IZ_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * Races for the claim of a strand. They test these rules:
 * <ol>
 *   <li>Only one thread at a time holds the claim: {@link TwoHolders}, {@link TasksOfTwoSubmitters}.
 *   <li>A holder sees the writes of the previous holder: {@link TwoHolders}.
 *   <li>No task is lost, or run twice: {@link TaskForALeavingHolder}, {@link TwoTasks}, {@link HolderThatGivesWay}.
 *   <li>Tasks of one thread keep their order: {@link TasksOfTwoSubmitters}, {@link HolderThatGivesWay}.
 *   <li>A write takes effect before a later close by the same thread: {@link WriteAndClose}.
 * </ol>
 */
public final class StrandClaimRaces {
    private StrandClaimRaces() {}

    /** Two threads enter for events. */
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

    /** A thread submits a task while the holder leaves. */
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

    /** Two threads submit tasks to a free strand. One sends for a pool thread, which finds both tasks or is sent for again. */
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

    /** Tasks of a strand. Counts tasks that run twice, that run out of order, or that run while there is a second holder. */
    abstract static class Tasks {
        private static final int SUBMITTERS = 2;

        final StrandClaim claim = new StrandClaim();
        private final MpscUnboundedAtomicArrayQueue<int[]> queue = new MpscUnboundedAtomicArrayQueue<>(2);

        // ---- used by the holder, without a lock ----

        private final int[] next = new int[SUBMITTERS];
        private int inside;
        int ran;
        int wrong;

        /** Submits a task. The numbers of one submitter must count up from 0. */
        final void put(int submitter, int number) {
            queue.offer(new int[] {submitter, number});
            if (claim.makeDue()) {
                come();
            }
        }

        /** Called by a pool thread that was sent for. */
        final void come() {
            if (claim.tryEnter()) {
                leave();
            }
        }

        final void leave() {
            do {
                for (int[] task = queue.relaxedPoll(); task != null; task = queue.relaxedPoll()) {
                    run(task);
                }
            } while (!claim.tryLeave());
        }

        final void leaveAfterOne() {
            int[] task = queue.relaxedPoll();
            if (task != null) {
                run(task);
            }
            claim.yield();
            come();
        }

        private void run(int[] task) {
            inside++;
            wrong += inside == 1 && next[task[0]]++ == task[1] ? 0 : 1;
            ran++;
            inside--;
        }
    }

    /** Two threads submit tasks. A thread that was sent for holds the strand, and leaves while tasks arrive. */
    @JCStressTest
    @Outcome(id = "4, 0", expect = Expect.ACCEPTABLE, desc = "each task is run once, in the order of its submitter")
    @State
    public static class TasksOfTwoSubmitters extends Tasks {
        @Actor
        public void one() {
            put(0, 0);
            put(0, 1);
        }

        @Actor
        public void other() {
            put(1, 0);
            put(1, 1);
        }

        @Arbiter
        public void after(II_Result result) {
            result.r1 = ran;
            result.r2 = wrong;
        }
    }

    /** A holder gives way after its first task. Meanwhile another thread submits a task, enters for an event, and submits a second task. */
    @JCStressTest
    @Outcome(id = "4, 0", expect = Expect.ACCEPTABLE, desc = "each task is run once, in the order of its submitter")
    @State
    public static class HolderThatGivesWay extends Tasks {
        public HolderThatGivesWay() {
            claim.tryEnter();
            put(0, 0);
            put(0, 1);
        }

        @Actor
        public void holder() {
            leaveAfterOne();
        }

        @Actor
        public void other() {
            put(1, 0);
            come();
            put(1, 1);
        }

        @Arbiter
        public void after(II_Result result) {
            result.r1 = ran;
            result.r2 = wrong;
        }
    }

    /** A thread outside the strand writes and then closes, in two tasks. A second thread enters for an event or because it was sent for. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the close is run once, and finds the write done")
    @State
    public static class WriteAndClose {
        private final StrandClaim claim = new StrandClaim();
        private final MpscUnboundedAtomicArrayQueue<Runnable> queue = new MpscUnboundedAtomicArrayQueue<>(2);
        private int written;
        private int writtenAtTheClose;
        private int closes;

        private void put(Runnable task) {
            queue.offer(task);
            if (claim.makeDue()) {
                come();
            }
        }

        private void come() {
            if (claim.tryEnter()) {
                do {
                    for (Runnable task = queue.relaxedPoll(); task != null; task = queue.relaxedPoll()) {
                        task.run();
                    }
                } while (!claim.tryLeave());
            }
        }

        @Actor
        public void service() {
            put(() -> written++);
            put(() -> {
                writtenAtTheClose = written;
                closes++;
            });
        }

        @Actor
        public void event() {
            come();
        }

        @Arbiter
        public void after(II_Result result) {
            result.r1 = writtenAtTheClose;
            result.r2 = closes;
        }
    }
}
