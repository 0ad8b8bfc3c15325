package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.iouring.config.RingMode;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.ForwardingKernel;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.socket.contract.LogCapture;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads submit to a ring while further threads, in turns, take what has completed. */
@Timeout(60)
class SharedRingTest {
    private static final int SUBMITTERS = 3;
    private static final int WATCHERS = 2;
    private static final int EACH = 20_000;

    /** Has no memory for every third submission, as if it were short of it. */
    private static Kernel shortOfMemory(Kernel next, AtomicInteger refused) {
        AtomicLong calls = new AtomicLong();
        return new ForwardingKernel(next) {
            @Override
            public int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
                if (toSubmit > 0 && calls.incrementAndGet() % 3 == 0) {
                    refused.incrementAndGet();
                    return -Errno.EAGAIN;
                }
                return next().ioUringEnter(fd, toSubmit, minComplete, flags, arg, argBytes);
            }
        };
    }

    @Test
    void nothingIsLostAndNothingCompletesTwice() throws Exception {
        AtomicInteger fewest = new AtomicInteger(Integer.MAX_VALUE);
        submitFromAllSides(new ForwardingKernel(TestKernel.any()) {
            @Override
            public int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
                fewest.accumulateAndGet(toSubmit, Math::min);
                return next().ioUringEnter(fd, toSubmit, minComplete, flags, arg, argBytes);
            }
        });
        assertEquals(0, fewest.get(), "the kernel was asked to take fewer submissions than none");
    }

    @Test
    void nothingIsLostWhileTheKernelIsShortOfMemory() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        submitFromAllSides(shortOfMemory(TestKernel.any(), refused));
        assertTrue(refused.get() > 0, "the kernel has refused nothing");
    }

    /** Makes a pool over a shared ring, and returns the warnings. */
    private static List<String> warningsOf(PoolConfig config) throws IOException {
        RingHandleSet.SLOWNESS_SAID.set(false);
        RingOptions few = RingOptions.DEFAULT.withEntries(16, 64);
        try (LogCapture log = new LogCapture(RingHandleSet.class);
                RingHandleSet set = new RingHandleSet(TestKernel.any(), Deactivation.CLAIM, RingMode.SHARED, few);
                LeaderFollowersPool first = new LeaderFollowersPool(set, config)) {
            first.stopNow();
            return log.warnings();
        }
    }

    @Test
    void eagerPromotionOfSeveralThreadsIsWarnedOf() throws IOException {
        PoolConfig eager = PoolConfig.of("eager", 2).withPromotion(Promotion.eager());
        assertEquals(1, warningsOf(eager).size());
        assertEquals(List.of(), warningsOf(PoolConfig.of("deferred", 2)));
        assertEquals(List.of(), warningsOf(PoolConfig.of("alone", 1).withPromotion(Promotion.eager())));
    }

    private static void submitFromAllSides(Kernel kernel) throws Exception {
        try (Ring ring = Rings.open(kernel, RingMode.SHARED, RingOptions.DEFAULT.withEntries(16, 64))) {
            List<TestThread> threads = new ArrayList<>();
            BitSet[] completed = new BitSet[SUBMITTERS];
            AtomicLong count = new AtomicLong();
            AtomicBoolean twice = new AtomicBoolean();
            AtomicBoolean over = new AtomicBoolean();
            for (int i = 0; i < SUBMITTERS; i++) {
                completed[i] = new BitSet();
                long submitter = i;
                threads.add(TestThread.start("submitter " + i, () -> {
                    for (int n = 0; n < EACH && !over.get(); n++) {
                        Rings.addNop(ring, submitter << 32 | n);
                        if (n % 5 == 0) {
                            ring.submit();
                        }
                    }
                    while (!over.get() && ring.submissions().pending() > 0 && count.get() < (long) SUBMITTERS * EACH) {
                        ring.submit();
                        Thread.onSpinWait();
                    }
                }));
            }
            Object leadership = new Object();
            for (int i = 0; i < WATCHERS; i++) {
                threads.add(TestThread.start("watcher " + i, () -> {
                    while (!over.get() && count.get() < (long) SUBMITTERS * EACH) {
                        synchronized (leadership) {
                            ring.await(1, 0, 1_000_000);
                            for (Completion each : Rings.takeAll(ring)) {
                                BitSet seen = completed[(int) (each.userData() >>> 32)];
                                twice.compareAndSet(false, seen.get((int) each.userData()));
                                seen.set((int) each.userData());
                                count.incrementAndGet();
                            }
                        }
                    }
                }));
            }
            try {
                for (TestThread thread : threads) {
                    thread.join();
                }
            } finally {
                over.set(true); // after a failure: nobody may use a ring that is closed
                Await.until("all threads have ended", () -> threads.stream().noneMatch(TestThread::isAlive));
            }
            assertEquals((long) SUBMITTERS * EACH, count.get());
            for (BitSet seen : completed) {
                assertEquals(EACH, seen.cardinality());
            }
            assertTrue(!twice.get(), "a submission has completed twice");
            assertEquals(0, ring.submissions().pending());
        }
    }

    /**
     * Not when the thread ends, but when they would complete: then they end as cancelled, and another thread can arm them again.
     */
    @Test
    void aRequestOfAThreadThatHasEndedIsCancelledWhenItWouldComplete() throws Exception {
        Kernel kernel = TestKernel.any();
        try (Ring ring = Rings.open(kernel, RingMode.SHARED, Rings.SMALL);
                TcpPair pair = new TcpPair(kernel)) {
            TestThread ends = TestThread.start("ends", () -> {
                poll(ring, pair, 5);
                assertEquals(1, ring.submit());
            });
            ends.join();
            Rings.awaitEndOfThread("ends");
            assertEquals(0, ring.await(1, 0, 1_000_000));
            pair.send("x");
            Completion cancelled = Rings.awaitSome(ring).get(0);
            assertEquals(5, cancelled.userData());
            assertEquals(-Errno.ECANCELED, cancelled.result());
            poll(ring, pair, 6);
            Completion again = Rings.awaitSome(ring).get(0);
            assertEquals(6, again.userData());
            assertEquals(Epoll.EPOLLIN, again.result());
        }
    }

    /** A poll of an eventfd would belong to the thread that was the watcher then. */
    @Test
    void wakesGoOnWhenTheThreadThatHasArmedThemHasEnded() throws Exception {
        Kernel kernel = new OldKernel(TestKernel.any(), OldKernel.Version.LINUX_6_0);
        try (Ring ring = Rings.open(kernel, RingMode.SHARED, Rings.SMALL)) {
            TestThread first = TestThread.start("first watcher", () -> assertEquals(0, ring.await(1, 0, 1_000_000)));
            first.join();
            Rings.awaitEndOfThread("first watcher");
            for (int i = 0; i < 3; i++) {
                assertEquals(0, ring.wake());
                Completion woken = Rings.awaitSome(ring).get(0);
                assertEquals(Ring.WAKEUP, woken.userData());
                ring.woken(woken.result(), woken.flags());
            }
        }
    }

    private static void poll(Ring ring, TcpPair pair, long userData) {
        ring.submissions().poll(pair.fd(), Epoll.EPOLLIN, userData);
    }

    @Test
    void aWakeThatComesWithTheEndOfTheRingDoesNoHarm() throws IOException, InterruptedException {
        for (int i = 0; i < 300; i++) {
            AccountingKernel kernel = new OldKernel(
                    TestKernel.any(), i % 2 == 0 ? OldKernel.Version.LINUX_6_0 : OldKernel.Version.LINUX_6_12);
            Ring ring = Rings.open(kernel, RingMode.SHARED, Rings.SMALL);
            CountDownLatch waking = new CountDownLatch(1);
            TestThread late = TestThread.start("late", () -> {
                for (int n = 0; n < 50; n++) {
                    int refused = ring.wake();
                    waking.countDown(); // first, because the test waits for it
                    assertEquals(0, refused);
                }
            });
            waking.await();
            ring.close();
            ring.close();
            late.join();
            assertEquals(0, ring.wake());
            assertEquals("", kernel.kept());
        }
    }
}
