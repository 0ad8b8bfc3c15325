package org.cabrank.kernel.layout;

/** Layout of {@code struct io_uring_buf}, in bytes: an entry of a buffer ring. Its four fields have 64, 32, 16 and 16 bits. */
public final class IoUringBuf {
    public static final int SIZE_BYTES = 16;
    public static final int ADDR_OFFSET = 0;

    public static final int LEN_OFFSET = 8;

    /** Number of the buffer. A completion that used the buffer has this number. */
    public static final int BID_OFFSET = 12;

    /** Total number of entries that were filled in, modulo 65536. Only the first entry of the ring has this field. */
    public static final int RING_TAIL_OFFSET = 14;

    private IoUringBuf() {}
}
