package org.cabrank.socket.transport;

import org.cabrank.kernel.Errno;

/** Outcome of each errno of accept(2), for the system call and for io_uring completions. */
public enum AcceptOutcome {
    /** One connection failed and has left the queue. Other connections may wait. */
    NEXT,
    /** No connection is waiting. */
    NONE,
    /** The process or the system lacks descriptors or memory, which causes an {@link AcceptPause}. */
    SHORTAGE,
    /** The kernel refuses for now, which causes an {@link AcceptPause}; the connection may still be in the queue. */
    REFUSED,
    /** The socket cannot accept any more: the listener and its reactor fail. */
    BROKEN;

    /** Returns the outcome of a positive {@code errno}. Every errno that accept(2) and accept4(2) list is decided here. */
    public static AcceptOutcome of(int errno) {
        return switch (errno) {
            case Errno.EAGAIN -> NONE;
            // The call did nothing: interrupted by a signal, or a ring's cancelled request that another thread arms.
            case Errno.EINTR, Errno.ECANCELED -> NEXT;
            // The connection has left the queue (accept(2), "Error handling"): reset by the peer, or a network error.
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
            // A firewall or a security module (SELinux, AppArmor, BPF) forbids the connection before it leaves the
            // queue: an immediate retry would fail too; a policy loaded later may allow it.
            case Errno.EPERM, Errno.EACCES -> REFUSED;
            // Mistakes of this process: closed, no socket, not listening, or a bad address. No retry helps.
            case Errno.EBADF, Errno.EINVAL, Errno.ENOTSOCK, Errno.EFAULT -> BROKEN;
            // Not listed in a manual page, so the socket may still work: tried again at a bounded rate.
            default -> REFUSED;
        };
    }
}
