package org.cabrank.kernel;

import org.cabrank.kernel.layout.SchedulingParameter;

/**
 * Calls for affinity masks, scheduling policies and priorities of threads. {@code tid} 0 is the calling thread. The lowest bit of a mask is
 * CPU 0. Constants are in {@link Scheduling}.
 */
public interface SchedulerCalls extends NativeCalls {

    /** sched_setaffinity(2). Silently drops missing CPUs and CPUs outside the cpuset. Fails with {@code EINVAL} if none is left. */
    default int schedSetaffinity(int tid, int maskBytes, long mask) {
        return (int) call(CFunction.SCHED_SETAFFINITY, tid, maskBytes, mask, 0, 0, 0);
    }

    /** sched_getaffinity(2). Returns 0. Fails with {@code EINVAL} if {@code maskBytes} is too small or not a multiple of 8. */
    default int schedGetaffinity(int tid, int maskBytes, long mask) {
        return (int) call(CFunction.SCHED_GETAFFINITY, tid, maskBytes, mask, 0, 0, 0);
    }

    /** The kernel's id of the calling thread. */
    default int gettid() {
        return (int) call(SystemCall.GETTID, 0, 0, 0, 0, 0, 0);
    }

    /**
     * sched_setscheduler(2). Threads that the thread starts later inherit its policy and priority, unless {@link
     * Scheduling#SCHED_RESET_ON_FORK} is or-ed to the policy.
     *
     * <p>Fails with {@code EPERM} if the caller has no CAP_SYS_NICE and the priority exceeds {@link Resources#RLIMIT_RTPRIO}, or if the
     * thread's cgroup (v1) has no real-time budget. Fails with {@code EINVAL} if the policy does not allow the priority.
     *
     * @param parameter address of a {@link SchedulingParameter}. Its priority must be 0 if the policy is not real-time
     */
    default int schedSetscheduler(int tid, int policy, long parameter) {
        return (int) call(SystemCall.SCHED_SETSCHEDULER, tid, policy, parameter, 0, 0, 0);
    }

    /** sched_getscheduler(2). Returns the policy, perhaps or-ed with {@link Scheduling#SCHED_RESET_ON_FORK}. */
    default int schedGetscheduler(int tid) {
        return (int) call(SystemCall.SCHED_GETSCHEDULER, tid, 0, 0, 0, 0, 0);
    }

    /** sched_getparam(2): fills the {@link SchedulingParameter} at {@code parameter}. */
    default int schedGetparam(int tid, long parameter) {
        return (int) call(SystemCall.SCHED_GETPARAM, tid, parameter, 0, 0, 0, 0);
    }

    /**
     * setpriority(2): sets the nice value of a thread, from -20 (favoured) to 19. {@code which} is {@link Scheduling#PRIO_PROCESS}. {@code
     * who} is the id of the thread, or 0 for the calling thread. Fails with {@code EPERM} for a thread of another user. Without
     * CAP_SYS_NICE, fails with {@code EACCES} if {@link Resources#RLIMIT_NICE} forbids the value.
     */
    default int setpriority(int which, int who, int nice) {
        return (int) call(CFunction.SETPRIORITY, which, who, nice, 0, 0, 0);
    }

    /** The system call of getpriority(2). Returns 20 minus the nice value, so it is never negative ({@link Scheduling#niceOf}). */
    default int getpriority(int which, int who) {
        return (int) call(SystemCall.GETPRIORITY, which, who, 0, 0, 0, 0);
    }

    /** prctl(2) with one argument, for the calling thread. {@code option} is a {@code PR_} constant. Returns 0 or the value read. */
    default int prctl(int option, long argument) {
        return (int) call(SystemCall.PRCTL, option, argument, 0, 0, 0, 0);
    }
}
