package org.cabrank.iouring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Resources;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringParams;
import org.cabrank.kernel.layout.IoUringSqe;
import org.cabrank.kernel.layout.IoUringSyncCancelReg;
import org.cabrank.kernel.layout.IoVec;
import org.cabrank.kernel.layout.MsgHdr;
import org.cabrank.kernel.layout.ResourceLimit;

/**
 * A kernel whose one ring lives in hard times: it refuses to be entered, takes less of a send than it was asked to, and ends
 * what is under way. The faults are real: a send that is capped is short on the wire, and what is cancelled is cancelled by
 * io_uring itself, in all the states that a request can be in.
 *
 * <p>It sees submissions because it sees the memory being mapped. Nobody writes those between head and tail, and they
 * are taken in its lock only, so it may change them.
 */
final class FaultyRings extends ForwardingKernel {
    private final ByteBuffer cancel =
            ByteBuffer.allocateDirect(IoUringSyncCancelReg.SIZE_BYTES).order(ByteOrder.nativeOrder());
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicLong enters = new AtomicLong();
    private final AtomicLong submits = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong cappedSends = new AtomicLong();
    private final AtomicLong cancelled = new AtomicLong();
    private final AtomicLong submitsOfAFullQueue = new AtomicLong();

    private ByteBuffer params;
    private ByteBuffer rings;
    private ByteBuffer sqes;

    private volatile int fd = -1;
    private volatile int refusal;
    private volatile int refusedEach = Integer.MAX_VALUE;
    private volatile int cancelledEach = Integer.MAX_VALUE;
    private volatile boolean cancelledNext;
    private volatile int sendMax = Integer.MAX_VALUE;
    private volatile boolean limitsRefused;
    private volatile int refusedRegister = -1;
    private volatile long descriptorsMax = -1;
    private volatile Consumer<ByteBuffer> seer;
    private volatile Runnable beforeRingCloses = () -> {};

    FaultyRings(Kernel next) {
        super(next);
        cancel.putInt(IoUringSyncCancelReg.FD_OFFSET, -1);
        cancel.putInt(
                IoUringSyncCancelReg.FLAGS_OFFSET, IoUring.IORING_ASYNC_CANCEL_ANY | IoUring.IORING_ASYNC_CANCEL_ALL);
        cancel.putLong(IoUringSyncCancelReg.TIMEOUT_OFFSET, -1);
        cancel.putLong(IoUringSyncCancelReg.TIMEOUT_OFFSET + Long.BYTES, -1);
    }

    // ---- the plan ----

    /** The next calls of io_uring_enter(2) answer {@code -errno}. */
    FaultyRings refuseEnter(int errno, int times) {
        refusal = -errno;
        refusals.set(times);
        return this;
    }

    /**
     * Every {@code nth} call of io_uring_enter(2) that submits answers {@code -errno}. Others do not count: a wait between two
     * attempts would else be the one that is accepted, each time.
     */
    FaultyRings refuseEachEnter(int nth, int errno) {
        refusal = -errno;
        refusedEach = nth;
        return this;
    }

    /** A send takes at most so many bytes, also one of several pieces. */
    FaultyRings capSends(int bytes) {
        sendMax = bytes;
        return this;
    }

    /** Before every {@code nth} call of io_uring_enter(2), all that is under way ends with ECANCELED. */
    FaultyRings cancelAllEach(int nth) {
        cancelledEach = nth;
        return this;
    }

    /** The next io_uring_enter(2) ends all requests first. Any thread. */
    FaultyRings cancelAllWithNextEnter() {
        cancelledNext = true;
        return this;
    }

    /** A receive with a limit is refused, as by a kernel that is older than the field. */
    FaultyRings refuseReceiveLimits() {
        limitsRefused = true;
        return this;
    }

    /** io_uring_register(2) answers EINVAL to this opcode. */
    FaultyRings refuseRegister(int opcode) {
        refusedRegister = opcode;
        return this;
    }

    /** The soft limit of descriptors, as far as anybody asks. */
    FaultyRings descriptorsMax(int count) {
        descriptorsMax = count;
        return this;
    }

    /** Is shown each submission before the kernel takes it, and may change it. */
    FaultyRings showSubmissions(Consumer<ByteBuffer> to) {
        seer = to;
        return this;
    }

    /** By the thread that closes the ring, while its descriptor is still there. */
    FaultyRings beforeRingCloses(Runnable action) {
        beforeRingCloses = action;
        return this;
    }

    /** From now on there are no faults. */
    void behave() {
        refusals.set(0);
        refusedEach = Integer.MAX_VALUE;
        cancelledEach = Integer.MAX_VALUE;
        sendMax = Integer.MAX_VALUE;
    }

    /** The descriptor of the ring is closed, by whom it does not belong to. */
    void closeRing() {
        next().close(fd);
    }

    // ---- what came of it ----

    int ringFd() {
        return fd;
    }

    long refusedCount() {
        return refused.get();
    }

    long submitsOfAFullQueue() {
        return submitsOfAFullQueue.get();
    }

    long cappedCount() {
        return cappedSends.get();
    }

    /** Requests that were under way and were cancelled. */
    long cancelledCount() {
        return cancelled.get();
    }

    // ---- calls ----

    @Override
    public int ioUringSetup(int entries, long address) {
        fd = next().ioUringSetup(entries, address);
        params = ByteBuffer.allocate(IoUringParams.SIZE_BYTES).order(ByteOrder.nativeOrder());
        params.put(0, next().viewOf(address, IoUringParams.SIZE_BYTES), 0, IoUringParams.SIZE_BYTES);
        return fd;
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int file, long offset) {
        long result = next().mmap(address, length, protection, flags, file, offset);
        if (file == fd && offset == IoUring.IORING_OFF_SQ_RING) {
            rings = next().viewOf(result, (int) length);
        } else if (file == fd && offset == IoUring.IORING_OFF_SQES) {
            sqes = next().viewOf(result, (int) length);
        }
        return result;
    }

