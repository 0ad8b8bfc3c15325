package org.cabrank.lf.dispatch;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIZ_Result;

/** Races for a concurrent handle. Several threads may hold the handle at once, but the thread that closes it must be alone. */
public final class SharedClaimRaces {
    private SharedClaimRaces() {}

    /** A state with many holders. The thread that closes it must be the last holder. */
    static final class Shared extends ClaimState {
        final AtomicInteger inside = new AtomicInteger();
        final AtomicInteger closes = new AtomicInteger();
        final AtomicInteger violations = new AtomicInteger();

        Shared() {
            super(true);
        }

        void process(int ready) {
            for (int bits = ready; bits != 0; bits = release()) {
                int others = inside.getAndIncrement();
                if (closes.get() > 0) {
                    violations.incrementAndGet();
                }
                if ((bits & ReadyBits.CLOSE) != 0 && markClosed()) {
                    violations.addAndGet(others);
                    closes.incrementAndGet();
                }
                inside.getAndDecrement();
            }
        }

        void processPosted(boolean listed) {
            if (listed) {
                process(claimPosted());
            }
        }

        void report(IIZ_Result result) {
            result.r1 = closes.get();
            result.r2 = violations.get();
            result.r3 = isClaimed();
        }
    }

    /** One thread is inside or enters while a second thread requests the close. */
    @JCStressTest
    @Outcome(id = "1, 0, false", expect = Expect.ACCEPTABLE, desc = "closed once, by a thread that is alone")
    @State
    public static class EnterAndClose {
        final Shared shared = new Shared();

        @Actor
        public void holder() {
            shared.process(shared.claim(ReadyBits.READ));
        }

        @Actor
        public void closer() {
            shared.processPosted(shared.notePosted(ReadyBits.CLOSE));
        }

        @Arbiter
        public void afterwards(IIZ_Result result) {
            shared.report(result);
        }
    }

    /** Two threads hold the handle at once. Both close the handle, and leave. */
    @JCStressTest
    @Outcome(id = "1, 0, false", expect = Expect.ACCEPTABLE, desc = "closed once, by the last to leave")
    @State
    public static class BothClose {
        final Shared shared = new Shared();

        public BothClose() {
            shared.claim(ReadyBits.READ);
            shared.claim(ReadyBits.READ);
        }

        @Actor
        public void one() {
            shared.processPosted(shared.notePosted(ReadyBits.CLOSE));
            shared.process(shared.release());
        }

        @Actor
        public void other() {
            shared.processPosted(shared.notePosted(ReadyBits.CLOSE));
            shared.process(shared.release());
        }

        @Arbiter
        public void afterwards(IIZ_Result result) {
            shared.report(result);
        }
    }
}
