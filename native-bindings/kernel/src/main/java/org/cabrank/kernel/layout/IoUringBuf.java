package org.cabrank.kernel.layout;

/** Layout of {@code struct io_uring_buf} (io_uring_register(2)), in bytes: an entry of a buffer ring, fields of 64, 32, 16, 16 bits. */
public final class IoUringBuf {
    public static final int SIZE_BYTES = 16;
    public static final int ADDR_OFFSET = 0;

    public static final int LEN_OFFSET = 8;

    /** Number of the buffer in completions. */
    public static final int BID_OFFSET = 12;

    /** In the first entry only: total number of entries that were filled in, modulo 65536. */
    public static final int RING_TAIL_OFFSET = 14;

    private IoUringBuf() {}
}
