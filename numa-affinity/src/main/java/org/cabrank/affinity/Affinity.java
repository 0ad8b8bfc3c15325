package org.cabrank.affinity;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Objects;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;

/**
 * Where threads may run: sched_getaffinity(2) and sched_setaffinity(2) for the calling thread. Any thread may use it,
 * for itself; threads that a pinned thread starts afterwards inherit its CPUs.
 */
public final class Affinity {
    /** Enough for 1024 CPUs, so that most machines answer at once. */
    private static final int MASK_BYTES_FIRST = 128;

    private static final int MASK_BYTES_MAX = CpuList.CPUS_MAX / Byte.SIZE;

    /** The kernel takes 0 for the calling thread. */
    private static final int CALLER = 0;

    private final Kernel kernel;

    public Affinity(Kernel kernel) {
        this.kernel = Objects.requireNonNull(kernel);
    }

    /**
     * The CPUs that the calling thread may run on.
     *
     * @throws AffinityException when the kernel does not tell
     */
    public CpuList current() throws AffinityException {
        // The kernel refuses a mask that is narrower than its own, and does not say how wide that is.
        int result = -Errno.EINVAL;
        for (int bytes = MASK_BYTES_FIRST; bytes <= MASK_BYTES_MAX && result == -Errno.EINVAL; bytes *= 2) {
            ByteBuffer mask = ByteBuffer.allocateDirect(bytes);
            result = kernel.schedGetaffinity(CALLER, bytes, kernel.addressOf(mask));
            if (result >= 0) {
                return CpuList.of(BitSet.valueOf(mask));
            }
        }
        throw new AffinityException(
                "cannot read the CPUs of this thread", Errno.exception("sched_getaffinity", result));
    }

    /**
     * Pins the calling thread to these CPUs, and makes sure of it: the kernel drops CPUs that do not exist, are offline
     * or are outside this process's cpuset without a word, as long as one remains. On failure the thread may run where
     * it could before.
     *
     * @throws IllegalArgumentException for an empty list
     * @throws AffinityException when the thread may not run on every one of these CPUs; the message says on which not
     */
    public void pin(CpuList cpus) throws AffinityException {
        if (cpus.isEmpty()) {
            throw new IllegalArgumentException("a thread cannot be pinned to no CPU at all");
        }
        CpuList before = current();
        int result = set(cpus);
        if (result < 0) {
            throw new AffinityException(refusal(cpus, before, result), Errno.exception("sched_setaffinity", result));
        }
        CpuList after = current();
        if (!after.equals(cpus)) {
            throw new AffinityException(partial(cpus, after) + restored(before));
        }
    }

    private int set(CpuList cpus) {
        byte[] mask = cpus.mask();
        // Whole longs, as the kernel counts. It takes a mask of any width, and ignores bits beyond its own.
        int bytes = (mask.length + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes).put(0, mask);
        return kernel.schedSetaffinity(CALLER, bytes, kernel.addressOf(memory));
    }

    private static String refusal(CpuList cpus, CpuList before, int result) {
        String why;
        switch (-result) {
            case Errno.EINVAL:
                why = "none of these CPUs is there and allowed for this process";
                break;
            case Errno.EPERM:
                why = "the kernel does not permit it (EPERM): a sandbox such as seccomp may forbid the call";
                break;
            default:
                why = Errno.describe(-result);
        }
        return "cannot pin this thread to CPU " + cpus + ": " + why + "; it may run on " + before;
    }

    private static String partial(CpuList cpus, CpuList after) {
        return "cannot pin this thread to CPU " + cpus + ": the kernel lets it run on " + after + " instead; "
                + cpus.without(after) + " is missing, offline or outside this process's cpuset";
    }

    private String restored(CpuList before) {
        int result = set(before);
        return result < 0
                ? "; and going back to " + before + " failed: " + Errno.describe(-result)
                : "; it may run on " + before + " as before";
    }
}
