package org.cabrank.iouring.ring;

import org.cabrank.kernel.Errno;

/** Outcome of an io_uring_enter(2) call that has failed. */
enum EnterOutcome {
    /** The wait is over. Completions may have arrived. */
    OVER,
    /** A retry may help ({@link org.cabrank.socket.transport.KernelRetry}). */
    PASSING,
    BROKEN;

    /** The cases are those under ERRORS in the manual page. Errors of single requests arrive as results of completions. */
    static EnterOutcome of(int errno) {
        return switch (errno) {
            // These are not errors. The time of IORING_ENTER_EXT_ARG is over, or a signal handler has run.
            case Errno.ETIME, Errno.EINTR -> OVER;
            // There was no memory for a request (EAGAIN), for the ring's state of its task (ENOMEM), or for the network
            // (ENOBUFS). EBUSY means that the completion queue must be read first. Requests that the kernel has not
            // taken stay queued.
            case Errno.EAGAIN, Errno.EBUSY, Errno.ENOMEM, Errno.ENOBUFS -> PASSING;
            // Completions were lost because memory was lacking (EBADR). A wait for the completions of these requests
            // would never end.
            case Errno.EBADR -> BROKEN;
            // The ring belongs to another thread (EEXIST), was never enabled (EBADFD), or is being torn down (ENXIO).
            case Errno.EEXIST, Errno.EBADFD, Errno.ENXIO, Errno.EOWNERDEAD -> BROKEN;
            // These are mistakes of this process. The descriptor was closed (EBADF) or is another file (EOPNOTSUPP), or
            // arguments are bad (EINVAL, EFAULT). EINVAL may also mean that a registered index belonged to a thread
            // that has ended.
            case Errno.EBADF, Errno.EOPNOTSUPP, Errno.EINVAL, Errno.EFAULT -> BROKEN;
            // A new seccomp filter forbids the call.
            case Errno.ENOSYS, Errno.EPERM, Errno.EACCES -> BROKEN;
            // No manual page lists this errno. A retry might never help, so the reactor ends with an error instead of
            // spinning.
            default -> BROKEN;
        };
    }
}
