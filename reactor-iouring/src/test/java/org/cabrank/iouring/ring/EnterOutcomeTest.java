package org.cabrank.iouring.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.cabrank.kernel.Errno;
import org.junit.jupiter.api.Test;

/** Every errno that io_uring_enter(2) lists, and those that no manual page lists. */
class EnterOutcomeTest {
    private static final Set<Integer> OVER = Set.of(Errno.ETIME, Errno.EINTR);
    private static final Set<Integer> PASSING = Set.of(Errno.EAGAIN, Errno.EBUSY, Errno.ENOMEM, Errno.ENOBUFS);

    @Test
    void everyErrnoHasAnOutcome() {
        for (int errno = 1; errno <= Errno.MAX_ERRNO; errno++) {
            EnterOutcome wanted = OVER.contains(errno)
                    ? EnterOutcome.OVER
                    : PASSING.contains(errno) ? EnterOutcome.PASSING : EnterOutcome.BROKEN;
            assertEquals(wanted, EnterOutcome.of(errno), Errno.name(errno));
        }
    }
}
