package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.iouring.config.RingMode;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.Waker;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.ForwardingKernel;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Wake-ups of a shared ring, on kernels without messages that need no ring. */
@Timeout(60)
class SharedRingWakeTest {
    private static final int WAKES = 5;
    private static final int WAKERS = 3;
    private static final int LEADERS = 3;
    private static final int EACH = 5_000;

    /** The thread that builds a reactor waits for a trial's outcome, and may be busy or blocked later. */
    @ParameterizedTest
    @EnumSource(
            value = OldKernel.Version.class,
            names = {"LINUX_6_0", "LINUX_6_1", "LINUX_6_6", "LINUX_6_12"})
    void wakeDoesNotInterruptAThreadThatHasWaitedBefore(OldKernel.Version version) throws Exception {
        Kernel real = TestKernel.any();
        try (Ring ring = Rings.open(new OldKernel(real, version), RingMode.SHARED, Rings.SMALL);
                BlockedThread builder = BlockedThread.start(
                        real, () -> assertEquals(0, ring.await(1, 0, 1_000_000)), BlockedThread::epollWait)) {
            builder.awaitBlockedInEpollWait();
            for (int i = 0; i < WAKES; i++) {
                assertEquals(0, ring.wake());
                assertEquals(List.of(Waker.MESSAGE), wokenResults(ring));
            }
            builder.end();
            assertEquals(1, builder.result(), "events, or -errno");
        }
    }

    /** Each wake ends a wait that begins after the wake or is under way, so the leaders see everything that was posted before. */
    @ParameterizedTest
    @EnumSource(
            value = OldKernel.Version.class,
            names = {"LINUX_6_0", "LINUX_6_12"})
    void noWakeIsLostWhileLeadersChange(OldKernel.Version version) throws Exception {
        AtomicLong posted = new AtomicLong();
        AtomicLong seen = new AtomicLong();
        AtomicLong wakeups = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        long all = (long) WAKERS * EACH;
        Object leadership = new Object();
        List<TestThread> threads = new ArrayList<>();
        try (Ring ring = Rings.open(new OldKernel(TestKernel.any(), version), RingMode.SHARED, Rings.SMALL)) {
            for (int i = 0; i < LEADERS; i++) {
                threads.add(TestThread.start("leader " + i, () -> {
                    while (seen.get() < all && !over.get()) {
                        synchronized (leadership) {
                            if (seen.get() < all) {
                                int available = ring.await(1, 0, Rings.PATIENCE_NS);
                                assertTrue(available > 0, () -> "await: " + available + " after " + seen + " posts");
                                for (Completion each : Rings.takeAll(ring)) {
                                    assertEquals(Ring.WAKEUP, each.userData());
                                    ring.woken(each.result(), each.flags());
                                    wakeups.incrementAndGet();
                                }
                                seen.set(posted.get());
                            }
                        }
                        Thread.onSpinWait();
                    }
                }));
            }
            for (int i = 0; i < WAKERS; i++) {
                threads.add(TestThread.start("waker " + i, () -> {
                    for (int n = 0; n < EACH && !over.get(); n++) {
                        posted.incrementAndGet();
                        assertEquals(0, ring.wake());
                    }
                }));
            }
            try {
                for (TestThread thread : threads) {
                    thread.join();
                }
            } finally {
                over.set(true); // after a failure: nobody may use a ring that is closed
                ring.wake();
                Await.until("all threads have ended", () -> threads.stream().noneMatch(TestThread::isAlive));
            }
            assertEquals(all, seen.get());
            Rings.await(ring, (int) (all + 1 - wakeups.get())); // the last of them
            assertEquals(0, ring.await(1, 0, 1_000_000), "completions that nobody has asked for");
        }
    }

    /** As when the kernel has no memory for the message. */
    @Test
    void wakeWhoseMessageIsRefusedIsMadeByTheEventfdAndTheNextMessageIsSentOnce() throws IOException {
        AtomicInteger refusals = new AtomicInteger();
        Kernel kernel = new OldKernel(
                new ForwardingKernel(TestKernel.any()) {
                    @Override
                    public int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
                        return flags == 0 && refusals.getAndDecrement() > 0
                                ? -Errno.EAGAIN
                                : next().ioUringEnter(fd, toSubmit, minComplete, flags, arg, argBytes);
                    }
                },
                OldKernel.Version.LINUX_6_0);
        try (Ring ring = Rings.open(kernel, RingMode.SHARED, Rings.SMALL)) {
            refusals.set(2);
            for (int i = 0; i < 2; i++) {
                assertEquals(0, ring.wake());
                assertEquals(List.of(Epoll.EPOLLIN), wokenResults(ring));
            }
            assertEquals(0, ring.wake());
            assertEquals(List.of(Waker.MESSAGE), wokenResults(ring));
            assertEquals(0, ring.await(1, 0, 1_000_000), "completions that nobody has asked for");
        }
    }

    private static List<Integer> wokenResults(Ring ring) {
        List<Completion> woken = Rings.awaitSome(ring);
        woken.forEach(each -> ring.woken(each.result(), each.flags()));
        return woken.stream().map(Completion::result).toList();
    }

    @Test
    void wakeOfARingWhoseDescriptorWasClosedElsewhereReportsIt() throws IOException {
        Kernel real = TestKernel.any();
        try (Ring ring = Rings.open(new OldKernel(real, OldKernel.Version.LINUX_6_0), RingMode.SHARED, Rings.SMALL)) {
            real.close(ring.fd());
            assertTrue(Waker.isRingGone(ring.wake()));
            assertEquals(-Errno.EBADF, ring.await(1, 0, 1_000_000));
        }
    }
}
