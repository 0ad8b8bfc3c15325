package org.cabrank.iouring.ring;

import org.cabrank.kernel.Errno;

/** Outcome of an io_uring_enter(2) call that has failed, be it to submit, to wait or for both. */
enum EnterOutcome {
    /** The wait is over. Completions may have arrived. */
    OVER,
    /** A retry may help: the kernel lacks memory, or completions must be read first ({@link org.cabrank.socket.transport.KernelRetry}). */
    PASSING,
    /** The ring cannot serve any more. */
    BROKEN;

    /** Returns the outcome of each errno that the manual page lists under ERRORS. Errors of single requests come with their completions. */
    static EnterOutcome of(int errno) {
        return switch (errno) {
            // The time of IORING_ENTER_EXT_ARG is over, or a signal handler has run: no errors.
            case Errno.ETIME, Errno.EINTR -> OVER;
            // No memory for a request (EAGAIN), for the ring's state of its task (ENOMEM) or the network (ENOBUFS). Or
            // the completion queue has overflowed and must be read first (EBUSY). Requests not taken stay queued.
            case Errno.EAGAIN, Errno.EBUSY, Errno.ENOMEM, Errno.ENOBUFS -> PASSING;
            // Completions were lost for lack of memory (EBADR): a wait for their requests would not end.
            case Errno.EBADR -> BROKEN;
            // The ring belongs to another thread (EEXIST), was never enabled (EBADFD), is being torn down (ENXIO).
            case Errno.EEXIST, Errno.EBADFD, Errno.ENXIO, Errno.EOWNERDEAD -> BROKEN;
            // Mistakes of this process: the descriptor was closed (EBADF) or is another file (EOPNOTSUPP), or
            // arguments are bad (EINVAL, EFAULT). EINVAL also means that a registered index belonged to a dead thread.
            case Errno.EBADF, Errno.EOPNOTSUPP, Errno.EINVAL, Errno.EFAULT -> BROKEN;
            // A new seccomp filter forbids the call.
            case Errno.ENOSYS, Errno.EPERM, Errno.EACCES -> BROKEN;
            // An errno of no manual page: a retry may not help, so the reactor ends visibly instead of spinning.
            default -> BROKEN;
        };
    }
}
