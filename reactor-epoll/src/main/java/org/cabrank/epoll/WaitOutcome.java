package org.cabrank.epoll;

import org.cabrank.kernel.Errno;

/** Outcome of each errno of epoll_wait(2) and epoll_pwait2(2). */
enum WaitOutcome {
    /** The wait is over without an event. */
    OVER,
    /** The kernel lacks memory for now: {@link org.cabrank.socket.transport.KernelRetry}. */
    PASSING,
    /** The handle set cannot be watched anymore. */
    BROKEN;

    /**
     * Returns the outcome of {@code errno}. Every errno that the manual pages list is decided here.
     *
     * @param errno positive
     */
    static WaitOutcome of(int errno) {
        return switch (errno) {
            // A signal handler ran (a profiler's, for instance). No error, however often it comes, so it has no bound.
            case Errno.EINTR -> OVER;
            // Not listed by epoll_wait(2), but allocations on the way to the wait can fail, and whoever injects
            // faults or filters calls (seccomp, ptrace) answers so: nothing was lost, and the events are still there.
            case Errno.ENOMEM, Errno.EAGAIN, Errno.EBUSY, Errno.ENOBUFS -> PASSING;
            // Mistakes of this process: the descriptor was closed or replaced by code that does not own
            // it (EBADF, EINVAL), or the event buffer is not writable (EFAULT). No retry repairs that.
            case Errno.EBADF, Errno.EINVAL, Errno.EFAULT -> BROKEN;
            // Of epoll_pwait2(2), TimedWait has taken ENOSYS and EPERM as a reason to call epoll_wait(2) instead; from
            // epoll_wait(2) they mean that a seccomp filter has come into force that forbids the wait.
            case Errno.ENOSYS, Errno.EPERM -> BROKEN;
            // Listed by no manual page: unknown whether a retry can
            // help, so the reactor ends visibly instead of spinning.
            default -> BROKEN;
        };
    }
}
