package org.cabrank.affinity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.affinity.fixture.SimulatedCpus;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a kernel whose CPUs come and go; each test is the watched thread itself. */
class MaskWatchTest {
    private static final CpuList PLANNED = CpuList.of(2);
    private static final CpuList SHARD = CpuList.parse("2-3");

    @TempDir
    private Path sysfs;

    private final List<MaskChange> told = new ArrayList<>();
    private SimulatedCpus cpus;
    private MaskWatch watch;
    private int tid;
    private String me;

    @BeforeEach
    void haveEightCpus() throws Exception {
        cpus = new SimulatedCpus(Kernels.system(), 8, CpuList.parse("0-7"));
        watch = new MaskWatch(cpus, sysfs, 0, told::add);
        tid = cpus.gettid();
        me = "thread " + Thread.currentThread().getName() + " (" + tid + ")";
        showOnline("0-7");
    }

    private void showOnline(String list) throws Exception {
        Path file = Files.createDirectories(sysfs.resolve("devices/system/cpu")).resolve("online");
        Files.writeString(file, list + "\n");
        cpus.online(CpuList.parse(list));
    }

    private MaskChange onlyChange() {
        assertEquals(1, told.size(), told::toString);
        return told.remove(0);
    }

    private void assertChange(boolean asPlanned, String now, String words) {
        MaskChange change = onlyChange();
        assertEquals(words, change.words());
        assertEquals(asPlanned, change.asPlanned());
        assertEquals(CpuList.parse(now), change.now());
        assertEquals(CpuList.parse(now), cpus.maskOf(tid));
    }

    private void assertNothingMoreToSay() {
        int asked = cpus.asked.size();
        watch.check();
        watch.check();
        assertEquals(List.of(), told);
        assertTrue(cpus.asked.size() - asked <= 4, "each check asks for the thread's CPUs and its shard's at most");
    }

    @Test
    void threadThatIsWhereItShallBeIsOnlyLookedAt() throws Exception {
        watch.pin(PLANNED, SHARD);
        int asked = cpus.asked.size();
        watch.check();
        assertEquals(List.of(), told);
        assertEquals(asked, cpus.asked.size());
    }

    @Test
    void threadIsPutBackThatSomebodyLetRunElsewhere() throws Exception {
        watch.pin(PLANNED, SHARD);
        cpus.changeFromOutside(tid, CpuList.parse("0-1"));
        watch.check();
        assertChange(
                true,
                "2",
                "somebody let " + me
                        + " run on CPU 0-1 (taskset does, or a change of the cpuset); it runs on 2 as before");
        assertNothingMoreToSay();
    }

    @Test
    void threadIsLeftToWhoeverInsists() throws Exception {
        watch.pin(PLANNED, SHARD);
        for (int i = 0; i < WatchedThread.RESTORES_MAX; i++) {
            cpus.changeFromOutside(tid, CpuList.of(5));
            watch.check();
            assertTrue(onlyChange().asPlanned());
        }
        cpus.changeFromOutside(tid, CpuList.of(5));
        watch.check();
        MaskChange left = onlyChange();
        assertTrue(left.words().endsWith("no longer watched"), left::words);
        assertFalse(left.asPlanned());
        assertEquals(CpuList.of(5), cpus.maskOf(tid));
        cpus.changeFromOutside(tid, CpuList.of(6));
        assertNothingMoreToSay();
        assertEquals(CpuList.of(6), cpus.maskOf(tid));
    }

    @Test
    void nobodyInsistsWhoComesNowAndThen() throws Exception {
        watch.pin(PLANNED, SHARD);
        for (int i = 0; i <= WatchedThread.RESTORES_MAX; i++) {
            cpus.changeFromOutside(tid, CpuList.of(5));
            watch.check();
            assertTrue(onlyChange().asPlanned());
            for (int calm = 0; calm < WatchedThread.CALM_CHECKS; calm++) {
                watch.check();
            }
        }
        assertEquals(PLANNED, cpus.maskOf(tid));
    }

    @Test
    void secondChangeBeforeACalmPeriodInsists() throws Exception {
        watch.pin(PLANNED, SHARD);
        for (int i = 0; i <= WatchedThread.RESTORES_MAX; i++) {
            for (int calm = 1; calm < WatchedThread.CALM_CHECKS; calm++) {
                watch.check();
            }
            cpus.changeFromOutside(tid, CpuList.of(5));
            watch.check();
        }
        assertTrue(told.get(told.size() - 1).words().endsWith("no longer watched"), told::toString);
    }

