package org.cabrank.iouring.ring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.IoUringParams;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.lf.Timers;

/**
 * io_uring_setup(2), by retry from the richest set of flags down: a kernel refuses flags that it does not know with EINVAL
 * and does not tell which, so the youngest is left out first.
 */
final class RingSetup {
    private static final System.Logger LOGGER = System.getLogger(RingSetup.class.getName());

    private static final int NS_PER_MS = 1_000_000;

    /**
     * Flags of a ring that is to be resized, without TASKRUN_FLAG: kernels from 6.13 on, until 7.0 (96189080265e), set that flag in
     * the memory of a ring by a pointer that is null while another CPU resizes the ring.
     */
    private static final int GROWING = IoUring.IORING_SETUP_CQSIZE
            | IoUring.IORING_SETUP_CLAMP
            | IoUring.IORING_SETUP_R_DISABLED
            | IoUring.IORING_SETUP_SUBMIT_ALL
            | IoUring.IORING_SETUP_SINGLE_ISSUER
            | IoUring.IORING_SETUP_DEFER_TASKRUN
            | IoUring.IORING_SETUP_NO_SQARRAY;

    private final Kernel kernel;
    private final RingOptions options;

    /** The ring whose kernel thread takes the submissions of the new ring as well; null: the new ring has a thread of its own. */
    private final Ring polledWith;

    private final ByteBuffer params =
            ByteBuffer.allocateDirect(IoUringParams.SIZE_BYTES).order(ByteOrder.nativeOrder());

    private boolean growing;

    RingSetup(Kernel kernel, RingOptions options, Ring polledWith) {
        this.kernel = kernel;
        this.options = options;
        this.polledWith = polledWith;
    }

    /** The {@link IoUringParams} of the last {@link #open}: as the kernel has filled it in, if it made a ring. */
    ByteBuffer params() {
        return params;
    }

    /** Makes a ring with as many flags as the kernel takes: its descriptor, or {@code -errno}. */
    int open() {
        if (options.completionsAtStart() > 0) {
            int fd = openGrowing();
            if (fd >= 0) {
                growing = true;
                return fd;
            }
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "rings have all " + options.completionEntries() + " completions from the start: "
                            + "the kernel refuses to resize them with " + Errno.name(-fd) + "; Linux can from 6.13 on");
        }
        int result = -Errno.EINVAL;
        int[] sets = flagSets();
        for (int i = 0; i < sets.length && result == -Errno.EINVAL; i++) {
            result = setup(sets[i], options.completionEntries());
        }
        return result;
    }

    /** Returns true if the last {@link #open} made a ring that can be resized, with its first size. */
    boolean isGrowing() {
        return growing;
    }

    /** Makes a ring that the kernel resizes, which it shows by giving the ring the size that the ring has. */
    private int openGrowing() {
        int fd = setup(GROWING, options.completionsAtStart());
        if (fd < 0) {
            return fd;
        }
        int result = RingGrowth.resize(
                kernel,
                fd,
                params.getInt(IoUringParams.SQ_ENTRIES_OFFSET),
                params.getInt(IoUringParams.CQ_ENTRIES_OFFSET));
        if (result < 0) {
            kernel.close(fd);
            return result;
        }
        return fd;
    }

    /**
     * From the richest down. A set that leaves out what is younger leaves out nothing that is older, but for the last:
     * DEFER_TASKRUN goes before SINGLE_ISSUER, which it needs, and COOP_TASKRUN takes its place.
     */
    private int[] flagSets() {
        int least = IoUring.IORING_SETUP_CQSIZE | IoUring.IORING_SETUP_CLAMP; // 5.6
        int polled = 0;
        if (options.sqPoll()) {
            polled = IoUring.IORING_SETUP_SQPOLL
                    | (options.sqPollCpu() >= 0 ? IoUring.IORING_SETUP_SQ_AFF : 0)
                    | (polledWith != null ? IoUring.IORING_SETUP_ATTACH_WQ : 0);
        }
        int disabled = least | polled | IoUring.IORING_SETUP_R_DISABLED; // 5.10
        int all = disabled | IoUring.IORING_SETUP_SUBMIT_ALL; // 5.18
        int unsorted = IoUring.IORING_SETUP_NO_SQARRAY; // 6.6
        int told = IoUring.IORING_SETUP_TASKRUN_FLAG; // 5.19
        int cooperative = told | IoUring.IORING_SETUP_COOP_TASKRUN; // 5.19
        int single = all | IoUring.IORING_SETUP_SINGLE_ISSUER; // 6.0
        if (options.sqPoll()) { // the kernel's thread completes requests: the way of its notification is not an option
            return new int[] {single | unsorted, single, all, disabled, least | polled};
        }
        int deferred = single | told | IoUring.IORING_SETUP_DEFER_TASKRUN; // 6.1
        return new int[] {deferred | unsorted, deferred, single | cooperative, all | cooperative, all, disabled, least};
    }

    private int setup(int flags, int completions) {
        for (int i = 0; i < IoUringParams.SIZE_BYTES; i += Long.BYTES) {
            params.putLong(i, 0);
        }
        params.putInt(IoUringParams.FLAGS_OFFSET, flags);
        params.putInt(IoUringParams.CQ_ENTRIES_OFFSET, completions);
        if (options.sqPoll()) {
            params.putInt(IoUringParams.SQ_THREAD_IDLE_OFFSET, idleMs());
            params.putInt(IoUringParams.SQ_THREAD_CPU_OFFSET, Math.max(0, options.sqPollCpu()));
            params.putInt(IoUringParams.WQ_FD_OFFSET, polledWith != null ? polledWith.fd() : 0);
        }
        return NativeArgument.pass(
                kernel, params, address -> kernel.ioUringSetup(options.submissionEntries(), address));
    }

    /** Rounded up: 0 would be the kernel's own idea. */
    private int idleMs() {
        return (int) ((Timers.delayNs(options.sqPollIdle()) + NS_PER_MS - 1) / NS_PER_MS);
    }
}
