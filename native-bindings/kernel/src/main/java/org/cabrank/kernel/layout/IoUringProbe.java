package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct io_uring_probe} ({@link IoUring#IORING_REGISTER_PROBE}), in bytes. The program sets all bytes to 0 before the
 * call. The argument {@code count} is the number of operations that fit into the memory, at most 256.
 *
 * <pre>
 * 0         1         2    16                  24
 * | last op | ops len | 0  | operation 0       | operation 1 ...
 *                          0     1    2        4    8
 *                          | op  | 0  | flags  | 0  |
 * </pre>
 */
public final class IoUringProbe {
    /** Size without the operations. */
    public static final int SIZE_BYTES = 16;

    /** The highest opcode that the kernel knows. */
    public static final int LAST_OP_OFFSET = 0;

    public static final int OPS_LEN_OFFSET = 1;

    public static final int OPS_OFFSET = 16;

    public static final int OP_SIZE_BYTES = 8;
    public static final int OP_OP_OFFSET = 0;

    /** Offset in an operation: {@link IoUring#IO_URING_OP_SUPPORTED} or 0. */
    public static final int OP_FLAGS_OFFSET = 2;

    private IoUringProbe() {}
}
