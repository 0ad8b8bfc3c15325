package org.cabrank.kernel.layout;

/** Layout of {@code struct io_uring_rsrc_update} ({@link IoUring#IORING_REGISTER_RING_FDS}), in bytes. */
public final class IoUringRsrcUpdate {
    public static final int SIZE_BYTES = 16;
    /** Index (32 bits). If all bits are 1, the kernel writes a free index here. The next 32 bits are 0. */
    public static final int OFFSET_OFFSET = 0;

    public static final int DATA_OFFSET = 8;

    private IoUringRsrcUpdate() {}
}
