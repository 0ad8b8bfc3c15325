package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct io_uring_sqe} (io_uring_enter(2)), in bytes: one submission. A field that its operation does not use must be 0.
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
    public static final int OPCODE_OFFSET = 0;

    public static final int FLAGS_OFFSET = 1;

    /** {@code IORING_} flags of an accept, a send and a receive. */
    public static final int IOPRIO_OFFSET = 2;

    /** A descriptor, or the index of a registered file. */
    public static final int FD_OFFSET = 4;

    public static final int OFF_OFFSET = 8;

    public static final int ADDR_OFFSET = 16;

    /** A size in bytes or a count. For a poll, {@code IORING_POLL_} flags. */
    public static final int LEN_OFFSET = 24;

    /** {@code MSG_} flags of a send or receive, {@code SOCK_} flags of an accept, the events of a poll. */
    public static final int OP_FLAGS_OFFSET = 28;

    public static final int USER_DATA_OFFSET = 32;

    /** The index of a registered buffer, or the group that a buffer is selected from. */
    public static final int BUF_INDEX_OFFSET = 40;

    /** Number of registered credentials. If 0, the operation has the credentials of the submitter. */
    public static final int PERSONALITY_OFFSET = 42;

    /**
     * For an operation that registers a file, the index of the file plus 1, or {@link IoUring#IORING_FILE_INDEX_ALLOC} for any free index.
     * For a splice, the source. For a send, the lower half is the size of the address.
     */
    public static final int FILE_INDEX_OFFSET = 44;

    public static final int ADDR3_OFFSET = 48;

    private IoUringSqe() {}
}
