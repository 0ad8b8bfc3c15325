package org.cabrank.socket.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Set;
import org.cabrank.kernel.Errno;
import org.junit.jupiter.api.Test;

/** Every errno that accept(2) lists, and those that no manual page lists. */
class AcceptOutcomeTest {
    private static final Map<AcceptOutcome, Set<Integer>> LISTED = Map.of(
            AcceptOutcome.NONE,
            Set.of(Errno.EAGAIN),
            AcceptOutcome.NEXT,
            Set.of(
                    Errno.EINTR,
                    Errno.ECANCELED,
                    Errno.ECONNABORTED,
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
                    Errno.EPROTONOSUPPORT),
            AcceptOutcome.SHORTAGE,
            Set.of(Errno.EMFILE, Errno.ENFILE, Errno.ENOBUFS, Errno.ENOMEM, Errno.ENOSR),
            AcceptOutcome.BROKEN,
            Set.of(Errno.EBADF, Errno.EFAULT, Errno.EINVAL, Errno.ENOTSOCK));

    /** An errno that is not listed, EPERM and EACCES of a security module included, is tried again at a bounded rate. */
    @Test
    void everyErrnoHasAnOutcome() {
        for (int errno = 1; errno <= Errno.MAX_ERRNO; errno++) {
            int each = errno;
            AcceptOutcome wanted = LISTED.entrySet().stream()
                    .filter(listed -> listed.getValue().contains(each))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElse(AcceptOutcome.REFUSED);
            assertEquals(wanted, AcceptOutcome.of(errno), () -> Errno.name(each));
        }
    }
}
