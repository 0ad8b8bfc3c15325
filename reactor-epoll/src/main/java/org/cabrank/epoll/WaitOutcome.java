package org.cabrank.epoll;

import org.cabrank.kernel.Errno;

/** Outcome of a wait by epoll_wait(2) or epoll_pwait2(2) that has returned an errno. */
enum WaitOutcome {
    OVER,
    /** The kernel lacks memory for now. A {@link org.cabrank.socket.transport.KernelRetry} waits before the next call. */
    PASSING,
    BROKEN;

    /** Returns the outcome of a positive errno. */
    static WaitOutcome of(int errno) {
        return switch (errno) {
            // A signal handler has run, for instance that of a profiler. This is not an error.
            case Errno.EINTR -> OVER;
            // The manual pages do not list these errnos. But allocations before the wait can fail, and fault injectors
            // or filters (seccomp, ptrace) may return them. No event is lost.
            case Errno.ENOMEM, Errno.EAGAIN, Errno.EBUSY, Errno.ENOBUFS -> PASSING;
            // These are mistakes of this process, and a retry cannot help. Other code has closed or replaced the
            // descriptor (EBADF, EINVAL), or the event buffer is not writable (EFAULT).
            case Errno.EBADF, Errno.EINVAL, Errno.EFAULT -> BROKEN;
            // A seccomp filter forbids epoll_wait(2). If it forbids epoll_pwait2(2), TimedWait handles that.
            case Errno.ENOSYS, Errno.EPERM -> BROKEN;
            // No manual page lists this errno. A retry might never help, so the reactor ends with an error instead of
            // spinning.
            default -> BROKEN;
        };
    }
}
