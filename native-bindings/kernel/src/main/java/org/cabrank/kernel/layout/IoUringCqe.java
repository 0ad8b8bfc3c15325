package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct io_uring_cqe} (io_uring(7)), in bytes: one completion.
 *
 * <pre>
 * 0            8        12      16
 * | user data  | res    | flags |
 * </pre>
 */
public final class IoUringCqe {
    public static final int SIZE_BYTES = 16;
    /** {@code __u64}, as the submission had it. */
    public static final int USER_DATA_OFFSET = 0;

    /** {@code __s32}, what the system call of that name returns, or {@code -errno}. */
    public static final int RES_OFFSET = 8;

    /** {@code __u32}, of the {@code IORING_CQE_F_} constants; the number of a buffer in the upper half. */
    public static final int FLAGS_OFFSET = 12;

    private IoUringCqe() {}
}
