package org.cabrank.kernel;

import org.cabrank.kernel.layout.SchedulingParameter;

/**
 * Affinity masks, scheduling policies and priorities of threads; {@code tid} 0: the caller. A mask has one bit for each CPU, CPU 0 lowest.
 * Constants are in {@link Scheduling}.
 */
public interface SchedulerCalls extends NativeCalls {

    /**
     * sched_setaffinity(2) from a mask of {@code maskBytes} bytes. The kernel silently drops CPUs that are missing, or outside the
     * process's cpuset; {@code EINVAL} if none remains.
     */
    default int schedSetaffinity(int tid, int maskBytes, long mask) {
        return (int) call(CFunction.SCHED_SETAFFINITY, tid, maskBytes, mask, 0, 0, 0);
    }

    /**
     * sched_getaffinity(2): 0, and the rest of the mask is zeroed. {@code maskBytes}: a multiple of 8; {@code EINVAL} if it is too small.
     */
    default int schedGetaffinity(int tid, int maskBytes, long mask) {
        return (int) call(CFunction.SCHED_GETAFFINITY, tid, maskBytes, mask, 0, 0, 0);
    }

    /** The kernel's id of the calling thread. */
    default int gettid() {
        return (int) call(SystemCall.GETTID, 0, 0, 0, 0, 0, 0);
    }

    /**
     * sched_setscheduler(2). A thread that is started later inherits policy and priority from the thread that starts it, unless
     * {@link Scheduling#SCHED_RESET_ON_FORK} is or-ed to the policy.
     *
     * @param parameter address of a {@link SchedulingParameter}; its priority must be 0 unless the policy is real-time
     * @return 0; {@code EPERM} beyond {@link Resources#RLIMIT_RTPRIO} without CAP_SYS_NICE, and for a real-time policy in a cgroup (v1)
     *     without real-time budget; {@code EINVAL} for a priority that the policy does not have
     */
    default int schedSetscheduler(int tid, int policy, long parameter) {
        return (int) call(SystemCall.SCHED_SETSCHEDULER, tid, policy, parameter, 0, 0, 0);
    }

    /** sched_getscheduler(2): the policy, perhaps or-ed with {@link Scheduling#SCHED_RESET_ON_FORK}. */
    default int schedGetscheduler(int tid) {
        return (int) call(SystemCall.SCHED_GETSCHEDULER, tid, 0, 0, 0, 0, 0);
    }

    /** sched_getparam(2): fills the {@link SchedulingParameter} at {@code parameter}. */
    default int schedGetparam(int tid, long parameter) {
        return (int) call(SystemCall.SCHED_GETPARAM, tid, parameter, 0, 0, 0, 0);
    }

    /**
     * setpriority(2): the nice value, from -20 (favoured) to 19; the kernel clamps other values to that range. On Linux it is a thread's:
     * {@link Scheduling#PRIO_PROCESS} with a thread's id (0: the caller) changes only that thread.
     *
     * @return 0; {@code EACCES} for a lower value than {@link Resources#RLIMIT_NICE} allows, without CAP_SYS_NICE; {@code EPERM} for a
     *     thread of another user
     */
    default int setpriority(int which, int who, int nice) {
        return (int) call(CFunction.SETPRIORITY, which, who, nice, 0, 0, 0);
    }

    /**
     * getpriority(2) as the kernel returns it: 20 minus the nice value, so 40 for nice -20 and 1 for nice 19 (see
     * {@link Scheduling#niceOf}). The C library's function returns the nice value itself, which cannot be distinguished from an error.
     */
    default int getpriority(int which, int who) {
        return (int) call(SystemCall.GETPRIORITY, which, who, 0, 0, 0, 0);
    }

    /**
     * prctl(2) with one argument, for the calling thread: {@link Scheduling#PR_SET_TIMERSLACK} and {@link Scheduling#PR_GET_TIMERSLACK}.
     * Returns 0 or the value read; {@code EINVAL} for an option that the kernel does not know.
     */
    default int prctl(int option, long argument) {
        return (int) call(SystemCall.PRCTL, option, argument, 0, 0, 0, 0);
    }
}
