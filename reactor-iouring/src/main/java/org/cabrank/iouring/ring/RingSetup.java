package org.cabrank.iouring.ring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringParams;

/** Tries io_uring_setup(2) with fewer flags each time, because EINVAL for an unknown flag does not name the flag. */
final class RingSetup {
    private final Kernel kernel;
    private final RingOptions options;

    private final ByteBuffer params =
            ByteBuffer.allocateDirect(IoUringParams.SIZE_BYTES).order(ByteOrder.nativeOrder());

    RingSetup(Kernel kernel, RingOptions options) {
        this.kernel = kernel;
        this.options = options;
    }

    ByteBuffer params() {
        return params;
    }

    /** Makes a ring with as many flags as the kernel takes. Returns the ring's descriptor, or {@code -errno}. */
    int open() {
        int result = -Errno.EINVAL;
        int[] sets = flagSets();
        for (int i = 0; i < sets.length && result == -Errno.EINVAL; i++) {
            result = setup(sets[i]);
        }
        return result;
    }

    /** Returns sets of flags. Each set lacks the newest flag of the set before. COOP_TASKRUN replaces a missing DEFER_TASKRUN. */
    private int[] flagSets() {
        int least = IoUring.IORING_SETUP_CQSIZE | IoUring.IORING_SETUP_CLAMP; // 5.6
        int disabled = least | IoUring.IORING_SETUP_R_DISABLED; // 5.10
        int all = disabled | IoUring.IORING_SETUP_SUBMIT_ALL; // 5.18
        int unsorted = IoUring.IORING_SETUP_NO_SQARRAY; // 6.6
        int told = IoUring.IORING_SETUP_TASKRUN_FLAG; // 5.19
        int cooperative = told | IoUring.IORING_SETUP_COOP_TASKRUN; // 5.19
        int single = all | IoUring.IORING_SETUP_SINGLE_ISSUER; // 6.0
        int deferred = single | told | IoUring.IORING_SETUP_DEFER_TASKRUN; // 6.1
        return new int[] {deferred | unsorted, deferred, single | cooperative, all | cooperative, all, disabled, least};
    }

    private int setup(int flags) {
        for (int i = 0; i < IoUringParams.SIZE_BYTES; i += Long.BYTES) {
            params.putLong(i, 0);
        }
        params.putInt(IoUringParams.FLAGS_OFFSET, flags);
        params.putInt(IoUringParams.CQ_ENTRIES_OFFSET, options.completionEntries());
        return NativeArgument.pass(
                kernel, params, address -> kernel.ioUringSetup(options.submissionEntries(), address));
    }
}
