package org.cabrank.iouring.ring;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.IoUringCqe;
import org.cabrank.kernel.IoUringParams;
import org.cabrank.kernel.IoUringSqe;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;

/**
 * Wakes the watcher of a shared ring by a message from a small second ring (IORING_OP_MSG_RING, Linux 5.18), where {@link
 * MessageWaker} does not work: before Linux 6.13.
 *
 * <p>The kernel posts the completion in the context of the thread that wakes. A poll of an eventfd completes in the context of the
 * thread that has armed the poll: if that thread is busy or waits for a processor, the wake-up is late, and if it is blocked,
 * it is interrupted. Leadership changes hands, so every change would have to end the poll and arm another. A message
 * belongs to no thread and needs nothing for a change of leader. An owner ring does not need it: its owner arms the poll.
 *
 * <p>Invariant: <i>every entry of the submission queue is the message, and the tail is at most one entry ahead of the head</i>.
 * So a message that the kernel did not take is not sent twice: the next call offers the same entry.
 */
public final class SecondRingWaker extends Waker {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final Kernel kernel;
    private final int fd;
    private final RingMemory memory;
    private final int submissionHead;
    private final int submissionTail;
    private final int completionHead;
    private final int completionTail;
    private final int completions;
    private final int completionMask;

    private SecondRingWaker(Kernel kernel, int fd, RingMemory memory, ByteBuffer params, int ringFd) {
        this.kernel = kernel;
        this.fd = fd;
        this.memory = memory;
        this.submissionHead = params.getInt(IoUringParams.SQ_OFF_HEAD_OFFSET);
        this.submissionTail = params.getInt(IoUringParams.SQ_OFF_TAIL_OFFSET);
        this.completionHead = params.getInt(IoUringParams.CQ_OFF_HEAD_OFFSET);
        this.completionTail = params.getInt(IoUringParams.CQ_OFF_TAIL_OFFSET);
        this.completions = params.getInt(IoUringParams.CQ_OFF_CQES_OFFSET);
        this.completionMask = params.getInt(IoUringParams.CQ_ENTRIES_OFFSET) - 1;
        int entries = params.getInt(IoUringParams.SQ_ENTRIES_OFFSET);
        for (int i = 0; i < entries; i++) {
            writeMessage(memory.sqes(), i * IoUringSqe.SIZE_BYTES, ringFd);
        }
    }

    /**
     * Makes the second ring.
     *
     * @param ringFd of the ring whose watcher is to be woken; it must be enabled before the first wake
     * @param options of that ring: the second ring has the same limits for workers, and is restricted, too
     * @throws IOException if the kernel refuses a second ring, or the process may have no more descriptors
     */
    static SecondRingWaker open(Kernel kernel, int ringFd, RingOptions options, RingFeatures features)
            throws IOException {
        ByteBuffer params = ByteBuffer.allocateDirect(IoUringParams.SIZE_BYTES).order(ByteOrder.nativeOrder());
        params.putInt(IoUringParams.FLAGS_OFFSET, options.restricted() ? IoUring.IORING_SETUP_R_DISABLED : 0);
        int fd = Errno.check(
                "io_uring_setup of a ring for wake-ups",
                NativeArgument.pass(kernel, params, address -> kernel.ioUringSetup(1, address)));
        RingMemory memory = null;
        SecondRingWaker opened = null;
        try {
            memory = RingMemory.map(kernel, fd, params);
            RingOpening.limitWorkers(kernel, fd, options);
            if (options.restricted()) {
                RingRestrictions.applyToMessages(kernel, fd, options, features);
                RingOpening.enable(kernel, fd);
            }
            opened = new SecondRingWaker(kernel, fd, memory, params, ringFd);
            return opened;
        } finally {
            if (opened == null) {
                giveBack(kernel, fd, memory);
            }
        }
    }

    private static void giveBack(Kernel kernel, int fd, RingMemory memory) {
        if (memory != null) {
            memory.close();
        }
        kernel.close(fd);
    }

    private static void writeMessage(ByteBuffer sqes, int base, int ringFd) {
        sqes.put(base + IoUringSqe.OPCODE_OFFSET, (byte) IoUring.IORING_OP_MSG_RING);
        sqes.putInt(base + IoUringSqe.FD_OFFSET, ringFd);
        sqes.putLong(base + IoUringSqe.OFF_OFFSET, Ring.WAKEUP);
        sqes.putLong(base + IoUringSqe.ADDR_OFFSET, IoUring.IORING_MSG_DATA);
        sqes.putInt(base + IoUringSqe.LEN_OFFSET, MESSAGE);
    }

    @Override
    int wake() {
        int head = (int) INT.getAcquire(memory.rings(), submissionHead);
        INT.setRelease(memory.rings(), submissionTail, head + 1);
        int taken = kernel.ioUringEnter(fd, 1, 0, 0, 0, 0);
        if (taken <= 0) {
            return isRingGone(taken) || taken == 0
                    ? -Errno.EAGAIN
                    : taken; // the second ring's trouble, not the first's
        }
        return takeResult();
    }

    /** The kernel completes a message while it is submitted. Returns 0, or {@code -errno} of the message. */
    private int takeResult() {
        int head = (int) INT.get(memory.rings(), completionHead);
        int tail = (int) INT.getAcquire(memory.rings(), completionTail);
        int result = 0;
        for (; head != tail; head++) {
            int completion = completions + (head & completionMask) * IoUringCqe.SIZE_BYTES;
            result = Math.min(memory.rings().getInt(completion + IoUringCqe.RES_OFFSET), 0);
        }
        INT.setRelease(memory.rings(), completionHead, head);
        return result;
    }

    @Override
    void enabled() {}

    @Override
    void arm(SubmissionQueue submissions) {}

    @Override
    void harvested(int result, int flags) {}

    @Override
    void close() {
        giveBack(kernel, fd, memory);
    }
}
