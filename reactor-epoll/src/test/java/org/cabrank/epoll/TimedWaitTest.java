package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.TimeSpec;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.contract.FaultyKernel;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.socket.transport.KernelRetry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Time-outs that the kernel is given, with epoll_pwait2 and without. */
class TimedWaitTest {
    private static final long KEY = 42;

    private final Handle handle = new Handle(null, null) {
        @Override
        public String toString() {
            return "eventfd";
        }
    };

    /** Writes down how long it is asked to wait, and does not: no test takes a year. */
    private static final class HurriedKernel extends ForwardingKernel {
        final List<String> asked = new ArrayList<>();

        HurriedKernel(Kernel next) {
            super(next);
        }

        @Override
        public int epollPoll(int epollFd, long events, int maxEvents) {
            asked.add("nothing");
            return next().epollPoll(epollFd, events, maxEvents);
        }

        @Override
        public int epollWait(int epollFd, long events, int maxEvents, int timeoutMs) {
            asked.add(timeoutMs + " ms");
            return next().epollWait(epollFd, events, maxEvents, 0);
        }

        @Override
        public int epollPwait2(int epollFd, long events, int maxEvents, long timeout) {
            ByteBuffer spec = next().viewOf(timeout, TimeSpec.SIZE_BYTES);
            asked.add(spec.getLong(TimeSpec.SEC_OFFSET) + " s " + spec.getLong(TimeSpec.NSEC_OFFSET) + " ns");
            // As the kernel would after the time: the call itself may not be there for a test of it.
            return next().epollPoll(epollFd, events, maxEvents);
        }
    }

    private final HurriedKernel hurried = new HurriedKernel(TestKernel.any());
    private final FaultyKernel kernel = new FaultyKernel(hurried);
    private int epollFd;
    private int eventFd;
    private EpollHarvest harvest;

    @BeforeEach
    void watchAnEventfd() throws IOException {
        epollFd = Errno.check("epoll_create1", kernel.epollCreate1(Epoll.EPOLL_CLOEXEC));
        eventFd = Errno.check("eventfd", kernel.eventfd(0, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC));
        ByteBuffer event = direct(EpollEvent.SIZE_BYTES);
        event.putInt(EpollEvent.EVENTS_OFFSET, Epoll.EPOLLIN).putLong(EpollEvent.DATA_OFFSET, KEY);
        Errno.check("epoll_ctl", kernel.epollCtl(epollFd, Epoll.EPOLL_CTL_ADD, eventFd, kernel.addressOf(event)));
        KernelRetry none = new KernelRetry(System::nanoTime, sleptNs -> {}, () -> {}, Duration.ZERO);
        harvest = new EpollHarvest(kernel, epollFd, none, key -> key == KEY ? handle : null);
    }

    @AfterEach
    void closeThem() throws IOException {
        Errno.check("close", kernel.close(eventFd));
        Errno.check("close", kernel.close(epollFd));
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    private void signal() {
        ByteBuffer one = direct(Long.BYTES).putLong(0, 1);
        assertEquals(Long.BYTES, kernel.write(eventFd, kernel.addressOf(one), Long.BYTES));
    }

    private void assertHarvested() {
        assertSame(handle, harvest.next());
        assertEquals(Ready.READ, harvest.ready());
        assertNull(harvest.next());
    }

    @Test
    void limitedWaitIsPassedInNanoseconds() throws Exception {
        for (long timeoutNs : new long[] {1, 50_000, 999_999_999, 1_000_000_000, HandleSet.FOREVER - 1}) {
            assertEquals(0, harvest.await(timeoutNs));
        }
        assertEquals(
                List.of("0 s 1 ns", "0 s 50000 ns", "0 s 999999999 ns", "1 s 0 ns", "9223372036 s 854775806 ns"),
                hurried.asked);
        signal();
        assertEquals(1, harvest.await(50_000));
        assertHarvested();
    }

    @Test
    void noTimeAndNoLimitAreForEpollWait() throws Exception {
        harvest.await(0);
        harvest.await(HandleSet.FOREVER);
        assertEquals(List.of("nothing", "-1 ms"), hurried.asked);
        assertEquals(0, kernel.calls("epoll_pwait2"));
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.ENOSYS, Errno.EPERM})
    void refusedOnceItIsNotTriedAgainAndNoWaitIsLost(int errno) throws Exception {
        kernel.plan("epoll_pwait2", call -> -errno);
        signal();
        assertEquals(1, harvest.await(50_000));
        assertHarvested();
        for (long timeoutNs : new long[] {1, 1_000_000, 1_000_001, HandleSet.FOREVER - 1}) {
            assertEquals(1, harvest.await(timeoutNs));
        }
        assertEquals(List.of("1 ms", "1 ms", "1 ms", "2 ms", Integer.MAX_VALUE + " ms"), hurried.asked);
        assertEquals(1, kernel.calls("epoll_pwait2"));
    }

    @Test
    void interruptedTimedWaitIsAnEmptyHarvest() throws Exception {
        kernel.plan("epoll_pwait2", Plan.first(-Errno.EINTR));
        signal();
        assertEquals(0, harvest.await(50_000));
        assertNull(harvest.next());
        assertEquals(1, harvest.await(50_000));
        assertEquals(2, kernel.calls("epoll_pwait2"));
    }

    @Test
    void failureNamesTheCallThatFailed() {
        kernel.plan("epoll_pwait2", Plan.first(-Errno.EBADF, -Errno.ENOSYS));
        KernelException timed = assertThrows(KernelException.class, () -> harvest.await(1));
        assertEquals(Errno.EBADF, timed.errno());
        assertTrue(timed.getMessage().startsWith("epoll_pwait2"), timed.getMessage());
        kernel.plan("epoll_wait", call -> -Errno.EINVAL);
        for (long timeoutNs : new long[] {HandleSet.FOREVER, 1}) {
            KernelException failed = assertThrows(KernelException.class, () -> harvest.await(timeoutNs));
            assertTrue(failed.getMessage().startsWith("epoll_wait"), failed.getMessage());
        }
    }
}
