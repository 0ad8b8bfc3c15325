package org.cabrank.kernel;

import org.cabrank.kernel.layout.SchedulingParameter;

/**
 * Calls for the affinity masks, scheduling policies and priorities of threads. {@code tid} 0 is the calling thread. A mask has one bit for
 * each CPU, CPU 0 lowest. Constants are in {@link Scheduling}.
 */
public interface SchedulerCalls extends NativeCalls {

    /**
     * sched_setaffinity(2), with a mask of {@code maskBytes} bytes. The kernel silently drops CPUs that do not exist or are outside the
     * process's cpuset. Fails with {@code EINVAL} if no CPU is left.
     */
    default int schedSetaffinity(int tid, int maskBytes, long mask) {
        return (int) call(CFunction.SCHED_SETAFFINITY, tid, maskBytes, mask, 0, 0, 0);
    }

    /** sched_getaffinity(2). Returns 0, the rest of the mask zeroed; {@code EINVAL} if {@code maskBytes} (a multiple of 8) is too small. */
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
     * @param parameter address of a {@link SchedulingParameter}; the priority must be 0 if the policy is not real-time
     * @return 0; {@code EPERM} beyond {@link Resources#RLIMIT_RTPRIO} without CAP_SYS_NICE, and for a real-time policy in a cgroup (v1)
     *     without real-time budget; {@code EINVAL} for a priority that the policy does not have
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
     * setpriority(2): sets the nice value, from -20 (favoured) to 19. The kernel clamps other values to this range. On Linux each thread
     * has a nice value: {@link Scheduling#PRIO_PROCESS} with a thread's id (0: the caller) changes only this thread.
     *
     * @return 0; {@code EACCES} without CAP_SYS_NICE for a value below that allowed by {@link Resources#RLIMIT_NICE}; {@code EPERM} for
     *     another user's thread
     */
    default int setpriority(int which, int who, int nice) {
        return (int) call(CFunction.SETPRIORITY, which, who, nice, 0, 0, 0);
    }

    /**
     * The system call of getpriority(2). Returns 20 minus the nice value: 40 for nice -20, 1 for nice 19 (see {@link Scheduling#niceOf}).
     * The C library's function returns the nice value itself, which may look like an error.
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
