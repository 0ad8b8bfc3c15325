package org.cabrank.epoll;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.TimeSpec;

/** Waits for a limited time in ns by epoll_pwait2(2) (Linux 5.11). If the kernel refuses it, waits by epoll_wait(2) in whole ms. */
final class TimedWait {
    private static final System.Logger LOGGER = System.getLogger(TimedWait.class.getName());

    private static final long NS_PER_S = 1_000_000_000;
    private static final long NS_PER_MS = 1_000_000;

    /** True if this process has already logged that epoll_pwait2(2) is missing. */
    private static final AtomicBoolean SAID = new AtomicBoolean();

    private final Kernel kernel;
    private final ByteBuffer timeout =
            ByteBuffer.allocateDirect(TimeSpec.SIZE_BYTES).order(ByteOrder.nativeOrder());
    private final long timeoutAddress;
    private boolean wholeMs;

    TimedWait(Kernel kernel) {
        this.kernel = kernel;
        this.timeoutAddress = kernel.addressOf(timeout);
    }

    /** Waits like {@link Kernel#epollWait}, for a time above 0. Returns the number of events, 0 after that time, or {@code -errno}. */
    int await(int epollFd, long events, int eventsMax, long timeoutNs) {
        if (!wholeMs) {
            timeout.putLong(TimeSpec.SEC_OFFSET, timeoutNs / NS_PER_S);
            timeout.putLong(TimeSpec.NSEC_OFFSET, timeoutNs % NS_PER_S);
            int result = kernel.epollPwait2(epollFd, events, eventsMax, timeoutAddress);
            // The kernel returns one of these errnos at once, if it is too old or if a seccomp filter does not know the
            // call.
            if (result != -Errno.ENOSYS && result != -Errno.EPERM) {
                return result;
            }
            goOverToMs(result);
        }
        return kernel.epollWait(epollFd, events, eventsMax, ms(timeoutNs));
    }

    private void goOverToMs(int refusal) {
        wholeMs = true;
        if (SAID.compareAndSet(false, true)) {
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "timers expire with the precision of a millisecond: epoll_pwait2 is refused with "
                            + Errno.name(-refusal)
                            + (refusal == -Errno.ENOSYS
                                    ? ", Linux has it from 5.11 on"
                                    : ", perhaps by a seccomp filter that is older than the call"));
        }
    }

    /** Rounds up to whole ms, so that no timer is early. */
    private static int ms(long timeoutNs) {
        return (int) Math.min(Integer.MAX_VALUE, (timeoutNs - 1) / NS_PER_MS + 1);
    }

    String callName() {
        return wholeMs ? "epoll_wait" : "epoll_pwait2";
    }
}
