package org.cabrank.socket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Scheduling;
import org.cabrank.kernel.layout.SchedulingParameter;

/**
 * Scheduling of the threads of a handle set. The watcher has the policy SCHED_BATCH: it does not preempt a leader on the same CPU, and runs
 * when the leader waits, is blocked, or has used its time slice. If the kernel refuses a policy (seccomp), only speed suffers.
 */
final class ThreadPolicy {
    private static final int CALLER = 0;

    /** Smallest slack, because 0 means the default: timers expire on time, not up to 50 us later. */
    private static final int TIMER_SLACK_NS = 1;

    private final Kernel kernel;
    private final ByteBuffer parameter =
            ByteBuffer.allocateDirect(SchedulingParameter.SIZE_BYTES).order(ByteOrder.nativeOrder());

    private final long parameterAddress;

    private final int inherited;

    ThreadPolicy(Kernel kernel) {
        this.kernel = kernel;
        this.parameterAddress = kernel.addressOf(parameter);
        this.inherited = kernel.schedGetscheduler(CALLER);
    }

    /** Called by a new thread of the pool. If the watcher has started the thread, it has inherited SCHED_BATCH. */
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
