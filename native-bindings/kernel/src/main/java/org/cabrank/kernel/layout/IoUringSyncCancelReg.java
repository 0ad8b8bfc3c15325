package org.cabrank.kernel.layout;

/** Layout of {@code struct io_uring_sync_cancel_reg} (io_uring_register(2)), in bytes. All bytes after the opcode are 0. */
public final class IoUringSyncCancelReg {
    public static final int SIZE_BYTES = 64;
    /** User data of the request to cancel. Has 64 bits. */
    public static final int ADDR_OFFSET = 0;

    /** With {@code IORING_ASYNC_CANCEL_FD}, the descriptor of the requests to cancel. Descriptor and flags have 32 bits. */
    public static final int FD_OFFSET = 8;

    public static final int FLAGS_OFFSET = 12;

    /** A {@code TimeSpec} with the maximum time to wait for the request to end. If both fields are -1, waits indefinitely. */
    public static final int TIMEOUT_OFFSET = 16;

    /** A field of 8 bits (since Linux 6.6). This library does not use it. */
    public static final int OPCODE_OFFSET = 32;

    private IoUringSyncCancelReg() {}
}
