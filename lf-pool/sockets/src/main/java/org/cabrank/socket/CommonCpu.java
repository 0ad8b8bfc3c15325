package org.cabrank.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;

/** The CPU that all threads of a pool are pinned to, if there is one. Any thread. */
final class CommonCpu {
    /** Room for 8,192 CPUs. A kernel with more of them refuses, and counts as several CPUs. */
    private static final int MASK_BYTES = 1024;

    private static final int NO_THREAD_YET = -1;
    private static final int SEVERAL = -2;

    private final Kernel kernel;
    private final ByteBuffer mask = ByteBuffer.allocateDirect(MASK_BYTES).order(ByteOrder.nativeOrder());
    private final long maskAddress;
    private int cpu = NO_THREAD_YET;

    CommonCpu(Kernel kernel) {
        this.kernel = kernel;
        this.maskAddress = kernel.addressOf(mask);
    }

    /** Called by each thread of the pool, once it is pinned. */
    synchronized void note() {
        int own = kernel.schedGetaffinity(0, MASK_BYTES, maskAddress) < 0 ? SEVERAL : onlyCpu();
        cpu = cpu == NO_THREAD_YET || cpu == own ? own : SEVERAL;
    }

    private int onlyCpu() {
        int only = NO_THREAD_YET;
        for (int word = 0; word < MASK_BYTES / Long.BYTES; word++) {
            long bits = mask.getLong(word * Long.BYTES);
            if (bits != 0) {
                boolean one = only == NO_THREAD_YET && Long.bitCount(bits) == 1;
                only = one ? word * Long.SIZE + Long.numberOfTrailingZeros(bits) : SEVERAL;
            }
        }
        return only;
    }

    /** Returns true if each thread so far may run on one CPU only, and this CPU is the same for all. */
    synchronized boolean exists() {
        return cpu >= 0;
    }

    /**
     * Pins the calling thread to the CPU.
     *
     * @throws IOException if there is none any more, or the kernel refuses
     */
    synchronized void pinCallingThread() throws IOException {
        if (cpu < 0) {
            throw new IOException("the threads of the pool run on several CPUs by now");
        }
        for (int word = 0; word < MASK_BYTES; word += Long.BYTES) {
            mask.putLong(word, word / Long.BYTES == cpu / Long.SIZE ? 1L << cpu % Long.SIZE : 0);
        }
        Errno.check("sched_setaffinity", kernel.schedSetaffinity(0, MASK_BYTES, maskAddress));
    }
}
