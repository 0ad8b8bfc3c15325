package org.cabrank.kernel;

/** Constants of sched(7) and setpriority(2), for {@link SchedulerCalls}. */
public final class Scheduling {
    /** The default: time-sharing, weighted by the nice value. */
    public static final int SCHED_OTHER = 0;
    /** Real-time: runs before all threads of lower priority, until it blocks or yields. */
    public static final int SCHED_FIFO = 1;
    /** Real-time like {@link #SCHED_FIFO}, but threads of one priority take turns. */
    public static final int SCHED_RR = 2;
    /** Like {@link #SCHED_OTHER}, for computing threads that need not wake up at once. */
    public static final int SCHED_BATCH = 3;
    /** Runs when no other thread is runnable; the nice value has no effect. */
    public static final int SCHED_IDLE = 5;

    /** Or-ed to a policy: new threads do not inherit a real-time policy or a nice value below 0. */
    public static final int SCHED_RESET_ON_FORK = 0x40000000;

    /** {@code who} is the id of a process; on Linux, of a thread. */
    public static final int PRIO_PROCESS = 0;

    /**
     * Option of {@link SchedulerCalls#prctl}: sets the timer slack of the calling thread in ns; 0 sets the slack with which it was started.
     * Timed waits of a thread without real-time policy may end late by this time. The default is 50,000.
     */
    public static final int PR_SET_TIMERSLACK = 29;
    /** Option of {@link SchedulerCalls#prctl}: returns the timer slack of the calling thread in ns. */
    public static final int PR_GET_TIMERSLACK = 30;

    private static final int NICE_BASE = 20;

    private Scheduling() {}

    /** The nice value, -20 to 19, for a successful result of {@link SchedulerCalls#getpriority}. */
    public static int niceOf(int kernelPriority) {
        return NICE_BASE - kernelPriority;
    }
}
