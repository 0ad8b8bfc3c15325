package org.cabrank.iouring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.IoUringCqe;
import org.cabrank.kernel.IoUringParams;
import org.cabrank.kernel.IoUringSqe;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.stream.contract.Await;

/**
 * A kernel whose zero-copy sends have their memory free when the test says so. They are sent with a copy, complete with F_MORE as
 * the real ones do, and the test posts the NOTIF. For a ring with an owner: its completions come inside of its calls.
 */
final class LateNotifications extends FirstRingKernel {
    private final Queue<Long> outstanding = new ConcurrentLinkedQueue<>();
    private final Queue<Long> addresses = new ConcurrentLinkedQueue<>();
    private final ByteBuffer message =
            ByteBuffer.allocateDirect(IoUringSqe.SIZE_BYTES).order(ByteOrder.nativeOrder());

    private ByteBuffer params;
    private ByteBuffer rings;
    private ByteBuffer sqes;
    private int fd = -1;
    private volatile int refusal;
    private volatile boolean refusedWithoutNotification;

    LateNotifications(Kernel next) {
        super(next);
    }

    /** Zero-copy sends end with {@code -errno}. @param notified whether a NOTIF follows */
    LateNotifications refuse(int errno, boolean notified) {
        refusal = -errno;
        refusedWithoutNotification = !notified;
        return this;
    }

    /** Where the bytes of the zero-copy sends of one chunk were, in order. */
    Queue<Long> addresses() {
        return addresses;
    }

    /** Sends whose memory is not free yet. */
    int outstanding() {
        return outstanding.size();
    }

    /** The memory of the oldest send is free. @param result what the NOTIF says */
    void postNotification(int result) {
        Await.until("a send has completed", () -> !outstanding.isEmpty()); // its peer may have the bytes before
        message.put(IoUringSqe.OPCODE_OFFSET, (byte) IoUring.IORING_OP_MSG_RING);
        message.putInt(IoUringSqe.FD_OFFSET, fd);
        message.putLong(IoUringSqe.ADDR_OFFSET, IoUring.IORING_MSG_DATA);
        message.putLong(IoUringSqe.OFF_OFFSET, outstanding.remove());
        message.putInt(IoUringSqe.LEN_OFFSET, result);
        message.putInt(IoUringSqe.OP_FLAGS_OFFSET, IoUring.IORING_MSG_RING_FLAGS_PASS);
        message.putInt(IoUringSqe.FILE_INDEX_OFFSET, IoUring.IORING_CQE_F_NOTIF);
        int posted = next().ioUringRegister(-1, IoUring.IORING_REGISTER_SEND_MSG_RING, next().addressOf(message), 1);
        if (posted < 0) {
            throw new AssertionError("the NOTIF could not be posted: " + posted);
        }
    }

    @Override
    void firstRingMade(int ring, ByteBuffer filled) {
        fd = ring;
        params = ByteBuffer.allocate(IoUringParams.SIZE_BYTES).order(ByteOrder.nativeOrder());
        params.put(0, filled, 0, IoUringParams.SIZE_BYTES);
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
    int enterFirst(int ring, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
        replaceSends();
        int result = next().ioUringEnter(ring, toSubmit, minComplete, flags, arg, argBytes);
        announceNotifications();
        return result;
    }

    private int at(int offsetOfOffset) {
        return rings.getInt(params.getInt(offsetOfOffset));
    }

    private void replaceSends() {
        int mask = params.getInt(IoUringParams.SQ_ENTRIES_OFFSET) - 1;
        int tail = at(IoUringParams.SQ_OFF_TAIL_OFFSET);
        for (int i = at(IoUringParams.SQ_OFF_HEAD_OFFSET); i != tail; i++) {
            int base = (i & mask) * IoUringSqe.SIZE_BYTES;
            int opcode = sqes.get(base + IoUringSqe.OPCODE_OFFSET);
            if (opcode != IoUring.IORING_OP_SEND_ZC && opcode != IoUring.IORING_OP_SENDMSG_ZC) {
                continue;
            }
            if (opcode == IoUring.IORING_OP_SEND_ZC) {
                addresses.add(sqes.getLong(base + IoUringSqe.ADDR_OFFSET));
            }
            int copying = opcode == IoUring.IORING_OP_SEND_ZC ? IoUring.IORING_OP_SEND : IoUring.IORING_OP_SENDMSG;
            sqes.put(base + IoUringSqe.OPCODE_OFFSET, (byte) copying);
            sqes.putShort(base + IoUringSqe.IOPRIO_OFFSET, (short) 0);
            if (refusal != 0) { // of itself, one that does nothing completes with what it is given
                sqes.put(base + IoUringSqe.OPCODE_OFFSET, (byte) IoUring.IORING_OP_NOP);
                sqes.putInt(base + IoUringSqe.OP_FLAGS_OFFSET, IoUring.IORING_NOP_INJECT_RESULT);
                sqes.putInt(base + IoUringSqe.LEN_OFFSET, refusal);
            }
        }
    }

    private void announceNotifications() {
        if (refusedWithoutNotification) {
            return;
        }
        int mask = params.getInt(IoUringParams.CQ_ENTRIES_OFFSET) - 1;
        int tail = at(IoUringParams.CQ_OFF_TAIL_OFFSET);
        for (int i = at(IoUringParams.CQ_OFF_HEAD_OFFSET); i != tail; i++) {
            int base = params.getInt(IoUringParams.CQ_OFF_CQES_OFFSET) + (i & mask) * IoUringCqe.SIZE_BYTES;
            long userData = rings.getLong(base + IoUringCqe.USER_DATA_OFFSET);
            int flags = rings.getInt(base + IoUringCqe.FLAGS_OFFSET);
            boolean first = (flags & (IoUring.IORING_CQE_F_NOTIF | IoUring.IORING_CQE_F_MORE)) == 0;
            if (first && userData > 0 && (Requests.operation(userData) & Requests.ZERO_COPY) != 0) {
                rings.putInt(base + IoUringCqe.FLAGS_OFFSET, flags | IoUring.IORING_CQE_F_MORE);
                outstanding.add(userData);
            }
        }
    }
}
