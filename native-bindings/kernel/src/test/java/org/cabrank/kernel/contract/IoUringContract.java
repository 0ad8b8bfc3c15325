package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.IoUringParams;
import org.cabrank.kernel.IoUringProbe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A ring for each test, which is skipped where the kernel refuses one, or what it needs of one, and on kernels before
 * 6.0: they lack most of what is tested, and nothing in this library uses their rings.
 */
abstract class IoUringContract extends KernelContract {
    /** A power of two, so that the kernel need not round it. */
    protected static final int ENTRIES = 8;

    private final Deque<SmallRing> mapped = new ArrayDeque<>();

    /** A ring without any flags. */
    protected SmallRing ring;

    @BeforeEach
    final void openRing() {
        ring = ring(0);
        ByteBuffer probe = memory(IoUringProbe.OPS_OFFSET);
        good(kernel().ioUringRegister(ring.fd(), IoUring.IORING_REGISTER_PROBE, address(probe), 0));
        int last = probe.get(IoUringProbe.LAST_OP_OFFSET) & 0xff;
        assumeTrue(
                last >= IoUring.IORING_OP_SEND_ZC,
                () -> "this kernel's io_uring is of before 6.0: its last operation is " + last);
    }

    @AfterEach
    final void unmapRings() {
        while (!mapped.isEmpty()) {
            mapped.pop().close();
        }
    }

    /** A further ring. */
    protected final SmallRing ring(int flags) {
        ByteBuffer params = params(flags);
        SmallRing made = new SmallRing(kernel(), opened(granted("a ring with flags " + flags, setup(params))), params);
        mapped.push(made);
        return made;
    }

    protected final ByteBuffer params(int flags) {
        return memory(IoUringParams.SIZE_BYTES).putInt(IoUringParams.FLAGS_OFFSET, flags);
    }

    protected final int setup(ByteBuffer params) {
        return kernel().ioUringSetup(ENTRIES, address(params));
    }

    /** A result that must not be a failure, unless it says that this machine does not have the thing. */
    protected static int granted(String what, int result) {
        boolean refused = result == -Errno.EPERM
                || result == -Errno.ENOSYS
                || result == -Errno.ENOMEM
                || result == -Errno.EINVAL
                || result == -Errno.EOPNOTSUPP;
        assumeTrue(!refused, () -> "this kernel refuses " + what + ": " + Errno.describe(-result));
        return good(result);
    }
}
