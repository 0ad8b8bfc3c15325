package org.cabrank.socket.transport;

import org.cabrank.kernel.Errno;

/** Meaning of each errno of accept(2), for the system call and for io_uring completions. */
public enum AcceptOutcome {
    /** One connection failed and has left the queue. Other connections may wait. */
    NEXT,
    /** No connection is waiting. */
    NONE,
    /** The process or the system lacks descriptors or memory, which causes an {@link AcceptPause}. */
    SHORTAGE,
    /** The kernel refuses a connection at present, which causes an {@link AcceptPause}. The connection may still be in the queue. */
    REFUSED,
    /** The socket cannot accept connections any more. The listener and its reactor fail. */
    BROKEN;

    /** Returns the outcome of a positive {@code errno}. Covers every errno that accept(2) and accept4(2) list. */
    public static AcceptOutcome of(int errno) {
        return switch (errno) {
            case Errno.EAGAIN -> NONE;
            // The call did nothing. A signal interrupted it, or its io_uring request was cancelled, and another thread
            // makes a new one.
            case Errno.EINTR, Errno.ECANCELED -> NEXT;
            // The connection has left the queue, because the peer has reset it or the network has failed (accept(2),
            // "Error handling").
            case Errno.ECONNABORTED,
                    Errno.EPROTO,
                    Errno.ENETDOWN,
                    Errno.ENOPROTOOPT,
                    Errno.EHOSTDOWN,
                    Errno.ENONET,
                    Errno.EHOSTUNREACH,
                    Errno.EOPNOTSUPP,
                    Errno.ENETUNREACH,
                    Errno.ETIMEDOUT,
                    Errno.ESOCKTNOSUPPORT,
                    Errno.EPROTONOSUPPORT -> NEXT;
            // Descriptors and memory are released when connections close, here or elsewhere in the system.
            case Errno.EMFILE, Errno.ENFILE, Errno.ENOBUFS, Errno.ENOMEM, Errno.ENOSR -> SHORTAGE;
            // A firewall or security module (SELinux, BPF) forbids the connection, which stays in the queue. A new
            // policy may allow it.
            case Errno.EPERM, Errno.EACCES -> REFUSED;
            // Mistakes of this process: the descriptor is closed, is no socket or does not listen, or the address is
            // bad. No retry helps.
            case Errno.EBADF, Errno.EINVAL, Errno.ENOTSOCK, Errno.EFAULT -> BROKEN;
            // No manual page lists this errno. The socket may still work, so the listener tries again at a bounded
            // rate.
            default -> REFUSED;
        };
    }
}
