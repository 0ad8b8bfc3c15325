package org.cabrank.kernel.layout;

/** Layout of {@code struct io_uring_rsrc_update} ({@link IoUring#IORING_REGISTER_RING_FDS}), in bytes. */
public final class IoUringRsrcUpdate {
    public static final int SIZE_BYTES = 16;
    /** 32 bits; all ones: any free index, which is written back. 32 bits of 0 follow, then 64 bits with the descriptor. */
    public static final int OFFSET_OFFSET = 0;

    public static final int DATA_OFFSET = 8;

    private IoUringRsrcUpdate() {}
}
