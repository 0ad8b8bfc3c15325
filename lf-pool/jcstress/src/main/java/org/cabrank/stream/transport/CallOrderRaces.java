package org.cabrank.stream.transport;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Races of calls on a connection. If a callback knows that a call has returned, the callback's next call must act after it. */
public final class CallOrderRaces {
    private static final int CALLBACK = 1;

    private CallOrderRaces() {}

    /** The mailbox of a connection, and a flag that a sender sets when its call has returned. */
    private static class Mail {
        final Mailbox mailbox = new Mailbox();
        volatile boolean returned;

        boolean actsAtOnce() {
            return mailbox.size() == 0 || mailbox.runActs(CALLBACK, true);
        }
    }

    /** A thread writes, then sets the flag. A callback reads the flag, then writes. If it has seen the flag, its write must act second. */
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

    /** A thread hands a task over, sets the flag, then writes. If a callback has seen the flag, its write must wait behind the task. */
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

    /** A callback switches reading on or off after a second thread has done so. */
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
