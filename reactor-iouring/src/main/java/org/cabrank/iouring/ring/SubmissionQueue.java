package org.cabrank.iouring.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntConsumer;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringParams;
import org.cabrank.kernel.layout.IoUringSqe;

/**
 * Queue of submissions. Only the ring's thread writes submissions and moves the tail. The one exception is {@link #withdrawSends}. During a
 * system call of {@link Ring}, the kernel reads submissions and moves the head.
 *
 * <p>Invariant: <i>a submission is complete before the tail is moved past it</i>. The tail is written with release, and the kernel reads it
 * with acquire. The kernel moves the head with release after it has copied a submission. A slot is written again only after a head beyond
 * the slot was read with acquire.
 */
public final class SubmissionQueue extends SubmissionWriter {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final Ring ring;
    private final ByteBuffer rings;
    private final ByteBuffer sqes;
    private final int headOffset;
    private final int tailOffset;
    private final int flagsOffset;
    private final int entries;
    private final int mask;

    private final Backlog backlog = new Backlog();
    /** Size of the backlog. Other threads may read it. */
    private volatile int backlogged;

    /** The tail that was last given to the kernel. Only this process moves it. */
    private int tail;

    /** Performs sends instead of the kernel. */
    public interface Sender {
        /** Result of {@link #send} if the send stays in the queue. */
        int LEFT = Integer.MIN_VALUE;

        int send(long userData, long address, int bytes);

        /** Called when the send has left the queue. */
        void sent(long userData, int result);
    }

    private int headSeen;

    private boolean closed;

    SubmissionQueue(Ring ring, RingMemory memory, ByteBuffer params) {
        this.ring = ring;
        this.rings = memory.rings();
        this.sqes = memory.sqes();
        this.headOffset = params.getInt(IoUringParams.SQ_OFF_HEAD_OFFSET);
        this.tailOffset = params.getInt(IoUringParams.SQ_OFF_TAIL_OFFSET);
        this.flagsOffset = params.getInt(IoUringParams.SQ_OFF_FLAGS_OFFSET);
        this.entries = params.getInt(IoUringParams.SQ_ENTRIES_OFFSET);
        this.mask = entries - 1;
        this.tail = tailAcquire();
        this.headSeen = headAcquire();
    }

    /** Returns the kernel's head. Called before a slot is written again. */
    private int headAcquire() {
        return (int) INT.getAcquire(rings, headOffset);
    }

    private int tailAcquire() {
        return (int) INT.getAcquire(rings, tailOffset);
    }

    /** Gives the tail to the kernel. Called after the submissions below the tail were written. */
    private void tailRelease(int moved) {
        INT.setRelease(rings, tailOffset, moved);
    }

    private int flagsVolatile() {
        return (int) INT.getVolatile(rings, flagsOffset);
    }

    /** Returns true if a call with GETEVENTS would complete due requests, or bring completions that had no room. */
    public boolean eventsDue() {
        return (flagsVolatile() & (IoUring.IORING_SQ_TASKRUN | IoUring.IORING_SQ_CQ_OVERFLOW)) != 0;
    }

    /**
     * Queues one submission. The next {@link Ring#submit}, {@link Ring#reap} or {@link Ring#await} passes the submission to the kernel. The
     * memory to which the words point must stay valid until then (SUBMIT_STABLE). If the queue is full, this method submits it. Submissions
     * that the kernel does not take wait in a backlog, in order.
     *
     * @throws IllegalStateException if the ring is closed
     */
    @Override
    public void append(long first, long second, long third, long fourth, long fifth, long sixth) {
        if (backlog.count() == 0 && hasRoom() || makeRoom()) {
            int base = (tail & mask) * IoUringSqe.SIZE_BYTES;
            sqes.putLong(base, first);
            sqes.putLong(base + IoUringSqe.OFF_OFFSET, second);
            sqes.putLong(base + IoUringSqe.ADDR_OFFSET, third);
            sqes.putLong(base + IoUringSqe.LEN_OFFSET, fourth);
            sqes.putLong(base + IoUringSqe.USER_DATA_OFFSET, fifth);
            sqes.putLong(base + IoUringSqe.BUF_INDEX_OFFSET, sixth);
            sqes.putLong(base + IoUringSqe.ADDR3_OFFSET, 0);
            sqes.putLong(base + IoUringSqe.ADDR3_OFFSET + Long.BYTES, 0);
            tailRelease(tail + 1);
            tail++;
        } else {
            backlog.append(first, second, third, fourth, fifth, sixth);
            backlogged = backlog.count();
        }
    }

