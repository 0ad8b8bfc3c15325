package org.cabrank.epoll;

import org.cabrank.kernel.Errno;

/** Outcome of each errno of epoll_wait(2) and epoll_pwait2(2). */
enum WaitOutcome {
    /** The wait is over without an event. */
    OVER,
    /** The kernel lacks memory for now: {@link org.cabrank.socket.transport.KernelRetry}. */
    PASSING,
    /** The handle set cannot be watched any more. */
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
            // Not listed by epoll_wait(2), but allocations before the wait can fail, and tools that inject faults or
            // filter calls
            // (seccomp, ptrace) may return them: nothing was lost, and the events remain.
            case Errno.ENOMEM, Errno.EAGAIN, Errno.EBUSY, Errno.ENOBUFS -> PASSING;
            // Mistakes of this process: the descriptor was closed or replaced by code that does not own
            // it (EBADF, EINVAL), or the event buffer is not writable (EFAULT). No retry repairs that.
            case Errno.EBADF, Errno.EINVAL, Errno.EFAULT -> BROKEN;
            // TimedWait has handled ENOSYS and EPERM of epoll_pwait2(2) by calling epoll_wait(2); from epoll_wait(2)
            // they mean that a
            // seccomp filter now forbids the wait.
            case Errno.ENOSYS, Errno.EPERM -> BROKEN;
            // Not listed in a manual page: a retry may not help, so the reactor ends visibly instead of spinning.
            default -> BROKEN;
        };
    }
}
