package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.cabrank.kernel.Errno;
import org.junit.jupiter.api.Test;

/** Every errno that epoll_wait(2) lists, and those that no manual page lists. */
class WaitOutcomeTest {
    private static final Set<Integer> PASSING = Set.of(Errno.EAGAIN, Errno.EBUSY, Errno.ENOMEM, Errno.ENOBUFS);

    @Test
    void everyErrnoHasAnOutcome() {
        for (int errno = 1; errno <= Errno.MAX_ERRNO; errno++) {
            WaitOutcome wanted = errno == Errno.EINTR
                    ? WaitOutcome.OVER
                    : PASSING.contains(errno) ? WaitOutcome.PASSING : WaitOutcome.BROKEN;
            assertEquals(wanted, WaitOutcome.of(errno), Errno.name(errno));
        }
    }
}
