package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.cabrank.descriptor.DescriptorHandle;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.EventHandler;
import org.cabrank.lf.Handle;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;

/** An epoll set under one thread or several, claimed or disarmed, over a kernel that counts; and nothing is left of it. */
@Timeout(30)
abstract class EpollHandleSetFixture {
    record Mode(int threads, Deactivation deactivation) {}

    @Parameter
    Mode mode;

    protected final FaultyKernel kernel = new FaultyKernel(TestKernel.any());
    protected final ByteBuffer eight = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
    protected final List<LeaderFollowersPool> pools = new ArrayList<>();
    private int descriptors;
    protected EpollHandleSet set;

    static Stream<Mode> modes() {
        return Stream.of(
                new Mode(1, Deactivation.CLAIM),
                new Mode(1, Deactivation.ONESHOT),
                new Mode(3, Deactivation.CLAIM),
                new Mode(3, Deactivation.ONESHOT));
    }

    @BeforeEach
    void open() throws IOException {
        descriptors = Descriptors.count();
        set = new EpollHandleSet(kernel, mode.deactivation());
    }

    @AfterEach
    void nothingIsLeft() {
        pools.forEach(LeaderFollowersPool::close);
        set.close();
        set.close();
        assertEquals(0, set.handleCount());
        assertEquals(0, kernel.closedTwice());
        assertEquals(descriptors, Descriptors.count());
    }

    protected final LeaderFollowersPool serve() {
        LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("handles", mode.threads()));
        pools.add(pool);
        pool.start();
        return pool;
    }

    protected final int eventFd() throws IOException {
        return Errno.check("eventfd", kernel.eventfd(0, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC));
    }

    protected final void signal(int fd) {
        ByteBuffer one = ByteBuffer.allocateDirect(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(0, 1);
        assertEquals(Long.BYTES, kernel.write(fd, kernel.addressOf(one), Long.BYTES));
    }

    /** Takes what an eventfd or a timerfd counts; by the handler, so one at a time. */
    protected final class Counting implements EventHandler {
        final AtomicInteger calls = new AtomicInteger();
        final AtomicInteger sum = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();
        volatile Throwable cause;

        @Override
        public void handleEvent(Handle handle, int ready) {
            calls.incrementAndGet();
            ByteBuffer value = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
            if (kernel.read(((DescriptorHandle) handle).fd(), kernel.addressOf(value), Long.BYTES) == Long.BYTES) {
                sum.addAndGet((int) value.getLong(0));
            }
        }

        @Override
        public void handleClosed(Handle handle, Throwable why) {
            cause = why;
            closed.incrementAndGet();
        }
    }
}
