package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct io_uring_buf_reg} ({@link IoUring#IORING_REGISTER_PBUF_RING}), in bytes: a buffer ring of a group.
 *
 * <pre>
 * 0            8              12           14      16   40
 * | ring addr  | ring entries | group      | flags | 0  |
 * </pre>
 */
public final class IoUringBufReg {
    public static final int SIZE_BYTES = 40;
    /** {@code __u64}, the page-aligned address of the ring of {@link IoUringBuf}s. */
    public static final int RING_ADDR_OFFSET = 0;

    /** {@code __u32}, a power of two, at most 32768. */
    public static final int RING_ENTRIES_OFFSET = 8;

    /** {@code __u16}, the group. */
    public static final int BGID_OFFSET = 12;

    /** {@code __u16}, of the {@code IOU_PBUF_RING_} constants. */
    public static final int FLAGS_OFFSET = 14;

    private IoUringBufReg() {}
}
