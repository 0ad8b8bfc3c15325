package org.cabrank.kernel.contract;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Memory;
import org.cabrank.kernel.TimeSpec;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringCqe;
import org.cabrank.kernel.layout.IoUringGeteventsArg;
import org.cabrank.kernel.layout.IoUringParams;
import org.cabrank.kernel.layout.IoUringSqe;

/**
 * A ring that one thread uses, by the offsets that the kernel gives. Plain access will do: the kernel touches the rings
 * during the thread's own calls only.
 */
final class SmallRing implements AutoCloseable {
    private final Kernel kernel;
    private final int fd;
    private final ByteBuffer timeout = KernelContract.memory(TimeSpec.SIZE_BYTES);
    private final ByteBuffer argument = KernelContract.memory(IoUringGeteventsArg.SIZE_BYTES);
    private final ByteBuffer params;
    private final ByteBuffer rings;
    private final ByteBuffer sqes;
    private int tail;

    /** Maps the ring {@code fd} that was set up with {@code params}. */
    SmallRing(Kernel kernel, int fd, ByteBuffer params) {
        this.kernel = kernel;
        this.fd = fd;
        this.params = params;
        if (!hasFeature(IoUring.IORING_FEAT_SINGLE_MMAP)) {
            throw new AssertionError("a kernel of 5.4 or later maps both rings at once");
        }
        int cqes = params.getInt(IoUringParams.CQ_OFF_CQES_OFFSET)
                + params.getInt(IoUringParams.CQ_ENTRIES_OFFSET) * IoUringCqe.SIZE_BYTES;
        int array = params.getInt(IoUringParams.SQ_OFF_ARRAY_OFFSET)
                + params.getInt(IoUringParams.SQ_ENTRIES_OFFSET) * Integer.BYTES;
        rings = mapped(IoUring.IORING_OFF_SQ_RING, Math.max(cqes, array));
        sqes = mapped(IoUring.IORING_OFF_SQES, params.getInt(IoUringParams.SQ_ENTRIES_OFFSET) * IoUringSqe.SIZE_BYTES);
        tail = field(IoUringParams.SQ_OFF_TAIL_OFFSET);
    }

    int fd() {
        return fd;
    }

    boolean hasFeature(int feature) {
        return (params.getInt(IoUringParams.FEATURES_OFFSET) & feature) != 0;
    }

    private ByteBuffer mapped(long offset, int bytes) {
        long address = kernel.mmap(
                0, bytes, Memory.PROT_READ | Memory.PROT_WRITE, Memory.MAP_SHARED | Memory.MAP_POPULATE, fd, offset);
        if (address < 0 && address >= -Errno.MAX_ERRNO) {
            throw new AssertionError("mmap of a ring: " + Errno.describe((int) -address));
        }
        return kernel.viewOf(address, bytes);
    }

    /** A field of the rings, by where in the params its offset stands. */
    int field(int paramsOffset) {
        return rings.getInt(params.getInt(paramsOffset));
    }

    private void setField(int paramsOffset, int value) {
        rings.putInt(params.getInt(paramsOffset), value);
    }

    /** The next submission, zeroed but for these fields; it goes with the next {@link #enter}. */
    ByteBuffer sqe(int opcode, int sqeFd, long addr, int len, long userData) {
        int index = tail & field(IoUringParams.SQ_OFF_RING_MASK_OFFSET);
        ByteBuffer sqe =
                sqes.slice(index * IoUringSqe.SIZE_BYTES, IoUringSqe.SIZE_BYTES).order(ByteOrder.nativeOrder());
        for (int offset = 0; offset < IoUringSqe.SIZE_BYTES; offset += Long.BYTES) {
            sqe.putLong(offset, 0);
        }
        if ((params.getInt(IoUringParams.FLAGS_OFFSET) & IoUring.IORING_SETUP_NO_SQARRAY) == 0) {
            rings.putInt(params.getInt(IoUringParams.SQ_OFF_ARRAY_OFFSET) + index * Integer.BYTES, index);
        }
        tail++;
        return sqe.put(IoUringSqe.OPCODE_OFFSET, (byte) opcode)
                .putInt(IoUringSqe.FD_OFFSET, sqeFd)
                .putLong(IoUringSqe.ADDR_OFFSET, addr)
                .putInt(IoUringSqe.LEN_OFFSET, len)
                .putLong(IoUringSqe.USER_DATA_OFFSET, userData);
    }

    /** Number of submissions that {@link #enter} would submit. */
    int pending() {
        return tail - field(IoUringParams.SQ_OFF_HEAD_OFFSET);
    }

    /** Shows the kernel the submissions, without a call. */
    void publish() {
        setField(IoUringParams.SQ_OFF_TAIL_OFFSET, tail);
    }

    /**
     * Submits all pending entries and waits for {@code completions} completions, for a limited time. Returns the number
     * submitted.
     */
    int enter(int completions) {
        return enter(completions, KernelContract.PATIENCE_MS / 1_000, 0);
    }

    /** Submits what is pending and waits for so many completions, so long at most: how many were submitted. */
    int enter(int completions, long sec, long nsec) {
        publish();
        timeout.putLong(TimeSpec.SEC_OFFSET, sec).putLong(TimeSpec.NSEC_OFFSET, nsec);
        argument.putLong(IoUringGeteventsArg.TS_OFFSET, kernel.addressOf(timeout));
        return kernel.ioUringEnter(
                fd,
                pending(),
                completions,
                IoUring.IORING_ENTER_GETEVENTS | IoUring.IORING_ENTER_EXT_ARG,
                kernel.addressOf(argument),
                IoUringGeteventsArg.SIZE_BYTES);
    }

    int available() {
        return field(IoUringParams.CQ_OFF_TAIL_OFFSET) - field(IoUringParams.CQ_OFF_HEAD_OFFSET);
    }

    /** Takes the next completion, which must be there. */
    Completion take() {
        if (available() <= 0) {
            throw new AssertionError("there is no completion");
        }
        int head = field(IoUringParams.CQ_OFF_HEAD_OFFSET);
        int at = params.getInt(IoUringParams.CQ_OFF_CQES_OFFSET)
                + (head & field(IoUringParams.CQ_OFF_RING_MASK_OFFSET)) * IoUringCqe.SIZE_BYTES;
        Completion completion = new Completion(
                rings.getLong(at + IoUringCqe.USER_DATA_OFFSET),
                rings.getInt(at + IoUringCqe.RES_OFFSET),
                rings.getInt(at + IoUringCqe.FLAGS_OFFSET));
        setField(IoUringParams.CQ_OFF_HEAD_OFFSET, head + 1);
        return completion;
    }

    @Override
    public void close() {
        kernel.munmap(kernel.addressOf(rings), rings.capacity());
        kernel.munmap(kernel.addressOf(sqes), sqes.capacity());
    }

    record Completion(long userData, int res, int flags) {
        Completion(long userData, int res) {
            this(userData, res, 0);
        }

        /** The number of the buffer that the kernel took. */
        int buffer() {
            return flags >>> IoUring.IORING_CQE_BUFFER_SHIFT;
        }

        boolean has(int flag) {
            return (flags & flag) != 0;
        }
    }
}
