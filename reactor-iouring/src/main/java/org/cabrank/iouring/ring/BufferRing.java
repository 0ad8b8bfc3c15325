package org.cabrank.iouring.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Memory;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringBuf;
import org.cabrank.kernel.layout.IoUringBufReg;
import org.cabrank.stream.BackendUnavailableException;

/**
 * Receive buffers that the kernel fills when data arrives (IORING_REGISTER_PBUF_RING, Linux 5.19). A buffer belongs to the kernel until a
 * completion names the buffer. It then belongs to this process until {@link #recycle} returns it.
 *
 * <pre>
 *        head (the kernel's own)   tail
 *         v                         v
 * | ...  | bid 7 | bid 2 | bid 5 | ...     the kernel takes them in this order
 * </pre>
 *
 * <p>Only one thread at a time may use a buffer ring. The memory of the buffers is kept as long as a view of a buffer exists. The memory
 * of the entries is kept until {@link #close} or the end of the {@link Ring}.
 */
public final class BufferRing implements AutoCloseable {
    private static final VarHandle SHORT =
            MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.nativeOrder());

    private static final int CACHE_LINE_BYTES = 64;
    private static final int PAGE_BYTES = 4_096;

    private final Ring ring;
    private final Kernel kernel;
    private final int groupId;
    private final int buffers;
    private final int bufferBytes;
    private final int mask;
    private final int strideBytes;

    private final ByteBuffer area;

    private final long areaAddress;
    private final ByteBuffer[] views;

    private final long entriesAddress;
    private final long entriesBytes;
    /** The {@link IoUringBuf}s of the ring. The tail is in bytes of the first entry that this entry does not use. */
    private final ByteBuffer entries;

    private final boolean[] taken;
    /** Index of the entry by which each buffer was last given to the kernel. */
    private final int[] entryOf;

    private int tail;
    private int free;
    private boolean closed;

    /**
     * Gives all buffers to the kernel. After {@link Ring#enableHere}, only the ring's thread may call this constructor.
     *
     * @param groupId number by which submissions name the buffers, 0 to 65534. It must be different for each buffer ring
     * @param buffers number of buffers, a power of two up to 32768
     * @param incremental true if the kernel fills a buffer piece by piece. This requires {@link RingFeatures#incremental}
     * @throws BackendUnavailableException if memory is lacking (ENOMEM) or the group is in use (EEXIST). The message has the remedy
     */
    public BufferRing(Ring ring, int groupId, int buffers, int bufferBytes, boolean incremental)
            throws BackendUnavailableException {
        this.ring = ring;
        this.kernel = ring.kernel();
        this.groupId = groupId;
        this.buffers = buffers;
        this.bufferBytes = bufferBytes;
        this.mask = buffers - 1;
        this.strideBytes = strideBytes(bufferBytes);
        this.area = ByteBuffer.allocateDirect(buffers * strideBytes + CACHE_LINE_BYTES)
                .alignedSlice(CACHE_LINE_BYTES);
        this.areaAddress = kernel.addressOf(area);
        this.views = new ByteBuffer[buffers];
        this.taken = new boolean[buffers];
        this.entryOf = new int[buffers];
        this.entriesBytes = (long) buffers * IoUringBuf.SIZE_BYTES;
        this.entriesAddress = map(entriesBytes);
        boolean registered = false;
        try {
            this.entries = kernel.viewOf(entriesAddress, (int) entriesBytes);
            for (int bid = 0; bid < buffers; bid++) {
                views[bid] = area.slice(bid * strideBytes, bufferBytes);
                append(bid);
            }
            tailRelease();
            int result = register(IoUring.IORING_REGISTER_PBUF_RING, incremental ? IoUring.IOU_PBUF_RING_INC : 0);
            if (result < 0) {
                throw refusal("io_uring_register of PBUF_RING for group " + groupId, result);
            }
            registered = true;
        } finally {
            if (!registered) { // also if memory is lacking
                kernel.munmap(entriesAddress, entriesBytes);
            }
        }
        ring.adopt(this);
    }

    /** Never returns a multiple of a page, because the first bytes of all buffers would then share a few sets of the CPU's cache. */
    private static int strideBytes(int bufferBytes) {
        int wholeLines = (bufferBytes + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
        return wholeLines % PAGE_BYTES == 0 ? wholeLines + CACHE_LINE_BYTES : wholeLines;
    }

    /** Maps memory for the entries, because the kernel requires alignment to a page. */
    private long map(long bytes) throws BackendUnavailableException {
        long address = kernel.mmap(
                0, bytes, Memory.PROT_READ | Memory.PROT_WRITE, Memory.MAP_PRIVATE | Memory.MAP_ANONYMOUS, -1, 0);
        if (address < 0 && address >= -Errno.MAX_ERRNO) {
            throw refusal("mmap of " + bytes + " bytes for receive buffers", (int) address);
        }
        return address;
    }

    private BackendUnavailableException refusal(String call, int result) {
        return IoUringRefusal.of(kernel, Errno.exception(call, result));
    }

    private int register(int opcode, int flags) {
        ByteBuffer wish = ByteBuffer.allocateDirect(IoUringBufReg.SIZE_BYTES).order(ByteOrder.nativeOrder());
        if (opcode == IoUring.IORING_REGISTER_PBUF_RING) {
            wish.putLong(IoUringBufReg.RING_ADDR_OFFSET, entriesAddress);
            wish.putInt(IoUringBufReg.RING_ENTRIES_OFFSET, buffers);
        }
        wish.putShort(IoUringBufReg.BGID_OFFSET, (short) groupId);
        wish.putShort(IoUringBufReg.FLAGS_OFFSET, (short) flags);
        return NativeArgument.pass(kernel, wish, address -> ring.register(opcode, address, 1));
    }

    private void append(int bid) {
        int index = tail & mask;
        int entry = index * IoUringBuf.SIZE_BYTES;
        entries.putLong(entry + IoUringBuf.ADDR_OFFSET, address(bid));
        entries.putInt(entry + IoUringBuf.LEN_OFFSET, bufferBytes);
        entries.putShort(entry + IoUringBuf.BID_OFFSET, (short) bid); // the following bytes may hold the tail
        entryOf[bid] = index;
        tail++;
        free++;
    }

    /** Called after the entries below the tail were written. */
    private void tailRelease() {
        SHORT.setRelease(entries, IoUringBuf.RING_TAIL_OFFSET, (short) tail);
    }

    /** Called once before {@link #recycle}, when the kernel will not write to the buffer any more. */
    public void taken(int bid) {
        if (taken[bid]) {
            throw new IllegalStateException("buffer " + bid + " of group " + groupId + " was taken twice");
        }
        taken[bid] = true;
        free--;
    }

    /** Gives a buffer back to the kernel. Has no effect after {@link #close}. Throws an exception if the kernel already has the buffer. */
    public void recycle(int bid) {
        if (closed) {
            return;
        }
        if (!taken[bid]) {
            throw new IllegalStateException("buffer " + bid + " of group " + groupId + " is with the kernel already");
        }
        taken[bid] = false;
        append(bid);
        tailRelease();
    }

    /** Returns the next buffer of a bundle, which the kernel fills after {@code bid}. Must be called before {@code bid} is recycled. */
    public int following(int bid) {
        int entry = (entryOf[bid] + 1 & mask) * IoUringBuf.SIZE_BYTES;
        return Short.toUnsignedInt(entries.getShort(entry + IoUringBuf.BID_OFFSET));
    }

    /** Returns the memory of a buffer, always as the same object. The owner of the buffer may set its position and limit. */
    public ByteBuffer view(int bid) {
        return views[bid];
    }

    public long address(int bid) {
        return areaAddress + (long) bid * strideBytes;
    }

    /** Number of buffers that the kernel may fill, according to the completions read so far. */
    public int free() {
        return free;
    }

    public int groupId() {
        return groupId;
    }

    public int buffers() {
        return buffers;
    }

    public int bufferBytes() {
        return bufferBytes;
    }

    /** Takes the buffers from the kernel. Only the ring's thread may call this, and no receive may be under way. Idempotent. */
    @Override
    public void close() {
        if (!closed && register(IoUring.IORING_UNREGISTER_PBUF_RING, 0) >= 0) {
            release();
        }
    }

    /** Frees the entries. Called when the kernel does not read them any more. Idempotent. */
    void release() {
        if (!closed) {
            closed = true;
            kernel.munmap(entriesAddress, entriesBytes);
        }
    }
}
