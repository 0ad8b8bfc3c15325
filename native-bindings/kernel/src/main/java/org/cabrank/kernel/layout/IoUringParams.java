package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct io_uring_params} (io_uring_setup(2)), in bytes. All fields that are named here have 32 bits. The
 * program fills in flags and sizes; the kernel writes back the sizes that it granted, the features, and
 * where each part of the rings is in their mappings.
 *
 * <pre>
 * 0            4            8       12              16               20         24      28   40       80       120
 * | sq entries | cq entries | flags | sq thread cpu | sq thread idle | features | wq fd | 0  | sq_off | cq_off |
 * </pre>
 *
 * <p>{@code SQ_OFF_} and {@code CQ_OFF_} are offsets in here, as all are; what stands there is an offset in the mapping.
 */
public final class IoUringParams {
    public static final int SIZE_BYTES = 120;
    public static final int SQ_ENTRIES_OFFSET = 0;
    /** Taken with {@link IoUring#IORING_SETUP_CQSIZE}, and always written. */
    public static final int CQ_ENTRIES_OFFSET = 4;

    /** Input flags, {@code IORING_SETUP_} constants. */
    public static final int FLAGS_OFFSET = 8;

    /** Features of the kernel, {@code IORING_FEAT_} constants. */
    public static final int FEATURES_OFFSET = 20;

    public static final int SQ_OFF_HEAD_OFFSET = 40;
    public static final int SQ_OFF_TAIL_OFFSET = 44;
    public static final int SQ_OFF_RING_MASK_OFFSET = 48;
    public static final int SQ_OFF_FLAGS_OFFSET = 56;
    /** Nothing is there with {@link IoUring#IORING_SETUP_NO_SQARRAY}. */
    public static final int SQ_OFF_ARRAY_OFFSET = 64;

    public static final int CQ_OFF_HEAD_OFFSET = 80;
    public static final int CQ_OFF_TAIL_OFFSET = 84;
    public static final int CQ_OFF_RING_MASK_OFFSET = 88;
    /** Offset of the counter of completions that were lost because the kernel had no memory to keep them. */
    public static final int CQ_OFF_OVERFLOW_OFFSET = 96;

    public static final int CQ_OFF_CQES_OFFSET = 100;

    private IoUringParams() {}
}
