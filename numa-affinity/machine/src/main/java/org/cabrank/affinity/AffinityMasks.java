package org.cabrank.affinity;

import java.nio.ByteBuffer;
import java.util.BitSet;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;

/** Reads and sets the masks of threads in the kernel. Thread id 0 is the calling thread. Thread-safe. */
final class AffinityMasks {
    /** Has room for 1024 CPUs, so that the first call succeeds on most machines. */
    private static final int MASK_BYTES_FIRST = 128;

    private static final int MASK_BYTES_MAX = CpuList.CPUS_MAX / Byte.SIZE;

    private final Kernel kernel;

    AffinityMasks(Kernel kernel) {
        this.kernel = kernel;
    }

    CpuList read(int tid) throws AffinityException {
        // The kernel refuses a mask that is narrower than its own mask, and does not report the width of its mask.
        int result = -Errno.EINVAL;
        for (int bytes = MASK_BYTES_FIRST; bytes <= MASK_BYTES_MAX && result == -Errno.EINVAL; bytes *= 2) {
            ByteBuffer mask = ByteBuffer.allocateDirect(bytes);
            int width = bytes;
            result = NativeArgument.pass(kernel, mask, address -> kernel.schedGetaffinity(tid, width, address));
            if (result >= 0) {
                return CpuList.of(BitSet.valueOf(mask));
            }
        }
        throw new AffinityException(
                "cannot read the CPUs of " + name(tid) + ": " + Errno.describe(-result),
                Errno.exception("sched_getaffinity", result));
    }

    /** The kernel drops CPUs that are not permitted. Returns 0 or {@code -errno}. */
    int write(int tid, CpuList cpus) {
        byte[] mask = cpus.mask();
        // Rounds up to whole longs, as the kernel does. The kernel ignores bits beyond the width of its own mask.
        int bytes = Math.max(1, (mask.length + Long.BYTES - 1) / Long.BYTES) * Long.BYTES;
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes).put(0, mask);
        return NativeArgument.pass(kernel, memory, address -> kernel.schedSetaffinity(tid, bytes, address));
    }

    static String name(int tid) {
        return tid == 0 ? "this thread" : "thread " + tid;
    }
}