    @Test
    void threadRunsOnTheRestOfItsCpusWhenOneGoesOffline() throws Exception {
        watch.pin(SHARD, SHARD);
        showOnline("0-2,4-7");
        watch.check();
        assertChange(false, "2", me + " was to run on CPU 2-3: 3 is offline; it runs on 2, what is left of these");
        assertNothingMoreToSay();
        showOnline("0-7");
        watch.check();
        assertChange(true, "2-3", "CPU 2-3 can be used again: " + me + " runs there as planned");
        assertNothingMoreToSay();
    }

    @Test
    void threadRunsOnTheRestOfItsShardsCpusWhenItsOwnAreGone() throws Exception {
        watch.pin(PLANNED, SHARD);
        showOnline("0-1,3-7");
        watch.check();
        assertChange(false, "3", me + " was to run on CPU 2: 2 is offline; it runs on 3, what is left of its shard's");
        assertNothingMoreToSay();
        showOnline("0-7");
        watch.check();
        assertTrue(onlyChange().asPlanned());
        assertEquals(PLANNED, cpus.maskOf(tid));
    }

    @Test
    void threadStaysWhereTheKernelPutsItWhenTheCpusetLosesItsShard() throws Exception {
        watch.pin(PLANNED, SHARD);
        showOnline("0-2,4-7");
        cpus.cpuset(CpuList.parse("0-1"));
        watch.check();
        assertChange(
                false,
                "0-1",
                me
                        + " was to run on CPU 2: 3 is offline, 2 is outside this process's cpuset; none of its shard's CPUs is"
                        + " left, and it runs on 0-1, where the kernel has put it, until one is back");
        assertNothingMoreToSay();
        showOnline("0-7");
        cpus.cpuset(CpuList.parse("0-3"));
        watch.check();
        assertTrue(onlyChange().asPlanned());
    }

    @Test
    void causeIsLeftOpenWhereNothingSaysWhatIsOnline() throws Exception {
        watch.pin(SHARD, SHARD);
        cpus.cpuset(CpuList.parse("0-2"));
        Files.delete(sysfs.resolve("devices/system/cpu/online"));
        watch.check();
        String words = onlyChange().words();
        assertTrue(words.contains("3 is offline or outside this process's cpuset"), words);
    }

    @Test
    void threadIsPinnedAsFarAsPossibleAndToldWhyNotFurther() throws Exception {
        watch.pinAsFarAsPossible(PLANNED, SHARD);
        assertEquals(List.of(), told);
        assertEquals(PLANNED, cpus.maskOf(tid));
        watch.pinAsFarAsPossible(CpuList.parse("7-9"), CpuList.parse("6-9"));
        assertChange(false, "7", me + " was to run on CPU 7-9: 8-9 is offline; it runs on 7, what is left of these");
        assertNothingMoreToSay();
    }

    @Test
    void threadThatIsPinnedAnewIsNotPutBackWhereItWas() throws Exception {
        watch.pin(PLANNED, SHARD);
        watch.pin(CpuList.of(5), CpuList.of(5));
        assertNothingMoreToSay();
        assertEquals(CpuList.of(5), cpus.maskOf(tid));
    }

    @Test
    void threadThatCouldNotBePinnedIsNotWatched() {
        assertThrows(AffinityException.class, () -> watch.pin(CpuList.parse("2,9"), SHARD));
        assertNothingMoreToSay();
        assertEquals(CpuList.parse("0-7"), cpus.maskOf(tid));
    }

    @Test
    void refusalIsReportedOnceUntilItIsOver() throws Exception {
        watch.pin(PLANNED, SHARD);
        cpus.refuseWith(Errno.EPERM);
        cpus.changeFromOutside(tid, CpuList.parse("0-1"));
        watch.check();
        assertChange(
                false,
                "0-1",
                "cannot put " + me + " on CPU 2: EPERM (operation not permitted); it was to run on 2, and was last"
                        + " seen to run on 0-1");
        assertNothingMoreToSay();
        cpus.refuseWith(0);
        watch.check();
        assertTrue(onlyChange().asPlanned());
        assertEquals(PLANNED, cpus.maskOf(tid));
    }

    @Test
    void threadThatHasEndedIsForgotten() throws Exception {
        int[] other = new int[1];
        Thread thread = new Thread(() -> {
            watch.pinAsFarAsPossible(PLANNED, SHARD);
            other[0] = cpus.gettid();
        });
        thread.start();
        thread.join();
        // The kernel may have given the id to another thread, which the watch must not touch.
        cpus.changeFromOutside(other[0], CpuList.of(7));
        assertNothingMoreToSay();
        assertEquals(CpuList.of(7), cpus.maskOf(other[0]));
    }

