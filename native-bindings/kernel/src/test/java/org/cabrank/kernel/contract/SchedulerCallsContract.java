package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.cabrank.kernel.Errno;
import org.junit.jupiter.api.Test;

/** Thread ids, CPUs, affinity masks of any width. */
public abstract class SchedulerCallsContract extends KernelContract {
    /** Wider than the mask of any kernel: CONFIG_NR_CPUS ends at 8192. */
    private static final int WIDE_BYTES = 4096;

    @Test
    void threadIdIsTheKernelsOwn() throws IOException, InterruptedException, ExecutionException {
        Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
        assertEquals(self.getFileName().toString(), "" + kernel().gettid());
        CompletableFuture<Integer> other = new CompletableFuture<>();
        Thread thread = new Thread(() -> other.complete(kernel().gettid()));
        thread.start();
        assertNotEquals(kernel().gettid(), other.get());
        thread.join();
    }

    @Test
    void maskIsTheSameWhateverItsWidth() {
        BitSet wide = mask(WIDE_BYTES);
        assertTrue(wide.cardinality() > 0);
        int narrowBytes = Long.BYTES;
        while (kernel().schedGetaffinity(0, narrowBytes, address(memory(narrowBytes))) == -Errno.EINVAL) {
            narrowBytes += Long.BYTES;
        }
        assertEquals(wide, mask(narrowBytes));
    }

    @Test
    void maskThatIsTooNarrowIsRefused() {
        // The kernel counts in longs: one byte is too few for any.
        assertErrno(Errno.EINVAL, kernel().schedGetaffinity(0, 1, address(memory(Long.BYTES))));
    }

    @Test
    void pinnedThreadRunsWhereItWasPut() {
        BitSet before = mask(WIDE_BYTES);
        try {
            for (int cpu = before.nextSetBit(0); cpu >= 0; cpu = before.nextSetBit(cpu + 1)) {
                BitSet one = new BitSet();
                one.set(cpu);
                good(setMask(one, WIDE_BYTES));
                assertEquals(one, mask(WIDE_BYTES));
            }
        } finally {
            good(setMask(before, WIDE_BYTES));
        }
        assertEquals(before, mask(WIDE_BYTES));
    }

    @Test
    void impossibleMasksAreRefused() {
        assertErrno(Errno.EINVAL, setMask(new BitSet(), WIDE_BYTES));
        BitSet beyond = new BitSet();
        beyond.set(WIDE_BYTES * Byte.SIZE - 1);
        assertErrno(Errno.EINVAL, setMask(beyond, WIDE_BYTES));
        assertErrno(Errno.ESRCH, kernel().schedGetaffinity(Integer.MAX_VALUE, WIDE_BYTES, address(memory(WIDE_BYTES))));
        assertErrno(Errno.EFAULT, kernel().schedGetaffinity(0, WIDE_BYTES, 1));
    }

    private BitSet mask(int bytes) {
        ByteBuffer memory = memory(bytes);
        good(kernel().schedGetaffinity(0, bytes, address(memory)));
        return BitSet.valueOf(memory);
    }

    private int setMask(BitSet cpus, int bytes) {
        return kernel().schedSetaffinity(0, bytes, address(memory(bytes).put(0, cpus.toByteArray())));
    }
}
