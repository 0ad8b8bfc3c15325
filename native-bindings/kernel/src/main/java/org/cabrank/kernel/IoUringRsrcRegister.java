package org.cabrank.kernel;

/**
 * Layout of {@code struct io_uring_rsrc_register} ({@link IoUring#IORING_REGISTER_FILES2}), in bytes.
 *
 * <pre>
 * 0    4       8    16      24      32
 * | nr | flags | 0  | data  | tags  |
 * </pre>
 */
public final class IoUringRsrcRegister {
    public static final int SIZE_BYTES = 32;
    /** {@code __u32}, how many. */
    public static final int NR_OFFSET = 0;

    /** {@code __u32}, {@link IoUring#IORING_RSRC_REGISTER_SPARSE} or 0. */
    public static final int FLAGS_OFFSET = 4;

    /** {@code __u64}, the address of an array of descriptors, or 0. */
    public static final int DATA_OFFSET = 16;

    /** {@code __u64}, the address of an array of tags, or 0. */
    public static final int TAGS_OFFSET = 24;

    private IoUringRsrcRegister() {}
}
