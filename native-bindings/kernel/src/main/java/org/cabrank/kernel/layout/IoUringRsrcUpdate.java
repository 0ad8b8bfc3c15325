package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct io_uring_rsrc_update} ({@link IoUring#IORING_REGISTER_RING_FDS}), in bytes.
 *
 * <pre>
 * 0         4    8       16
 * | offset  | 0  | data  |
 * </pre>
 */
public final class IoUringRsrcUpdate {
    public static final int SIZE_BYTES = 16;
    /** {@code __u32}, the index; all ones: any that is free, which is written back. */
    public static final int OFFSET_OFFSET = 0;

    /** {@code __u64}, the descriptor. */
    public static final int DATA_OFFSET = 8;

    private IoUringRsrcUpdate() {}
}
