package org.cabrank.kernel.layout;

/** Layout of {@code struct io_uring_sync_cancel_reg} ({@link IoUring#IORING_REGISTER_SYNC_CANCEL}), in bytes. Zeros follow the opcode. */
public final class IoUringSyncCancelReg {
    public static final int SIZE_BYTES = 64;
    /** 64 bits: user data of the request. */
    public static final int ADDR_OFFSET = 0;

    /** 32 bits, like the flags: the descriptor, with {@code IORING_ASYNC_CANCEL_FD}. */
    public static final int FD_OFFSET = 8;

    public static final int FLAGS_OFFSET = 12;

    /** A {@code TimeSpec} with the maximum time to wait for the request to end. If both fields are -1, waits indefinitely. */
    public static final int TIMEOUT_OFFSET = 16;

    /** 8 bits; since Linux 6.6; not used here. */
    public static final int OPCODE_OFFSET = 32;

    private IoUringSyncCancelReg() {}
}
