package org.cabrank.socket.transport;

import org.cabrank.kernel.Errno;

/** Outcome of each errno of accept(2), of the system call and of an io_uring completion alike. */
public enum AcceptOutcome {
    /** One connection failed, and has left the queue; further connections may wait behind that connection. */
    NEXT,
    /** No connection is waiting. */
    NONE,
    /** The process or the system lacks a descriptor or memory: {@link AcceptPause}. */
    SHORTAGE,
    /** The call is refused for now, and its connection may still be in the queue: {@link AcceptPause}. */
    REFUSED,
    /** The socket cannot accept anymore: the listener fails, and with the listener its reactor. */
    BROKEN;

    /**
     * Returns the outcome of {@code errno}. Every errno that accept(2) and accept4(2) list is decided here.
     *
     * @param errno positive
     */
    public static AcceptOutcome of(int errno) {
        return switch (errno) {
            case Errno.EAGAIN -> NONE;
            // The call did nothing: a signal came, or (on a ring) the request is cancelled, for another thread to arm.
            case Errno.EINTR, Errno.ECANCELED -> NEXT;
            // The kernel has taken the connection off the queue, and reports why the connection is of no use: its peer
            // has reset it, or the network has an error pending on it (accept(2), "Error handling").
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
            // Descriptors and memory come back when connections close, here or elsewhere in the system.
            case Errno.EMFILE, Errno.ENFILE, Errno.ENOBUFS, Errno.ENOMEM, Errno.ENOSR -> SHORTAGE;
            // A firewall or a security module (SELinux, AppArmor, a BPF program) forbids this connection. It decides
            // before the kernel takes the connection off the queue, so an immediate retry would fail likewise; a policy
            // that is loaded later may allow the connection.
            case Errno.EPERM, Errno.EACCES -> REFUSED;
            // Mistakes of this process: the descriptor is closed, is no socket, does not listen, or the address is bad.
            // No retry repairs that, and a listener that stayed would serve nobody.
            case Errno.EBADF, Errno.EINVAL, Errno.ENOTSOCK, Errno.EFAULT -> BROKEN;
            // Listed by no manual page, so no proof that the socket is broken: tried again, at a bounded rate.
            default -> REFUSED;
        };
    }
}