    private boolean hasRoom() {
        if (closed) {
            throw new IllegalStateException(ring + " is closed");
        }
        return tail - headSeen < entries || tail - (headSeen = headAcquire()) < entries;
    }

    /** Submits. Returns true if the queue has room. Returns false while there is a backlog, because older submissions go first. */
    private boolean makeRoom() {
        ring.submit();
        return backlog.count() == 0 && hasRoom();
    }

    void refill() {
        if (backlog.count() == 0) {
            return;
        }
        int before = tail;
        while (backlog.count() > 0 && hasRoom()) {
            backlog.moveFirst(sqes, (tail & mask) * IoUringSqe.SIZE_BYTES);
            tail++;
        }
        if (tail != before) {
            tailRelease(tail);
            backlogged = backlog.count();
        }
    }

    /** Number of submissions that the kernel has not taken yet, without the backlog. */
    public int queued() {
        return tail - headAcquire();
    }

    /** Number of submissions that the kernel has not taken yet, with the backlog. */
    public int pending() {
        return queued() + backlogged;
    }

    public int backlogged() {
        return backlogged;
    }

    /**
     * Performs all queued sends, oldest first. Replaces each performed send by a no-op with user data {@code noHandle}. The ring's thread
     * must not use the ring during this call.
     */
    public void withdrawSends(Sender sender, long noHandle) {
        for (int i = headAcquire(); i != tail; i++) {
            int base = (i & mask) * IoUringSqe.SIZE_BYTES;
            int opcode = sqes.get(base + IoUringSqe.OPCODE_OFFSET);
            if (opcode != IoUring.IORING_OP_SEND && opcode != IoUring.IORING_OP_SENDMSG) {
                continue;
            }
            int bytes = opcode == IoUring.IORING_OP_SEND ? sqes.getInt(base + IoUringSqe.LEN_OFFSET) : 0;
            long userData = sqes.getLong(base + IoUringSqe.USER_DATA_OFFSET);
            int result = sender.send(userData, sqes.getLong(base + IoUringSqe.ADDR_OFFSET), bytes);
            if (result != Sender.LEFT) {
                for (int at = 0; at < IoUringSqe.SIZE_BYTES; at += Long.BYTES) {
                    sqes.putLong(base + at, IoUring.IORING_OP_NOP);
                }
                sqes.putLong(base + IoUringSqe.USER_DATA_OFFSET, noHandle);
                sender.sent(userData, result); // called last, so that the bytes are not sent twice if it fails
            }
        }
    }

    /** Called when no thread submits any more. Passes on the descriptors of all queued closes, which have the user data {@code closing}. */
    public void takePendingCloses(long closing, IntConsumer descriptors) {
        if (closed) {
            return; // taken before
        }
        for (int i = headAcquire(); i != tail; i++) {
            int base = (i & mask) * IoUringSqe.SIZE_BYTES;
            if (sqes.getLong(base + IoUringSqe.USER_DATA_OFFSET) == closing) {
                descriptors.accept(sqes.getInt(base + IoUringSqe.FD_OFFSET));
            }
        }
        backlog.descriptorsOf(closing, descriptors);
    }

    void close() {
        closed = true;
    }
}
