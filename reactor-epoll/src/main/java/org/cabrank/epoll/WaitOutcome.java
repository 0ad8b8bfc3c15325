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

    /** Returns the outcome of a positive errno. Every errno of the manual pages is listed here. */
    static WaitOutcome of(int errno) {
        return switch (errno) {
            // A signal handler has run, perhaps of a profiler: no error, however often it happens.
            case Errno.EINTR -> OVER;
            // Unlisted, but allocations before the wait can fail, and fault injectors or filters (seccomp, ptrace) may
            // return them: no event is lost.
            case Errno.ENOMEM, Errno.EAGAIN, Errno.EBUSY, Errno.ENOBUFS -> PASSING;
            // Mistakes of this process: code that does not own the descriptor closed or replaced it (EBADF, EINVAL), or
            // the event buffer is not writable (EFAULT). No retry repairs that.
            case Errno.EBADF, Errno.EINVAL, Errno.EFAULT -> BROKEN;
            // A seccomp filter forbids epoll_wait(2). If it forbids epoll_pwait2(2), TimedWait handles that.
            case Errno.ENOSYS, Errno.EPERM -> BROKEN;
            // Not listed in a manual page: a retry may not help, so the reactor ends visibly instead of spinning.
            default -> BROKEN;
        };
    }
}
