package org.cabrank.stream.transport;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Races of calls on a connection: a call in a callback acts behind the calls whose return its thread knows of. */
public final class CallOrderRaces {
    private static final int CALLBACK = 1;

    private CallOrderRaces() {}

    /** The mail of a connection, and a word by which its sender says that the call has returned. */
    private static class Mail {
        final Mailbox mailbox = new Mailbox();
        volatile boolean returned;

        /** Returns true if a call of the callback acts at once. */
        boolean actsAtOnce() {
            return mailbox.size() == 0 || mailbox.runActs(CALLBACK, true);
        }
    }

    /** Another thread writes, and notes in a word that it has; a callback that may have read the word writes then. */
    @JCStressTest
    @Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "the other's write has returned, and acts before")
    @Outcome(id = "false, [01]", expect = Expect.ACCEPTABLE, desc = "both at the same time")
    @State
    public static class WriteThatHasReturned extends Mail {
        int written;

        @Actor
        public void callback(ZI_Result result) {
            result.r1 = returned;
            result.r2 = actsAtOnce() ? written : -1;
        }

        @Actor
        public void other() {
            mailbox.add(new Mailbox.Mail(DecoratorOutput.CallKind.WRITE, () -> written++));
            returned = true;
        }
    }

    /** Another thread hands a task over, and writes behind it; a callback that knows waits for both. */
    @JCStressTest
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "the callback's write becomes mail")
    @Outcome(id = "false, (true|false)", expect = Expect.ACCEPTABLE, desc = "both at the same time")
    @State
    public static class TaskThatHasReturned extends Mail {
        @Actor
        public void callback(ZZ_Result result) {
            result.r1 = returned;
            result.r2 = actsAtOnce();
        }

        @Actor
        public void other() {
            mailbox.add(() -> {
                throw new AssertionError("a task runs inside a call");
            });
            returned = true;
            mailbox.add(new Mailbox.Mail(DecoratorOutput.CallKind.WRITE, () -> {
                throw new AssertionError("a write overtakes a task");
            }));
        }
    }

    /** A callback changes reading, which another thread has changed before. */
    @JCStressTest
    @Outcome(id = "true, 2", expect = Expect.ACCEPTABLE, desc = "the later change stands")
    @Outcome(id = "false, [12]", expect = Expect.ACCEPTABLE, desc = "both at the same time")
    @State
    public static class ChangeThatHasReturned extends Mail {
        private int changed;

        @Actor
        public void callback(ZI_Result result) {
            result.r1 = returned;
            if (mailbox.size() > 0) {
                mailbox.withdraw(Mailbox.Change.READING);
            }
            changed = 2;
            for (Runnable left = mailbox.poll(); left != null; left = mailbox.poll()) {
                left.run();
            }
            result.r2 = changed;
        }

        @Actor
        public void other() {
            mailbox.add(Mailbox.Change.READING, () -> changed = 1, 1);
            returned = true;
        }
    }
}
