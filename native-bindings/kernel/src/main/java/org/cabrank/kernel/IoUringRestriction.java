package org.cabrank.kernel;

/**
 * Layout of {@code struct io_uring_restriction} ({@link IoUring#IORING_REGISTER_RESTRICTIONS}, which takes an array of them), in
 * bytes.
 *
 * <pre>
 * 0        2           3   16
 * | opcode | what      | 0 |
 * </pre>
 */
public final class IoUringRestriction {
    public static final int SIZE_BYTES = 16;
    /** {@code __u16}, an {@code IORING_RESTRICTION_} constant. */
    public static final int OPCODE_OFFSET = 0;

    /** {@code __u8}, by the opcode: an {@code IORING_OP_}, an {@code IORING_REGISTER_} operation, or {@code IOSQE_} flags. */
    public static final int SQE_OP_OFFSET = 2;

    private IoUringRestriction() {}
}
