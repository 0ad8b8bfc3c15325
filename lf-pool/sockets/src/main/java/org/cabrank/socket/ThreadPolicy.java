package org.cabrank.socket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Scheduling;
import org.cabrank.kernel.layout.SchedulingParameter;

/** Scheduling of a set's threads. SCHED_BATCH keeps the watcher from preempting a leader. Its refusal (seccomp) costs only speed. */
final class ThreadPolicy {
    private static final int CALLER = 0;

    /** Smallest possible slack: timers expire on time. The value 0 would select the default, with which timers may expire 50 us late. */
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

    /** Called by a new thread of the pool. A thread that the watcher has started has inherited SCHED_BATCH, which is reset here. */
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
