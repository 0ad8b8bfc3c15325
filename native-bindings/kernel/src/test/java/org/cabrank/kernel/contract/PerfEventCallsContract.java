package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.PerfEventAttr;
import org.cabrank.kernel.PerfEvents;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Counters of a thread, with one event that every kernel has: its context switches. */
public abstract class PerfEventCallsContract extends KernelContract {
    private static final int TIMES =
            PerfEvents.PERF_FORMAT_TOTAL_TIME_ENABLED | PerfEvents.PERF_FORMAT_TOTAL_TIME_RUNNING;

    private static final int CHILD_WAITS = 400;

    private final ByteBuffer attributes = memory(PerfEventAttr.SIZE_BYTES);
    private final ByteBuffer counted = memory(3 * Long.BYTES);

    @BeforeEach
    void countSwitches() {
        attributes
                .putInt(PerfEventAttr.TYPE_OFFSET, PerfEvents.PERF_TYPE_SOFTWARE)
                .putInt(PerfEventAttr.SIZE_OFFSET, PerfEventAttr.SIZE_BYTES)
                .putLong(PerfEventAttr.CONFIG_OFFSET, PerfEvents.PERF_COUNT_SW_CONTEXT_SWITCHES)
                .putLong(PerfEventAttr.READ_FORMAT_OFFSET, TIMES);
        int fd = open(0, -1);
        assumeTrue(fd != -Errno.ENOSYS, "this kernel has no counters");
        assumeTrue(
                fd != -Errno.EPERM && fd != -Errno.EACCES,
                "kernel.perf_event_paranoid or a sandbox forbids counters: run as root");
        close(opened(fd));
    }

    private int open(int tid, int cpu) {
        return kernel().perfEventOpen(address(attributes), tid, cpu, -1, PerfEvents.PERF_FLAG_FD_CLOEXEC);
    }

    private long count(int fd) {
        assertEquals(counted.capacity(), good(kernel().read(fd, address(counted), counted.capacity())));
        return counted.getLong(0);
    }

    /** Each join of a thread that is yet to end is a wait, and so a switch of the waiting thread at the least. */
    private static void switchOften(int times) throws InterruptedException {
        for (int i = 0; i < times; i++) {
            Thread other = new Thread(Thread::yield, "joined");
            other.start();
            other.join();
        }
    }

    /** Waits again and again, until the count has grown. */
    private long grown(int fd, long before) throws InterruptedException {
        long endNs = System.nanoTime() + PATIENCE_MS * 1_000_000L;
        long now = count(fd);
        while (now == before && System.nanoTime() < endNs) {
            switchOften(10);
            now = count(fd);
        }
        return now;
    }

    @Test
    void switchesOfTheCallingThreadAreCounted() throws InterruptedException {
        int fd = opened(open(0, -1));
        long before = count(fd);
        long after = grown(fd, before);
        assertTrue(after > before, before + " then " + after);
        assertTrue(counted.getLong(8) > 0, "it was wanted for " + counted.getLong(8) + " ns");
        assertEquals(counted.getLong(8), counted.getLong(16), "what the kernel counts itself is always counted");
    }

    @Test
    void anotherThreadIsCountedByItsNumber() throws InterruptedException {
        int fd = opened(open(kernel().gettid(), -1));
        long[] seen = new long[2];
        Thread reader = new Thread(
                () -> {
                    seen[0] = good(kernel().read(fd, address(counted), counted.capacity()));
                    seen[1] = counted.getLong(0);
                },
                "reader");
        long before = grown(fd, count(fd));
        reader.start();
        reader.join();
        assertEquals(counted.capacity(), seen[0]);
        assertTrue(seen[1] >= before, seen[1] + " of " + before);
    }

    /** Tests the flag by its effect, because no header names the position of its bit. */
    @Test
    void threadsMadeLaterCountWithTheirMakerWhereThatIsWanted() throws InterruptedException {
        long alone = switchesWithAChild(0);
        long together = switchesWithAChild(PerfEvents.INHERIT);
        assertTrue(together > alone + CHILD_WAITS / 2, together + " together, " + alone + " alone");
    }

    private long switchesWithAChild(long flags) throws InterruptedException {
        attributes.putLong(PerfEventAttr.FLAGS_OFFSET, flags);
        int fd = opened(open(0, -1));
        long before = count(fd);
        Thread child = new Thread(
                () -> {
                    try {
                        switchOften(CHILD_WAITS);
                    } catch (InterruptedException stop) {
                        Thread.currentThread().interrupt();
                    }
                },
                "child");
        child.start();
        child.join();
        long after = count(fd);
        close(fd);
        return after - before;
    }

    @Test
    void nonsenseIsRefused() {
        assertErrno(Errno.EFAULT, kernel().perfEventOpen(8, 0, -1, -1, 0));
        assertErrno(Errno.ESRCH, open(Integer.MAX_VALUE, -1));
        assertErrno(Errno.EBADF, kernel().perfEventOpen(address(attributes), 0, -1, Integer.MAX_VALUE, 0));
        attributes.putInt(PerfEventAttr.TYPE_OFFSET, 4_242);
        assertErrno(Errno.ENOENT, open(0, -1));
        attributes.putInt(PerfEventAttr.SIZE_OFFSET, 1);
        assertErrno(Errno.E2BIG, open(0, -1));
    }
}
