package org.cabrank.kernel.layout;

/** Layout of {@code struct io_uring_buf_reg}, in bytes. Its four fields have 64, 32, 16 and 16 bits. The other bytes are 0. */
public final class IoUringBufReg {
    public static final int SIZE_BYTES = 40;
    /** Page-aligned address of the ring of {@link IoUringBuf}s. */
    public static final int RING_ADDR_OFFSET = 0;

    /** Number of entries: a power of two, at most 32768. */
    public static final int RING_ENTRIES_OFFSET = 8;

    public static final int BGID_OFFSET = 12;

    /** {@code IOU_PBUF_RING_} constants. */
    public static final int FLAGS_OFFSET = 14;

    private IoUringBufReg() {}
}
