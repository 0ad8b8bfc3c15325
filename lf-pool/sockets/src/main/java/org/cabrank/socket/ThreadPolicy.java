package org.cabrank.socket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Scheduling;
import org.cabrank.kernel.layout.SchedulingParameter;

/**
 * Scheduling of the threads that serve a handle set. The watcher has the policy SCHED_BATCH: it does not preempt a leader on the same
 * CPU to look at it, and runs when the leader waits or is blocked, or its time slice is over. What the kernel refuses (seccomp) costs
 * time only.
 */
final class ThreadPolicy {
    private static final int CALLER = 0;

    /** The least that there is, because 0 stands for the default: timers expire when they are due, and not up to 50 us later. */
    private static final int TIMER_SLACK_NS = 1;

    private final Kernel kernel;
    private final ByteBuffer parameter =
            ByteBuffer.allocateDirect(SchedulingParameter.SIZE_BYTES).order(ByteOrder.nativeOrder());

    private final long parameterAddress;

    /** Policy of the thread that has made the handle set, which threads of the pool inherit. */
    private final int inherited;

    ThreadPolicy(Kernel kernel) {
        this.kernel = kernel;
        this.parameterAddress = kernel.addressOf(parameter);
        this.inherited = kernel.schedGetscheduler(CALLER);
    }

    /** A thread of the pool, which the watcher may have started. */
    void poolThreadBegins() {
        kernel.prctl(Scheduling.PR_SET_TIMERSLACK, TIMER_SLACK_NS);
        change(Scheduling.SCHED_BATCH, Scheduling.SCHED_OTHER);
    }

    void watcherBegins() {
        kernel.prctl(Scheduling.PR_SET_TIMERSLACK, TIMER_SLACK_NS);
        change(Scheduling.SCHED_OTHER, Scheduling.SCHED_BATCH);
    }

    private void change(int from, int to) {
        if (inherited == Scheduling.SCHED_OTHER && kernel.schedGetscheduler(CALLER) == from) {
            kernel.schedSetscheduler(CALLER, to, parameterAddress);
        }
    }
}
