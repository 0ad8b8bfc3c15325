package org.cabrank.iouring.ring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.TimeSpec;
import org.cabrank.kernel.layout.IoUringGeteventsArg;
import org.cabrank.lf.handle.HandleSet;

/** Time-out argument of io_uring_enter(2): an {@link IoUringGeteventsArg} and the {@link TimeSpec} to which it points. */
final class WaitArgument {
    static final int SIZE_BYTES = IoUringGeteventsArg.SIZE_BYTES;

    private static final int TIMEOUT_OFFSET = SIZE_BYTES;
    private static final long NS_PER_S = 1_000_000_000;
    private static final long NS_PER_US = 1_000;

    /**
     * A century. It stands for an infinite timeout, because without a timeout the kernel would end the wait after {@code minWaitNs}. A
     * larger value could overflow when the kernel adds its clock.
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
     * Returns the address of the argument. {@code minWaitNs} is rounded up to whole us, and is limited to {@code timeoutNs}, because the
     * kernel would wait for a longer {@code minWaitNs}. {@code timeoutNs} must not be 0, but may be {@link HandleSet#FOREVER}.
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
