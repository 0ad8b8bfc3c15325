package org.cabrank.descriptor.spi;

import java.net.SocketAddress;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.KernelException;

/** What becomes of each errno of accept(2). */
public enum AcceptOutcome {
    /** One connection failed, or the call did: there may be others. */
    NEXT,
    /** No connection is waiting. */
    NONE,
    /** The process or the system has no descriptor or memory to spare: {@link AcceptPause}. */
    SHORTAGE;

    /**
     * @param errno positive
     * @param listening for the message
     * @throws KernelException for an errno that means an end of accepting
     */
    public static AcceptOutcome of(int errno, SocketAddress listening) throws KernelException {
        return switch (errno) {
            case Errno.EAGAIN -> NONE;
            // The connection is gone before it was accepted, or the network has an error pending on it: to the next.
            case Errno.EINTR,
                    Errno.ECONNABORTED,
                    Errno.EPROTO,
                    Errno.EPERM,
                    Errno.ENETDOWN,
                    Errno.ENOPROTOOPT,
                    Errno.EHOSTDOWN,
                    Errno.EHOSTUNREACH,
                    Errno.EOPNOTSUPP,
                    Errno.ENETUNREACH,
                    Errno.ETIMEDOUT -> NEXT;
            case Errno.EMFILE, Errno.ENFILE, Errno.ENOBUFS, Errno.ENOMEM -> SHORTAGE;
            default -> throw Errno.exception("accept4 at " + listening, -errno);
        };
    }
}
