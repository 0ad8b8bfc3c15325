package org.cabrank.lf.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.IZZ_Result;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * Races for a handle's claim. READ is 1, WRITE 2, POSTED 64, RESUMED 8192. Processed bits are summed by plain additions. A wrong sum shows
 * lost or repeated events, overlapping holders, or a holder that did not see the writes of the previous holder.
 */
public final class ClaimStateRaces {
    private ClaimStateRaces() {}

    static final class Claim extends ClaimState {
        private static final VarHandle HOLDER;

        static {
            try {
                HOLDER = MethodHandles.lookup().findVarHandle(Claim.class, "holder", int.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        int sum;
        boolean overlapped;
        int closes;

        @SuppressWarnings("unused") // used by HOLDER
        private int holder;

        Claim(boolean concurrent) {
            super(concurrent);
        }

        void process(int me, int ready) {
            for (int bits = ready; bits != 0; bits = release()) {
                HOLDER.setOpaque(this, me); // opaque: adds no order that could hide an error
                if ((bits & ReadyBits.RESUMED) != 0) {
                    endDetention();
                }
                if (isDetained()) {
                    overlapped = true;
                }
                if ((bits & ReadyBits.CLOSE) == 0) {
                    sum += bits;
                } else if (markClosed()) {
                    closes++;
                }
                if ((int) HOLDER.getOpaque(this) != me) {
                    overlapped = true;
                }
            }
        }

        void processPosted(int me, boolean listed) {
            if (listed) {
                process(me, claimPosted());
            }
        }
    }

    /** A leader and the successor that has deposed it both find the handle ready. */
    @JCStressTest
    @Outcome(id = "3, false, false", expect = Expect.ACCEPTABLE, desc = "both events, one after the other")
    @State
    public static class TwoLeaders {
        final Claim claim = new Claim(false);

        @Actor
        public void one() {
            claim.process(1, claim.claim(ReadyBits.READ));
        }

        @Actor
        public void other() {
            claim.process(2, claim.claim(ReadyBits.WRITE));
        }

        @Arbiter
        public void afterwards(IZZ_Result result) {
            report(claim, result);
        }
    }

    /** An event races with a post. */
    @JCStressTest
    @Outcome(id = "65, false, false", expect = Expect.ACCEPTABLE, desc = "both, one after the other or in one call")
    @State
    public static class EventAndPost {
        final Claim claim = new Claim(false);

        @Actor
        public void leader() {
            claim.process(1, claim.claim(ReadyBits.READ));
        }

        @Actor
        public void poster() {
            claim.processPosted(2, claim.notePosted(ReadyBits.POSTED));
        }

        @Arbiter
        public void afterwards(IZZ_Result result) {
            report(claim, result);
        }
    }

    /** A holder yields to other handles after its last round while an event arrives. */
    @JCStressTest
    @Outcome(id = "66, false, false", expect = Expect.ACCEPTABLE, desc = "what was pending and the event")
    @State
    public static class EventWhileTheHolderYields {
        final Claim claim = new Claim(false);

        public EventWhileTheHolderYields() {
            claim.claim(ReadyBits.READ); // the handler runs
            claim.notePosted(ReadyBits.POSTED); // a post arrives meanwhile
        }

        @Actor
        public void holder() {
            claim.processPosted(1, claim.yield());
        }

        @Actor
        public void leader() {
            claim.process(2, claim.claim(ReadyBits.WRITE));
        }

        @Arbiter
        public void afterwards(IZZ_Result result) {
            report(claim, result);
        }
    }

    /** A handle is deactivated and reactivated while an event and a post arrive for it. */
    @JCStressTest
    @Outcome(id = "65, false, false", expect = Expect.ACCEPTABLE, desc = "both, now or after the reactivation")
    @State
    public static class EventWhileDeactivated {
        final Claim claim = new Claim(false);

        @Actor
        public void user() {
            claim.suspend();
            claim.processPosted(1, claim.resume(0) == ClaimState.Resumption.POST_DUE);
        }

        @Actor
        public void leader() {
            claim.process(2, claim.claim(ReadyBits.READ));
            claim.processPosted(2, claim.notePosted(ReadyBits.POSTED));
        }

        @Arbiter
        public void afterwards(IZZ_Result result) {
            report(claim, result);
        }
    }

    /** Offloaded work ends while its handler returns. An earlier event waits for both the end of the work and the return. */
    @JCStressTest
    @Outcome(id = "8194, false, false", expect = Expect.ACCEPTABLE, desc = "the end of the work, then the event")
    @State
    public static class WorkEndsAsTheHandlerReturns {
        final Claim claim = new Claim(false);

        public WorkEndsAsTheHandlerReturns() {
            claim.claim(ReadyBits.READ); // the handler runs
            claim.detain();
            claim.claim(ReadyBits.WRITE); // an event arrives meanwhile
        }

        @Actor
        public void holder() {
            claim.process(1, claim.release());
        }

        @Actor
        public void worker() {
            claim.processPosted(2, claim.notePosted(ReadyBits.RESUMED));
        }

        @Arbiter
        public void afterwards(IZZ_Result result) {
            report(claim, result);
        }
    }

    static void report(Claim claim, IZZ_Result result) {
        result.r1 = claim.sum;
        result.r2 = claim.overlapped;
        result.r3 = claim.isClaimed();
    }

    /** A thread closes a handle while an event arrives for it. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "closed after the event")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "closed before it")
    @State
    public static class EventAndClose {
        final Claim claim = new Claim(false);

        @Actor
        public void leader() {
            claim.process(1, claim.claim(ReadyBits.READ));
        }

        @Actor
        public void closer() {
            claim.processPosted(2, claim.notePosted(ReadyBits.CLOSE));
        }

        @Arbiter
        public void afterwards(II_Result result) {
            result.r1 = claim.sum;
            result.r2 = claim.isClaimed() ? -1 : claim.closes;
        }
    }

    /** A plain store before a post is visible to the handler call that the post is merged into. */
    @JCStressTest
    @Outcome(id = "42, false", expect = Expect.ACCEPTABLE, desc = "seen by the call it was merged into")
    @Outcome(id = "0, true", expect = Expect.ACCEPTABLE, desc = "too late, so another call is due")
    @Outcome(id = "42, true", expect = Expect.ACCEPTABLE, desc = "seen early, and another call is due")
    @State
    public static class MergedPost {
        final Claim claim = new Claim(false);
        int item;
        boolean listedAgain;

        public MergedPost() {
            claim.notePosted(ReadyBits.POSTED);
        }

        @Actor
        public void leader(IZ_Result result) {
            claim.claimPosted();
            result.r1 = item;
        }

        @Actor
        public void poster() {
            item = 42;
            listedAgain = claim.notePosted(ReadyBits.POSTED);
        }

        @Arbiter
        public void afterwards(IZ_Result result) {
            result.r2 = listedAgain || claim.release() != 0;
        }
    }
}
