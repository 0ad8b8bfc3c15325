package org.cabrank.iouring;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.cabrank.iouring.ring.SecondRingWaker;
import org.cabrank.kernel.ForwardingKernel;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.IoUringParams;
import org.cabrank.kernel.Kernel;

/**
 * Tells the rings that requests go to from the second rings of {@link SecondRingWaker}. Calls of a second ring are passed on, so that
 * faults and records concern the first.
 */
abstract class FirstRingKernel extends ForwardingKernel {
    private final Set<Integer> second = ConcurrentHashMap.newKeySet();

    FirstRingKernel(Kernel next) {
        super(next);
    }

    /** A ring of its own options was made. */
    void firstRingMade(int fd, ByteBuffer params) {}

    /** io_uring_enter(2) of a ring that requests go to. */
    abstract int enterFirst(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes);

    @Override
    public final int ioUringSetup(int entries, long address) {
        ByteBuffer params = next().viewOf(address, IoUringParams.SIZE_BYTES);
        boolean first = (params.getInt(IoUringParams.FLAGS_OFFSET) & IoUring.IORING_SETUP_CQSIZE) != 0;
        int fd = next().ioUringSetup(entries, address);
        if (fd >= 0 && first) {
            second.remove(fd);
            firstRingMade(fd, params);
        } else if (fd >= 0) {
            second.add(fd);
        }
        return fd;
    }

    @Override
    public final int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
        boolean byDescriptor = (flags & IoUring.IORING_ENTER_REGISTERED_RING) == 0;
        return byDescriptor && second.contains(fd)
                ? next().ioUringEnter(fd, toSubmit, minComplete, flags, arg, argBytes)
                : enterFirst(fd, toSubmit, minComplete, flags, arg, argBytes);
    }
}
