package org.cabrank.lf;

import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Harvest;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZII_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Races of an offer with the end of the queue. Every accepted task, and no refused task, must run or be handed out. */
public final class TaskQueueRaces {
    private TaskQueueRaces() {}

    /** The pool, which has no thread, is stopped during the offer. */
    @JCStressTest
    @Outcome(
            id = "true, 1, 1",
            expect = Expect.ACCEPTABLE,
            desc = "accepted, and handed out when the pool has terminated")
    @Outcome(id = "false, 0, 0", expect = Expect.ACCEPTABLE, desc = "refused")
    @State
    public static class OfferAndStop {
        final EmptySet set = new EmptySet();
        final LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("race", 1));
        final TaskQueue queue = new TaskQueue(set, "race", 4);

        @Actor
        public void producer(ZII_Result result) {
            result.r1 = queue.offer(() -> {});
        }

        @Actor
        public void stopper(ZII_Result result) {
            pool.stop();
            result.r2 = pool.isTerminated() ? queue.unrun().size() : -1;
        }

        @Arbiter
        public void afterwards(ZII_Result result) {
            result.r3 = queue.unrun().size();
        }
    }

    /** The thread that runs the tasks of the queue closes the queue during the offer. */
    @JCStressTest
    @Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "accepted and run, or refused and not run")
    @State
    public static class OfferAndClose {
        final EmptySet set = new EmptySet();
        final LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("race", 1));
        final TaskQueue queue = new TaskQueue(set, "race", 4);
        private int run;
        private boolean accepted;

        @Actor
        public void producer() {
            accepted = queue.offer(() -> run++);
        }

        @Actor
        public void closer() {
            queue.close();
            pool.close();
        }

        @Arbiter
        public void afterwards(Z_Result result) {
            result.r1 = run == (accepted ? 1 : 0)
                    && queue.isClosed()
                    && queue.unrun().isEmpty();
        }
    }

    /** A set whose handles become ready only by posts, and whose pool has no thread that could sleep. */
    private static final class EmptySet extends HandleSet {
        EmptySet() {
            super(Deactivation.CLAIM);
        }

        @Override
        protected Harvest newHarvest() {
            return new Harvest() {
                @Override
                protected int await(long timeoutNs) {
                    return 0;
                }

                @Override
                protected Handle next() {
                    return null;
                }

                @Override
                protected int ready() {
                    throw new IllegalStateException("nothing is harvested");
                }
            };
        }

        @Override
        protected void interruptAwait() {}

        @Override
        protected void rearm(Handle handle) {}

        @Override
        protected void closeDescriptor(Handle handle) {}
    }
}
