package org.cabrank.bench.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Effect of each way to block on its thread. */
@Timeout(300)
class BlockingWayTest {

    private static final long MILLISECOND = 1_000_000;
    private static final int VIRTUAL_THREADS_SINCE = 21;

    /** JEP 491. */
    private static final int MONITORS_UNMOUNT_SINCE = 24;

    /** Long enough to be looked at; the test waits for what it looks for, and not for this time. */
    private static final long LOOKED_AT_NS = 2_000 * MILLISECOND;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Times in ns that a call took: by the clock, and on a CPU. */
    private record Times(long wallNs, long cpuNs) {

        static Times of(BlockingWay way, long timeNs) {
            way.prepare(timeNs);
            way.block(timeNs);
            long cpuBefore = THREADS.getCurrentThreadCpuTime();
            long before = System.nanoTime();
            way.block(timeNs);
            long wallNs = System.nanoTime() - before;
            return new Times(wallNs, THREADS.getCurrentThreadCpuTime() - cpuBefore);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = BlockingWay.class,
            names = {"PARK", "NATIVE", "LOCK"})
    void aThreadThatWaitsForItsTimeHardlyNeedsACpu(BlockingWay way) {
        Times times = Times.of(way, 50 * MILLISECOND);
        assertTrue(times.wallNs() >= 50 * MILLISECOND, times.toString());
        assertTrue(times.cpuNs() < 10 * MILLISECOND, times.toString());
    }

    @Test
    void burnTakesItsTimeFromACpu() {
        Times times = Times.of(BlockingWay.BURN, 50 * MILLISECOND);
        assertTrue(times.cpuNs() >= 40 * MILLISECOND, times.toString());
    }

    /** By the clock two threads on one CPU take twice as long, and each still computes as much. */
    @Test
    void burnTakesAsMuchCpuTimeBesideOtherThreads() throws Exception {
        int crowd = 2 * Runtime.getRuntime().availableProcessors();
        BlockingWay.BURN.prepare(0);
        CountDownLatch together = new CountDownLatch(crowd);
        ExecutorService threads = Executors.newFixedThreadPool(crowd);
        try {
            List<Future<Long>> cpuTimes = new ArrayList<>();
            for (int i = 0; i < crowd; i++) {
                cpuTimes.add(threads.submit(() -> {
                    together.countDown();
                    together.await();
                    long before = THREADS.getCurrentThreadCpuTime();
                    BlockingWay.BURN.block(50 * MILLISECOND);
                    return THREADS.getCurrentThreadCpuTime() - before;
                }));
            }
            for (Future<Long> cpuNs : cpuTimes) {
                assertTrue(cpuNs.get() >= 40 * MILLISECOND, cpuNs.get() + " ns");
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void eachHandlerAtAMonitorHasAPeerToItself() throws Exception {
        List<Thread> handlers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread handler = new Thread(() -> BlockingWay.LOCK.block(LOOKED_AT_NS), "handler-" + i);
            handler.start();
            handlers.add(handler);
        }
        Set<Integer> monitors = new HashSet<>();
        for (Thread handler : handlers) {
            awaitState(handler, Thread.State.BLOCKED::equals);
            ThreadInfo info = THREADS.getThreadInfo(handler.getId());
            assertTrue(info.getLockOwnerName().startsWith("slow-peer"), info.toString());
            monitors.add(info.getLockInfo().getIdentityHashCode());
        }
        assertEquals(handlers.size(), monitors.size());
        for (Thread handler : handlers) {
            handler.join();
        }
    }

    @Test
    void aPeerIsUsedAgain() throws Exception {
        Thread handler = new Thread(() -> {
            for (int i = 0; i < 200; i++) {
                BlockingWay.LOCK.block(1);
            }
        });
        int peersBefore = peers();
        handler.start();
        handler.join();
        assertTrue(peers() - peersBefore < 100, peersBefore + " peers before, " + peers() + " now");
    }

    private static int peers() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("slow-peer"))
                .count();
    }

    @Test
    void aVirtualThreadUnmountsWhileItIsParked() throws Exception {
        assertTrue(!mountedWhile(BlockingWay.PARK, Thread.State.TIMED_WAITING));
    }

    @Test
    void aVirtualThreadKeepsItsCarrierInNativeCode() throws Exception {
        assertTrue(mountedWhile(BlockingWay.NATIVE, Thread.State.RUNNABLE));
    }

    @Test
    void aVirtualThreadUnmountsAtAMonitorOfANewJdk() throws Exception {
        assertEquals(
                Runtime.version().feature() < MONITORS_UNMOUNT_SINCE,
                mountedWhile(BlockingWay.LOCK, Thread.State.BLOCKED));
    }

    /** Returns true if a virtual thread has a carrier while it blocks in {@code state}. A mounted thread's description names the carrier. */
    private static boolean mountedWhile(BlockingWay way, Thread.State state) throws Exception {
        assumeTrue(Runtime.version().feature() >= VIRTUAL_THREADS_SINCE, "this JDK has no virtual threads");
        way.prepare(1);
        AtomicReference<Thread> virtual = new AtomicReference<>();
        CountDownLatch begun = new CountDownLatch(1);
        ExecutorService threads = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        try {
            Future<?> blocking = threads.submit(() -> {
                virtual.set(Thread.currentThread());
                begun.countDown();
                way.block(LOOKED_AT_NS);
            });
            begun.await();
            // RUNNABLE is also the state before the call: only what stays so for a while has reached it.
            long untilNs = System.nanoTime() + 100 * MILLISECOND;
            while (System.nanoTime() - untilNs < 0) {
                Thread.onSpinWait();
            }
            awaitState(virtual.get(), state::equals);
            boolean mounted = virtual.get().toString().contains("@");
            assertTrue(!blocking.isDone(), "looked at too late");
            return mounted;
        } finally {
            threads.shutdown();
        }
    }

    private static void awaitState(Thread thread, Predicate<Thread.State> wanted) {
        while (!wanted.test(thread.getState())) {
            assertTrue(thread.isAlive(), () -> thread + " has ended");
            Thread.onSpinWait();
        }
    }
}
