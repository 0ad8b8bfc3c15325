package org.cabrank.affinity;

import java.nio.ByteBuffer;
import java.util.BitSet;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;

/** Masks of threads as the kernel has them, by thread id; 0 is the calling thread. Any thread. */
final class AffinityMasks {
    /** Enough for 1024 CPUs, so that one call is enough on most machines. */
    private static final int MASK_BYTES_FIRST = 128;

    private static final int MASK_BYTES_MAX = CpuList.CPUS_MAX / Byte.SIZE;

    private final Kernel kernel;

    AffinityMasks(Kernel kernel) {
        this.kernel = kernel;
    }

    CpuList read(int tid) throws AffinityException {
        // The kernel refuses a mask narrower than its own, and does not report its width.
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

    /** Requests these CPUs. Returns 0 if the thread has got the permitted ones among them, or {@code -errno}. */
    int write(int tid, CpuList cpus) {
        byte[] mask = cpus.mask();
        // Whole longs, as in the kernel, which takes a mask of any width and ignores bits beyond its own.
        int bytes = Math.max(1, (mask.length + Long.BYTES - 1) / Long.BYTES) * Long.BYTES;
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes).put(0, mask);
        return NativeArgument.pass(kernel, memory, address -> kernel.schedSetaffinity(tid, bytes, address));
    }

    static String name(int tid) {
        return tid == 0 ? "this thread" : "thread " + tid;
    }
}
