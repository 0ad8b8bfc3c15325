package org.cabrank.kernel.layout;

/** Layout of {@code struct io_uring_buf} (io_uring_register(2)), in bytes: an entry of a buffer ring. 64, 32, 16 and 16 bits. */
public final class IoUringBuf {
    public static final int SIZE_BYTES = 16;
    public static final int ADDR_OFFSET = 0;

    public static final int LEN_OFFSET = 8;

    /** Number by which completions name the buffer. */
    public static final int BID_OFFSET = 12;

    /** Only in the first entry: number of entries of the ring that were ever filled in, modulo 65536. */
    public static final int RING_TAIL_OFFSET = 14;

    private IoUringBuf() {}
}
