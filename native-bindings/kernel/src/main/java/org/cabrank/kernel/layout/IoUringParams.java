package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct io_uring_params} (io_uring_setup(2)), in bytes. All fields have 32 bits. The program sets the flags and sizes.
 * The kernel writes the granted sizes, the features, and the offsets into the mappings ({@code SQ_OFF_} and {@code CQ_OFF_}).
 *
 * <pre>
 * 0            4            8       12              16               20         24      28   40       80       120
 * | sq entries | cq entries | flags | sq thread cpu | sq thread idle | features | wq fd | 0  | sq_off | cq_off |
 * </pre>
 */
public final class IoUringParams {
    public static final int SIZE_BYTES = 120;
    public static final int SQ_ENTRIES_OFFSET = 0;
    /** The kernel reads this only with {@link IoUring#IORING_SETUP_CQSIZE}, but always writes it. */
    public static final int CQ_ENTRIES_OFFSET = 4;

    public static final int FLAGS_OFFSET = 8;

    public static final int FEATURES_OFFSET = 20;

    public static final int SQ_OFF_HEAD_OFFSET = 40;
    public static final int SQ_OFF_TAIL_OFFSET = 44;
    public static final int SQ_OFF_RING_MASK_OFFSET = 48;
    public static final int SQ_OFF_FLAGS_OFFSET = 56;
    /** Not used with {@link IoUring#IORING_SETUP_NO_SQARRAY}. */
    public static final int SQ_OFF_ARRAY_OFFSET = 64;

    public static final int CQ_OFF_HEAD_OFFSET = 80;
    public static final int CQ_OFF_TAIL_OFFSET = 84;
    public static final int CQ_OFF_RING_MASK_OFFSET = 88;
    /** Offset of the number of completions that were lost because the kernel had no memory to keep them. */
    public static final int CQ_OFF_OVERFLOW_OFFSET = 96;

    public static final int CQ_OFF_CQES_OFFSET = 100;

    private IoUringParams() {}
}
