package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct io_uring_sqe} (io_uring_enter(2)), in bytes: one submission. A field that an operation does not
 * use must be 0.
 *
 * <pre>
 * 0        1       2        4    8              16             24
 * | opcode | flags | ioprio | fd | off, addr2   | addr         |
 * 24       28              32                   40         42            44           48
 * | len    | its flags     | user data          | buffer     | personality | file index |
 * 48                       56                   64
 * | addr3                  | 0                  |
 * </pre>
 */
public final class IoUringSqe {
    public static final int SIZE_BYTES = 64;
    /** {@code __u8}, one of the {@code IORING_OP_} constants of {@link IoUring}. */
    public static final int OPCODE_OFFSET = 0;

    /** {@code __u8}, of the {@code IOSQE_} constants. */
    public static final int FLAGS_OFFSET = 1;

    /** {@code __u16}; of an accept, a send and a receive, their {@code IORING_} flags. */
    public static final int IOPRIO_OFFSET = 2;

    /** {@code __s32}, a descriptor, or the index of a registered file. */
    public static final int FD_OFFSET = 4;

    /** {@code __u64}, an offset in a file, or a second address. */
    public static final int OFF_OFFSET = 8;

    /** {@code __u64}, the address of the data, or of what describes it. */
    public static final int ADDR_OFFSET = 16;

    /** {@code __u32}, a size in bytes or a count; of a poll, its {@code IORING_POLL_} flags. */
    public static final int LEN_OFFSET = 24;

    /** {@code __u32}, the flags of the operation: {@code MSG_} of a send or receive, {@code SOCK_} of an accept, the events of a poll. */
    public static final int OP_FLAGS_OFFSET = 28;

    /** {@code __u64}, handed back untouched in every completion. */
    public static final int USER_DATA_OFFSET = 32;

    /** {@code __u16}, the index of a registered buffer, or the group that a buffer is selected from. */
    public static final int BUF_INDEX_OFFSET = 40;

    /** {@code __u16}, registered credentials; 0: those of the submitter. */
    public static final int PERSONALITY_OFFSET = 42;

    /** {@code __u32}, one more than the place among the registered files that takes a new one, or {@link IoUring#IORING_FILE_INDEX_ALLOC}; of a splice, its source; of a send, the size of the address in the lower half. */
    public static final int FILE_INDEX_OFFSET = 44;

    /** {@code __u64}, a third address. */
    public static final int ADDR3_OFFSET = 48;

    private IoUringSqe() {}
}
