package org.cabrank.bench.load.engine;

import java.nio.ByteBuffer;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.TimerSpec;

/** Wakes a worker when the next request is due. Uses a timerfd, because the timeout of epoll_wait is in ms, which is too coarse. */
public final class PaceTimer {

    public static final long NEVER = Long.MIN_VALUE;

    public static final int TOKEN = -1;

    /** Edge-triggered, because the expiry is never read. A level-triggered epoll_wait would report it again and again. */
    private static final int INTEREST = Epoll.EPOLLIN | Epoll.EPOLLET;

    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final Kernel kernel;
    private final ByteBuffer spec = NativeBuffers.of(TimerSpec.SIZE_BYTES);
    private final long specAddress;
    private int fd = -1;
    private long armedForNs = NEVER;

    public PaceTimer(Kernel kernel) {
        this.kernel = kernel;
        specAddress = kernel.addressOf(spec);
    }

    /** Sets the timer to expire at {@code dueNs}, a value of System.nanoTime(). If it is {@link #NEVER}, leaves the timer unchanged. */
    public void arm(long dueNs, EventPoll poll) throws KernelException {
        if (dueNs == armedForNs || dueNs == NEVER) {
            return;
        }
        if (fd < 0) {
            open(poll);
        }
        armedForNs = dueNs;
        // On Linux, System.nanoTime() reads CLOCK_MONOTONIC. Setting the timer clears the last expiry, so the expiry
        // need not be read.
        spec.putLong(TimerSpec.VALUE_SEC_OFFSET, dueNs / NS_PER_SECOND);
        spec.putLong(TimerSpec.VALUE_NSEC_OFFSET, dueNs % NS_PER_SECOND);
        Errno.check("timerfd_settime", kernel.timerfdSettime(fd, Events.TFD_TIMER_ABSTIME, specAddress, 0));
    }

    private void open(EventPoll poll) throws KernelException {
        fd = Errno.check(
                "timerfd_create",
                kernel.timerfdCreate(Events.CLOCK_MONOTONIC, Events.TFD_NONBLOCK | Events.TFD_CLOEXEC));
        Errno.check("epoll_ctl", poll.watch(Epoll.EPOLL_CTL_ADD, fd, INTEREST, TOKEN));
    }

    public void close() {
        if (fd >= 0) {
            kernel.close(fd);
        }
    }
}
