package org.cabrank.iouring.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.LongAdder;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringCqe;
import org.cabrank.kernel.layout.IoUringParams;

/**
 * Queue of completions. The kernel writes completions and moves the tail. The watcher reads completions and moves the head. The watcher is
 * the ring's thread or a deputy. A deputy makes no system call on the ring.
 *
 * <pre>
 *        head                tail
 *         v                   v
 * | ...  | 0 | 1 | 2 | ... | n-1 | ...      n = available(); an index is 0 to n-1
 * </pre>
 */
public final class CompletionQueue {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final ByteBuffer rings;
    private final int headOffset;
    private final int tailOffset;
    private final int overflowOffset;
    private final int sqFlagsOffset;
    private final int userDataOffset;
    private final int resultOffset;
    private final int flagsOffset;
    private final int mask;
    private final LongAdder overflowSeen = new LongAdder();

    /** The head that was last given to the kernel. Only this process moves it. */
    private int head;

    CompletionQueue(ByteBuffer rings, ByteBuffer params) {
        this.rings = rings;
        this.headOffset = params.getInt(IoUringParams.CQ_OFF_HEAD_OFFSET);
        this.tailOffset = params.getInt(IoUringParams.CQ_OFF_TAIL_OFFSET);
        this.overflowOffset = params.getInt(IoUringParams.CQ_OFF_OVERFLOW_OFFSET);
        this.sqFlagsOffset = params.getInt(IoUringParams.SQ_OFF_FLAGS_OFFSET);
        int cqes = params.getInt(IoUringParams.CQ_OFF_CQES_OFFSET);
        this.userDataOffset = cqes + IoUringCqe.USER_DATA_OFFSET;
        this.resultOffset = cqes + IoUringCqe.RES_OFFSET;
        this.flagsOffset = cqes + IoUringCqe.FLAGS_OFFSET;
        this.mask = params.getInt(IoUringParams.CQ_ENTRIES_OFFSET) - 1;
        this.head = headPlain();
    }

    private int headPlain() {
        return (int) INT.get(rings, headOffset);
    }

    /** Called after entries were read. The kernel may then overwrite the entries before the head. */
    private void headRelease(int moved) {
        INT.setRelease(rings, headOffset, moved);
    }

    /** Returns the kernel's tail. Called before the entries are read. */
    private int tailAcquire() {
        return (int) INT.getAcquire(rings, tailOffset);
    }

    private int overflowAcquire() {
        return (int) INT.getAcquire(rings, overflowOffset);
    }

    public int available() {
        return tailAcquire() - head;
    }

    public long userData(int index) {
        return rings.getLong(userDataOffset + (head + index & mask) * IoUringCqe.SIZE_BYTES);
    }

    /** Returns the result of the operation: a count, a descriptor, or {@code -errno}. */
    public int result(int index) {
        return rings.getInt(resultOffset + (head + index & mask) * IoUringCqe.SIZE_BYTES);
    }

    /** Returns {@code IORING_CQE_F_} bits, and above them a buffer number. */
    public int flags(int index) {
        return rings.getInt(flagsOffset + (head + index & mask) * IoUringCqe.SIZE_BYTES);
    }

    /** Called when the first {@code count} completions were read. Index 0 then names the next completion. */
    public void advance(int count) {
        head += count;
        headRelease(head);
    }

    /** Returns true if the kernel keeps completions for lack of room. A call with GETEVENTS after {@link #advance} brings them. */
    public boolean overflowed() {
        return ((int) INT.getVolatile(rings, sqFlagsOffset) & IoUring.IORING_SQ_CQ_OVERFLOW) != 0;
    }

    void noteOverflow() {
        overflowSeen.increment();
    }

    /** Returns the number of overflows plus the number of lost completions. Any thread may call this method. */
    public long overflowCount() {
        return overflowSeen.sum() + lostCount();
    }

    /** Number of completions that were lost because the kernel had no memory to keep them. */
    long lostCount() {
        return Integer.toUnsignedLong(overflowAcquire());
    }
}
