package org.cabrank.kernel;

/**
 * Layout of {@code struct io_uring_napi} ({@link IoUring#IORING_REGISTER_NAPI}), in bytes. Before Linux 6.13 all bytes from
 * {@link #OPCODE_OFFSET} on must be 0.
 *
 * <pre>
 * 0               4                   5         6   8           12   16
 * | busy poll to  | prefer busy poll  | opcode  | 0 | parameter | 0  |
 * </pre>
 */
public final class IoUringNapi {
    public static final int SIZE_BYTES = 16;
    /** {@code __u32}, for how many us to look at the devices before sleeping. */
    public static final int BUSY_POLL_TO_OFFSET = 0;

    /** {@code __u8}, 1: the devices leave it to these looks, rather than to interrupts. */
    public static final int PREFER_BUSY_POLL_OFFSET = 4;

    /** {@code __u8}, an {@code IO_URING_NAPI_} operation (6.13). */
    public static final int OPCODE_OFFSET = 5;

    /** {@code __u32}, the kind of tracking, or the NAPI id that is added or removed (6.13). */
    public static final int OP_PARAM_OFFSET = 8;

    private IoUringNapi() {}
}
