package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct io_uring_probe} ({@link IoUring#IORING_REGISTER_PROBE}), in bytes. It must be zero when the kernel
 * gets it, and the count is that of the operations that there is room for, 256 at most.
 *
 * <pre>
 * 0         1         2    16                  24
 * | last op | ops len | 0  | operation 0       | operation 1 ...
 *                          0     1    2        4    8
 *                          | op  | 0  | flags  | 0  |
 * </pre>
 */
public final class IoUringProbe {
    /** Without the operations. */
    public static final int SIZE_BYTES = 16;

    /** {@code __u8}, the highest opcode that the kernel knows. */
    public static final int LAST_OP_OFFSET = 0;

    /** {@code __u8}, how many operations it has written. */
    public static final int OPS_LEN_OFFSET = 1;

    /** Offset of the entry of operation 0; each entry takes {@link #OP_SIZE_BYTES}. */
    public static final int OPS_OFFSET = 16;

    public static final int OP_SIZE_BYTES = 8;
    /** Offset in an operation: {@code __u8}, its opcode. */
    public static final int OP_OP_OFFSET = 0;

    /** Offset in an operation: {@code __u16}, {@link IoUring#IO_URING_OP_SUPPORTED} or 0. */
    public static final int OP_FLAGS_OFFSET = 2;

    private IoUringProbe() {}
}
