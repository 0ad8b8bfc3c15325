package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct io_uring_sync_cancel_reg} ({@link IoUring#IORING_REGISTER_SYNC_CANCEL}), in bytes.
 *
 * <pre>
 * 0       8    12      16                  32        33   64
 * | addr  | fd | flags | timeout           | opcode  | 0  |
 * </pre>
 */
public final class IoUringSyncCancelReg {
    public static final int SIZE_BYTES = 64;
    /** {@code __u64}, the user data of the request. */
    public static final int ADDR_OFFSET = 0;

    /** {@code __s32}, the descriptor, with {@code IORING_ASYNC_CANCEL_FD}. */
    public static final int FD_OFFSET = 8;

    /** {@code __u32}, of the {@code IORING_ASYNC_CANCEL_} constants. */
    public static final int FLAGS_OFFSET = 12;

    /** A {@code TimeSpec} with the maximum time to wait for the request to end; both fields -1: wait indefinitely. */
    public static final int TIMEOUT_OFFSET = 16;

    /** {@code __u8} (6.6), not used. */
    public static final int OPCODE_OFFSET = 32;

    private IoUringSyncCancelReg() {}
}
