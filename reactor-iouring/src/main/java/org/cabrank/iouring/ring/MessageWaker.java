package org.cabrank.iouring.ring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringSqe;

/** Wakes by a MSG_RING without a ring (IORING_REGISTER_SEND_MSG_RING, Linux 6.13). The completion is posted in the caller's context. */
final class MessageWaker extends Waker {
    private final Kernel kernel;

    /** Submission that the kernel reads in every call. It is never changed. */
    private final ByteBuffer message =
            ByteBuffer.allocateDirect(IoUringSqe.SIZE_BYTES).order(ByteOrder.nativeOrder());

    private final long messageAddress;

    /** If false, EBADFD means that the ring is not enabled yet. If true, EBADFD means that the descriptor is not a ring any more. */
    private boolean enabled;

    private boolean early;

    MessageWaker(Kernel kernel, int ringFd) {
        this.kernel = kernel;
        this.messageAddress = kernel.addressOf(message);
        message.put(IoUringSqe.OPCODE_OFFSET, (byte) IoUring.IORING_OP_MSG_RING);
        message.putInt(IoUringSqe.FD_OFFSET, ringFd);
        message.putLong(IoUringSqe.ADDR_OFFSET, IoUring.IORING_MSG_DATA);
        message.putLong(IoUringSqe.OFF_OFFSET, Ring.WAKEUP);
        message.putInt(IoUringSqe.LEN_OFFSET, MESSAGE);
    }

    private int send() {
        return kernel.ioUringRegister(-1, IoUring.IORING_REGISTER_SEND_MSG_RING, messageAddress, 1);
    }

    /** Called before the ring is enabled. A kernel that knows the call returns EBADFD. Older kernels return EBADF or EINVAL. */
    boolean works() {
        int result = send();
        return result >= 0 || result == -Errno.EBADFD;
    }

    @Override
    int wake() {
        int result = send();
        if (result == -Errno.EBADFD && !enabled) {
            early = true;
            return 0;
        }
        return Math.min(result, 0);
    }

    @Override
    void enabled() {
        enabled = true;
        if (early) {
            early = false;
            send();
        }
    }

    @Override
    void arm(SubmissionQueue submissions) {}

    @Override
    void harvested(int result, int flags) {}

    @Override
    void close() {}
}
