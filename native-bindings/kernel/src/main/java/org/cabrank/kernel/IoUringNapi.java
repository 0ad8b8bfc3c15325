package org.cabrank.kernel;

/**
 * Layout of {@code struct io_uring_napi} ({@link IoUring#IORING_REGISTER_NAPI}), in bytes.
 *
 * <pre>
 * 0               4                   5    16
 * | busy poll to  | prefer busy poll  | 0  |
 * </pre>
 */
public final class IoUringNapi {
    public static final int SIZE_BYTES = 16;
    /** {@code __u32}, for how many us to look at the devices before sleeping. */
    public static final int BUSY_POLL_TO_OFFSET = 0;

    /** {@code __u8}, 1: the devices leave it to these looks, rather than to interrupts. */
    public static final int PREFER_BUSY_POLL_OFFSET = 4;

    private IoUringNapi() {}
}