    @Test
    void failingListenerDoesNotSilenceLaterReports() throws Exception {
        List<MaskChange> heard = new ArrayList<>();
        MaskWatch failing = new MaskWatch(cpus, sysfs, 0, change -> {
            heard.add(change);
            throw new IllegalStateException("the listener's own");
        });
        failing.pin(PLANNED, SHARD);
        for (int i = 1; i <= 2; i++) {
            cpus.changeFromOutside(tid, CpuList.of(5));
            failing.check();
            assertEquals(i, heard.size());
        }
    }

    @Test
    void watchWithAPeriodChecksByItself() throws Exception {
        CountDownLatch heard = new CountDownLatch(2);
        MaskWatch periodic = new MaskWatch(cpus, sysfs, 1_000_000, change -> {
            cpus.changeFromOutside(tid, CpuList.of(5));
            heard.countDown();
        });
        periodic.pin(PLANNED, SHARD);
        cpus.changeFromOutside(tid, CpuList.of(5));
        heard.await();
    }

    /** The masks lie in direct memory, which a server may have used up for a while. */
    @Test
    void checkThatFailsDoesNotEndTheWatch() throws Exception {
        AtomicBoolean exhausted = new AtomicBoolean();
        CountDownLatch failed = new CountDownLatch(1);
        Kernel kernel = new ForwardingKernel(cpus) {
            @Override
            public int schedGetaffinity(int thread, int bytes, long mask) {
                if (exhausted.compareAndSet(true, false)) {
                    failed.countDown();
                    throw new OutOfMemoryError("the test's own");
                }
                return super.schedGetaffinity(thread, bytes, mask);
            }
        };
        Semaphore heard = new Semaphore(0);
        MaskWatch periodic = new MaskWatch(kernel, sysfs, 1_000_000, change -> heard.release());
        periodic.pin(PLANNED, SHARD);
        cpus.changeFromOutside(tid, CpuList.of(5));
        heard.acquire(); // the watching thread has begun
        exhausted.set(true);
        failed.await();
        cpus.changeFromOutside(tid, CpuList.of(5));
        heard.acquire();
    }

    @Test
    void changesThatWereFoundAreReportedIfALaterCheckFails() throws Exception {
        AtomicInteger unreadable = new AtomicInteger();
        Kernel kernel = new ForwardingKernel(cpus) {
            @Override
            public int schedGetaffinity(int thread, int bytes, long mask) {
                if (thread != 0 && thread == unreadable.get()) {
                    throw new OutOfMemoryError("the test's own");
                }
                return super.schedGetaffinity(thread, bytes, mask);
            }
        };
        MaskWatch failing = new MaskWatch(kernel, sysfs, 0, told::add);
        failing.pin(PLANNED, SHARD);
        CountDownLatch pinned = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread second = new Thread(() -> {
            failing.pinAsFarAsPossible(PLANNED, SHARD);
            unreadable.set(cpus.gettid());
            pinned.countDown();
            try {
                end.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        second.start();
        pinned.await();
        cpus.changeFromOutside(tid, CpuList.of(5));
        assertThrows(OutOfMemoryError.class, failing::check);
        assertTrue(onlyChange().asPlanned());
        end.countDown();
        second.join();
    }

    /** A user of pinned threads need not close anything. */
    @Test
    void watchEndsWithTheThreadsItWatchesAndBeginsWithTheNext() throws Exception {
        BlockingQueue<Thread> watchers = new LinkedBlockingQueue<>();
        MaskWatch periodic = new MaskWatch(cpus, sysfs, 1_000_000, change -> watchers.add(Thread.currentThread()));
        for (int i = 0; i < 2; i++) {
            CountDownLatch end = new CountDownLatch(1);
            Thread watched = new Thread(() -> {
                try {
                    periodic.pin(PLANNED, SHARD);
                    cpus.changeFromOutside(cpus.gettid(), CpuList.of(5));
                    end.await();
                } catch (Exception failed) {
                    throw new AssertionError(failed);
                }
            });
            watched.start();
            Thread watcher = watchers.take();
            end.countDown();
            watched.join();
            watcher.join();
        }
    }

    @Test
    void nonsenseIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> watch.pin(CpuList.of(), SHARD));
        assertThrows(IllegalArgumentException.class, () -> watch.pin(PLANNED, CpuList.of()));
    }
}
