package org.cabrank.kernel;

/** Constants of sched(7) and setpriority(2), for {@link SchedulerCalls}. */
public final class Scheduling {
    public static final int SCHED_OTHER = 0;
    public static final int SCHED_FIFO = 1;
    public static final int SCHED_RR = 2;
    public static final int SCHED_BATCH = 3;
    public static final int SCHED_IDLE = 5;

    /** If this is or-ed to a policy, new threads do not inherit a real-time policy or a nice value below 0. */
    public static final int SCHED_RESET_ON_FORK = 0x40000000;

    /** On Linux, {@code who} is the id of a thread, not of a process. */
    public static final int PRIO_PROCESS = 0;

    /**
     * Sets the timer slack in ns. Timed waits may end late by this time, unless the thread has a real-time policy. The default is 50,000.
     * The value 0 restores the slack that the thread had when it was started.
     */
    public static final int PR_SET_TIMERSLACK = 29;
    /** Returns the timer slack in ns. */
    public static final int PR_GET_TIMERSLACK = 30;

    private static final int NICE_BASE = 20;

    private Scheduling() {}

    /**
     * Returns the nice value, from -20 to 19.
     *
     * @param kernelPriority successful result of {@link SchedulerCalls#getpriority}
     */
    public static int niceOf(int kernelPriority) {
        return NICE_BASE - kernelPriority;
    }
}
