package org.cabrank.epoll.example;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.TimerSpec;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Ready;

/**
 * Any descriptor can be a handle; here an eventfd and a timerfd, both of which a read tells a number of: what was added to
 * the one, how often the other fired.
 */
public final class EventfdExample {
    private final Kernel kernel;
    private final AtomicLong added = new AtomicLong();
    private final AtomicLong fired = new AtomicLong();

    EventfdExample(Kernel kernel) {
        this.kernel = kernel;
    }

    /** Adds from 1 to {@code last} to the eventfd, and ends when that has been seen and the timer has fired three times. */
    long run(long last) throws Exception {
        EpollHandleSet set = new EpollHandleSet(kernel, Deactivation.CLAIM);
        int eventFd = Errno.check("eventfd", kernel.eventfd(0, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC));
        int timerFd = Errno.check(
                "timerfd_create",
                kernel.timerfdCreate(Events.CLOCK_MONOTONIC, Events.TFD_NONBLOCK | Events.TFD_CLOEXEC));
        // The set owns them now, and closes them with itself.
        set.register(eventFd, Ready.READ, (handle, ready) -> added.addAndGet(number(eventFd)));
        set.register(timerFd, Ready.READ, (handle, ready) -> fired.addAndGet(number(timerFd)));
        try (LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("counting", 2))) {
            pool.start();
            every(timerFd, 1_000_000);
            for (long value = 1; value <= last; value++) {
                add(eventFd, value);
            }
            while (added.get() < last * (last + 1) / 2 || fired.get() < 3) {
                Thread.onSpinWait();
            }
        }
        set.close();
        return added.get();
    }

    private long number(int fd) throws Exception {
        ByteBuffer eight = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
        int result = kernel.read(fd, kernel.addressOf(eight), Long.BYTES);
        return result == -Errno.EAGAIN ? 0 : Errno.check("read", result) == Long.BYTES ? eight.getLong(0) : 0;
    }

    private void add(int fd, long value) throws Exception {
        ByteBuffer eight = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
        eight.putLong(0, value);
        Errno.check("write", kernel.write(fd, kernel.addressOf(eight), Long.BYTES));
    }

    private void every(int timerFd, long intervalNs) throws Exception {
        ByteBuffer spec = ByteBuffer.allocateDirect(TimerSpec.SIZE_BYTES).order(ByteOrder.nativeOrder());
        spec.putLong(TimerSpec.VALUE_NSEC_OFFSET, intervalNs);
        spec.putLong(TimerSpec.INTERVAL_NSEC_OFFSET, intervalNs);
        Errno.check("timerfd_settime", kernel.timerfdSettime(timerFd, 0, kernel.addressOf(spec), 0));
    }
}
