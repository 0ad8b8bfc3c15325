package org.cabrank.iouring.ring;

import org.cabrank.kernel.Errno;

/** Outcome of each errno of io_uring_enter(2), whether the call submits, waits or does both. */
enum EnterOutcome {
    /** The wait is over; there may be completions. */
    OVER,
    /** The kernel lacks memory, or completions must be read first: {@link org.cabrank.socket.transport.KernelRetry}. */
    PASSING,
    /** The ring cannot serve any more. */
    BROKEN;

    /** Decides on each errno that the manual page lists under ERRORS; errors of single requests come with their completions. */
    static EnterOutcome of(int errno) {
        return switch (errno) {
            // The time of IORING_ENTER_EXT_ARG is over, or a signal handler ran, which is no error.
            case Errno.ETIME, Errno.EINTR -> OVER;
            // No memory for a request (EAGAIN), for the ring's state of its task (ENOMEM) or the network (ENOBUFS), or
            // the
            // completion queue has overflowed and must be read first (EBUSY). Requests not taken stay queued.
            case Errno.EAGAIN, Errno.EBUSY, Errno.ENOMEM, Errno.ENOBUFS -> PASSING;
            // Completions were lost for lack of memory (EBADR): their requests would be awaited indefinitely.
            case Errno.EBADR -> BROKEN;
            // The ring belongs to another thread (EEXIST), was never enabled (EBADFD), is being torn down (ENXIO).
            case Errno.EEXIST, Errno.EBADFD, Errno.ENXIO, Errno.EOWNERDEAD -> BROKEN;
            // Mistakes of this process: the descriptor was closed (EBADF) or is another file (EOPNOTSUPP), flags or
            // argument
            // are bad (EINVAL, EFAULT). EINVAL also stands for a registered index of a dead thread.
            case Errno.EBADF, Errno.EOPNOTSUPP, Errno.EINVAL, Errno.EFAULT -> BROKEN;
            // A seccomp filter has come into force that forbids the call.
            case Errno.ENOSYS, Errno.EPERM, Errno.EACCES -> BROKEN;
            // Not in a manual page: a retry may not help, so the reactor ends visibly instead of spinning.
            default -> BROKEN;
        };
    }
}