    @Override
    public int ioUringEnter(int ring, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
        long nth = enters.incrementAndGet();
        boolean refusedInTurn = toSubmit > 0 && submits.incrementAndGet() % refusedEach == 0;
        if (refusedInTurn || refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            refused.incrementAndGet();
            return refusal;
        }
        if (nth % cancelledEach == 0 || cancelledNext) {
            cancelledNext = false;
            cancelAll();
        }
        if (params != null && toSubmit == params.getInt(IoUringParams.SQ_ENTRIES_OFFSET)) {
            submitsOfAFullQueue.incrementAndGet();
        }
        if (toSubmit == 0) {
            return next().ioUringEnter(ring, 0, minComplete, flags, arg, argBytes);
        }
        int waits = IoUring.IORING_ENTER_GETEVENTS | IoUring.IORING_ENTER_EXT_ARG;
        int submitted;
        synchronized (this) {
            showQueued(toSubmit);
            spoilQueued();
            submitted = next().ioUringEnter(ring, toSubmit, 0, flags & ~waits, 0, 0);
        }
        if (submitted < 0 || (flags & waits) == 0) {
            return submitted;
        }
        int waited = next().ioUringEnter(ring, 0, submitted < toSubmit ? 0 : minComplete, flags, arg, argBytes);
        return submitted > 0 ? submitted : waited;
    }

    private void showQueued(int count) {
        if (seer == null) {
            return;
        }
        int head = rings.getInt(params.getInt(IoUringParams.SQ_OFF_HEAD_OFFSET));
        int tail = rings.getInt(params.getInt(IoUringParams.SQ_OFF_TAIL_OFFSET));
        int mask = params.getInt(IoUringParams.SQ_ENTRIES_OFFSET) - 1;
        int shown = Math.min(count, tail - head); // other threads may have submitted what the caller has counted
        for (int i = head; i != head + shown; i++) {
            int base = (i & mask) * IoUringSqe.SIZE_BYTES;
            seer.accept(sqes.slice(base, IoUringSqe.SIZE_BYTES).order(ByteOrder.nativeOrder()));
        }
    }

    private void spoilQueued() {
        if (sendMax == Integer.MAX_VALUE && !limitsRefused) {
            return;
        }
        int head = rings.getInt(params.getInt(IoUringParams.SQ_OFF_HEAD_OFFSET));
        int tail = rings.getInt(params.getInt(IoUringParams.SQ_OFF_TAIL_OFFSET));
        int mask = params.getInt(IoUringParams.SQ_ENTRIES_OFFSET) - 1;
        for (int i = head; i != tail; i++) {
            int base = (i & mask) * IoUringSqe.SIZE_BYTES;
            if (limitsRefused
                    && sqes.get(base + IoUringSqe.OPCODE_OFFSET) == IoUring.IORING_OP_RECV
                    && sqes.getInt(base + IoUringSqe.FILE_INDEX_OFFSET) != 0) {
                sqes.putShort(base + IoUringSqe.IOPRIO_OFFSET, (short) -1); // flags that no kernel knows: EINVAL
            }
            capSend(base);
        }
    }

    private void capSend(int base) {
        int opcode = sqes.get(base + IoUringSqe.OPCODE_OFFSET);
        if (sendMax == Integer.MAX_VALUE) {
            return;
        }
        if (opcode == IoUring.IORING_OP_SEND && sqes.getInt(base + IoUringSqe.LEN_OFFSET) > sendMax) {
            sqes.putInt(base + IoUringSqe.LEN_OFFSET, sendMax);
            cappedSends.incrementAndGet();
        } else if (opcode == IoUring.IORING_OP_SENDMSG) { // of several pieces: of the first alone
            ByteBuffer message = next().viewOf(sqes.getLong(base + IoUringSqe.ADDR_OFFSET), MsgHdr.SIZE_BYTES);
            ByteBuffer piece = next().viewOf(message.getLong(MsgHdr.IOV_OFFSET), IoVec.SIZE_BYTES);
            message.putLong(MsgHdr.IOVLEN_OFFSET, 1);
            piece.putLong(IoVec.LEN_OFFSET, Math.min(sendMax, piece.getLong(IoVec.LEN_OFFSET)));
            cappedSends.incrementAndGet();
        }
    }

    @Override
    public int ioUringRegister(int ring, int opcode, long arg, int count) {
        return opcode == refusedRegister ? -Errno.EINVAL : next().ioUringRegister(ring, opcode, arg, count);
    }

    @Override
    public int getrlimit(int resource, long limit) {
        int result = next().getrlimit(resource, limit);
        if (resource == Resources.RLIMIT_NOFILE && descriptorsMax >= 0) {
            next().viewOf(limit, ResourceLimit.SIZE_BYTES).putLong(ResourceLimit.CUR_OFFSET, descriptorsMax);
        }
        return result;
    }

    @Override
    public int close(int descriptor) {
        if (descriptor == fd) {
            beforeRingCloses.run();
        }
        return next().close(descriptor);
    }

    /** All that is under way ends with ECANCELED. */
    private void cancelAll() {
        int found = next().ioUringRegister(fd, IoUring.IORING_REGISTER_SYNC_CANCEL, next().addressOf(cancel), 1);
        if (found > 0) {
            cancelled.addAndGet(found);
        }
    }
}
