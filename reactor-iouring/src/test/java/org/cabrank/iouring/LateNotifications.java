package org.cabrank.iouring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.IoUringCqe;
import org.cabrank.kernel.IoUringParams;
import org.cabrank.kernel.IoUringSqe;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.lf.fixture.Await;

/**
 * A kernel whose zero-copy sends release their memory at the test's command. They are sent with a copy, complete with F_MORE as
 * the real ones do, and the test posts the NOTIF. For a ring with an owner: its completions come inside of its calls.
 *
 * <p>A NOTIF is a message from another ring whose completion gets its flag here, since messages carry flags only since Linux 6.3,
 * and need a ring until Linux 6.13. The message is sent while the owner is in the kernel, so that the owner does not see the
 * completion without the flag.
 */
final class LateNotifications extends ForwardingKernel {
    private final Queue<Long> outstanding = new ConcurrentLinkedQueue<>();
    private final Queue<Long> addresses = new ConcurrentLinkedQueue<>();

    /** Sends whose NOTIF is posted, and has no flag yet. With the monitor. */
    private final Set<Long> posted = new HashSet<>();

    /** The owner is in the kernel, or waits for the monitor on its way back. With the monitor. */
    private boolean inside;

    private ByteBuffer params;
    private ByteBuffer rings;
    private ByteBuffer sqes;
    private int fd = -1;
    private volatile int refusal;
    private volatile boolean refusedWithoutNotification;

    LateNotifications(Kernel next) {
        super(next);
    }

    /** Makes zero-copy sends end with {@code -errno}. @param notified true if a NOTIF follows */
    LateNotifications refuse(int errno, boolean notified) {
        refusal = -errno;
        refusedWithoutNotification = !notified;
        return this;
    }

    /** Addresses of the bytes of the zero-copy sends of one chunk, in order. */
    Queue<Long> addresses() {
        return addresses;
    }

    /** Sends whose memory is not free yet. */
    int outstanding() {
        return outstanding.size();
    }

    /** Releases the memory of the oldest send. @param result the result of the NOTIF */
    void postNotification(int result) {
        Await.until("a send has completed", () -> !outstanding.isEmpty()); // its peer may have the bytes before
        long send = outstanding.remove();
        try (Ring sender = Rings.open(next(), Rings.SMALL)) {
            Await.until("the owner is in the kernel", () -> post(sender, send, result));
            int taken = Rings.awaitSome(sender).get(0).result();
            if (taken < 0) {
                throw new AssertionError("the NOTIF could not be posted: " + taken);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private synchronized boolean post(Ring sender, long send, int result) {
        if (inside) {
            posted.add(send);
            long first = IoUring.IORING_OP_MSG_RING | (long) fd << Integer.SIZE;
            sender.submissions().append(first, send, IoUring.IORING_MSG_DATA, Integer.toUnsignedLong(result), 0, 0);
            sender.submit();
        }
        return inside;
    }

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
        replaceSends();
        synchronized (this) {
            inside = true;
        }
        int result = next().ioUringEnter(ring, toSubmit, minComplete, flags, arg, argBytes);
        synchronized (this) {
            inside = false;
            announceNotifications();
        }
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
            if (refusal != 0) {
                sqes.put(base + IoUringSqe.OPCODE_OFFSET, (byte) IoUring.IORING_OP_NOP);
                sqes.putInt(base + IoUringSqe.OP_FLAGS_OFFSET, 0);
            }
        }
    }

    private void announceNotifications() {
        int mask = params.getInt(IoUringParams.CQ_ENTRIES_OFFSET) - 1;
        int tail = at(IoUringParams.CQ_OFF_TAIL_OFFSET);
        for (int i = at(IoUringParams.CQ_OFF_HEAD_OFFSET); i != tail; i++) {
            int base = params.getInt(IoUringParams.CQ_OFF_CQES_OFFSET) + (i & mask) * IoUringCqe.SIZE_BYTES;
            long userData = rings.getLong(base + IoUringCqe.USER_DATA_OFFSET);
            int flags = rings.getInt(base + IoUringCqe.FLAGS_OFFSET);
            boolean done = (flags & (IoUring.IORING_CQE_F_NOTIF | IoUring.IORING_CQE_F_MORE)) != 0;
            if (done || userData <= 0 || (HandleRequests.operation(userData) & HandleRequests.ZERO_COPY) == 0) {
                continue;
            }
            if (posted.remove(userData)) {
                rings.putInt(base + IoUringCqe.FLAGS_OFFSET, flags | IoUring.IORING_CQE_F_NOTIF);
                continue;
            }
            if (refusal != 0) {
                rings.putInt(base + IoUringCqe.RES_OFFSET, refusal);
            }
            if (!refusedWithoutNotification) {
                rings.putInt(base + IoUringCqe.FLAGS_OFFSET, flags | IoUring.IORING_CQE_F_MORE);
                outstanding.add(userData);
            }
        }
    }
}
