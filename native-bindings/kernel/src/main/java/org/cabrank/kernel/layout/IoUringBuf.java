package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct io_uring_buf} (io_uring_register(2)), in bytes: one entry of a buffer ring. The ring's tail takes
 * the place of the two bytes that the first entry has left.
 *
 * <pre>
 * 0       8      12    14                                  16
 * | addr  | len  | bid | in the first entry: the ring's tail |
 * </pre>
 */
public final class IoUringBuf {
    public static final int SIZE_BYTES = 16;
    /** {@code __u64}, where the buffer is. */
    public static final int ADDR_OFFSET = 0;

    /** {@code __u32}, how many bytes it has. */
    public static final int LEN_OFFSET = 8;

    /** {@code __u16}, its number, which completions name it by. */
    public static final int BID_OFFSET = 12;

    /** {@code __u16}, from the start of the ring: how many entries were ever filled in, modulo 65536. */
    public static final int RING_TAIL_OFFSET = 14;

    private IoUringBuf() {}
}
