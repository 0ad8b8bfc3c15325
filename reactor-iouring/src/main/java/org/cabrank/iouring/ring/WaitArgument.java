package org.cabrank.iouring.ring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.TimeSpec;
import org.cabrank.kernel.layout.IoUringGeteventsArg;
import org.cabrank.lf.handle.HandleSet;

/**
 * Time-out argument of io_uring_enter(2): a {@link IoUringGeteventsArg}, and the {@link TimeSpec} that it points to. Used by the
 * watcher.
 */
final class WaitArgument {
    static final int SIZE_BYTES = IoUringGeteventsArg.SIZE_BYTES;

    private static final int TIMEOUT_OFFSET = SIZE_BYTES;
    private static final long NS_PER_S = 1_000_000_000;
    private static final long NS_PER_US = 1_000;

    /**
     * Replaces an infinite time-out: a century. The kernel adds its clock to it in 64 bits. No time-out at all would not do: the kernel
     * then ends a wait after the least time, whether something has completed or not.
     */
    private static final long TIMEOUT_MAX_NS = TimeUnit.DAYS.toNanos(36_500);

    private final ByteBuffer argument =
            ByteBuffer.allocateDirect(SIZE_BYTES + TimeSpec.SIZE_BYTES).order(ByteOrder.nativeOrder());
    private final long address;

    WaitArgument(Kernel kernel) {
        this.address = kernel.addressOf(argument);
        argument.putLong(IoUringGeteventsArg.TS_OFFSET, address + TIMEOUT_OFFSET);
    }

    /**
     * Writes both times, the first rounded up to whole us.
     *
     * @param minWaitNs at most {@code timeoutNs} of it counts, because the kernel would wait for all of it
     * @param timeoutNs not 0; {@link HandleSet#FOREVER}
     * @return the address of the argument
     */
    long set(long minWaitNs, long timeoutNs) {
        long boundedNs = Math.min(timeoutNs, TIMEOUT_MAX_NS);
        long leastNs = Math.min(minWaitNs, boundedNs);
        argument.putInt(IoUringGeteventsArg.MIN_WAIT_USEC_OFFSET, (int) ((leastNs + NS_PER_US - 1) / NS_PER_US));
        argument.putLong(TIMEOUT_OFFSET + TimeSpec.SEC_OFFSET, boundedNs / NS_PER_S);
        argument.putLong(TIMEOUT_OFFSET + TimeSpec.NSEC_OFFSET, boundedNs % NS_PER_S);
        return address;
    }
}
