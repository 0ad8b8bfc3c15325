package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringParams;
import org.cabrank.kernel.layout.IoUringProbe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A ring for each test, which is skipped where the kernel refuses one, or what it needs of one, and on kernels before
 * 6.0: they lack most of what is tested, and nothing in this library uses their rings.
 */
abstract class IoUringContract extends KernelContract {
    /** A power of two, so that the kernel need not round it. */
    protected static final int ENTRIES = 8;

    /** A further operation that this library has no use for: it came with 6.15, and no other since 6.11. */
    protected static final int OPERATION_OF_6_15 = 58;

    private final Deque<SmallRing> mapped = new ArrayDeque<>();

    private int lastOperation;

    /** A ring without any flags. */
    protected SmallRing ring;

    @BeforeEach
    final void openRing() {
        ByteBuffer params = params(0);
        int fd = setup(params);
        assumeTrue(
                fd != -Errno.EPERM && fd != -Errno.ENOSYS && fd != -Errno.ENOMEM,
                () -> "this machine refuses io_uring: " + Errno.describe(-fd));
        ring = mapped(fd, params);
        ByteBuffer probe = memory(IoUringProbe.OPS_OFFSET);
        good(kernel().ioUringRegister(ring.fd(), IoUring.IORING_REGISTER_PROBE, address(probe), 0));
        lastOperation = probe.get(IoUringProbe.LAST_OP_OFFSET) & 0xff;
        assumeTrue(
                lastOperation >= IoUring.IORING_OP_SEND_ZC,
                () -> "this kernel's io_uring is of before 6.0: its last operation is " + lastOperation);
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
        int fd = setup(params);
        return mapped(granted(IoUring.IORING_OP_READ_MULTISHOT, "a ring with flags " + flags, fd), params);
    }

    private SmallRing mapped(int fd, ByteBuffer params) {
        SmallRing made = new SmallRing(kernel(), opened(fd), params);
        mapped.push(made);
        return made;
    }

    protected final ByteBuffer params(int flags) {
        return memory(IoUringParams.SIZE_BYTES).putInt(IoUringParams.FLAGS_OFFSET, flags);
    }

    protected final int setup(ByteBuffer params) {
        return kernel().ioUringSetup(ENTRIES, address(params));
    }

    /**
     * A result that must not be a failure, unless it says that this machine does not have the thing.
     *
     * @param operation a kernel that knows this operation has the thing: its {@code EINVAL} is a mistake of ours
     */
    protected final int granted(int operation, String what, int result) {
        assumeTrue(
                result != -Errno.EINVAL && result != -Errno.EOPNOTSUPP || lastOperation >= operation,
                () -> "this kernel is too old for " + what + ": " + Errno.describe(-result));
        return good(result);
    }
}
