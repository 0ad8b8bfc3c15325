package org.cabrank.bench.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;

/**
 * Starts processes on chosen CPUs. The thread that starts the process pins itself first, and the child inherits the mask
 * before its first instruction: so it holds for every thread of a child JVM, those of its garbage collector and compiler
 * included, and the child counts its processors right.
 */
final class Pinning {

    /** The kernel refuses a mask that is narrower than its own: this is wide enough for every kernel's NR_CPUS. */
    private static final int MASK_BYTES = 8_192 / Byte.SIZE;

    private final Kernel kernel;
    private final ByteBuffer mask = ByteBuffer.allocateDirect(MASK_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    Pinning(Kernel kernel) {
        this.kernel = kernel;
    }

    /** The CPUs that the calling thread may use. */
    synchronized List<Integer> allowed() throws IOException {
        clearMask();
        Errno.check("sched_getaffinity", kernel.schedGetaffinity(0, MASK_BYTES, kernel.addressOf(mask)));
        List<Integer> cpus = new ArrayList<>();
        for (int cpu = 0; cpu < MASK_BYTES * Byte.SIZE; cpu++) {
            if ((mask.get(cpu / Byte.SIZE) & 1 << cpu % Byte.SIZE) != 0) {
                cpus.add(cpu);
            }
        }
        return cpus;
    }

    /** Pins the calling thread. */
    synchronized void pin(List<Integer> cpus) throws IOException {
        clearMask();
        for (int cpu : cpus) {
            mask.put(cpu / Byte.SIZE, (byte) (mask.get(cpu / Byte.SIZE) | 1 << cpu % Byte.SIZE));
        }
        Errno.check("sched_setaffinity", kernel.schedSetaffinity(0, MASK_BYTES, kernel.addressOf(mask)));
    }

    private void clearMask() {
        for (int i = 0; i < MASK_BYTES; i++) {
            mask.put(i, (byte) 0);
        }
    }

    /** Starts {@code builder}'s process on {@code cpus}; the calling thread is where it was before. */
    Process start(ProcessBuilder builder, List<Integer> cpus) throws IOException {
        List<Integer> before = allowed();
        pin(cpus);
        try {
            return builder.start();
        } finally {
            pin(before);
        }
    }
}
