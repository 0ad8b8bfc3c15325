package org.cabrank.kernel.layout;

/** Layout of {@code struct io_uring_cqe} (io_uring(7)), in bytes: one completion. Its three fields have 64, 32 and 32 bits. */
public final class IoUringCqe {
    public static final int SIZE_BYTES = 16;
    public static final int USER_DATA_OFFSET = 0;

    /** Signed result of the operation, equal to the result of its system call. {@code -errno} if the operation failed. */
    public static final int RES_OFFSET = 8;

    /** {@code IORING_CQE_F_} constants, and the number of a buffer in the upper half. */
    public static final int FLAGS_OFFSET = 12;

    private IoUringCqe() {}
}
