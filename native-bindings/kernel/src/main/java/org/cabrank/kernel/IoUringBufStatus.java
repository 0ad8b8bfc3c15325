package org.cabrank.kernel;

/**
 * Layout of {@code struct io_uring_buf_status} ({@link IoUring#IORING_REGISTER_PBUF_STATUS}), in bytes.
 *
 * <pre>
 * 0        4      8    40
 * | group  | head | 0  |
 * </pre>
 */
public final class IoUringBufStatus {
    public static final int SIZE_BYTES = 40;
    /** {@code __u32}, the group that is asked for. */
    public static final int BUF_GROUP_OFFSET = 0;

    /** {@code __u32}, how many entries of its ring the kernel has taken, modulo 65536. */
    public static final int HEAD_OFFSET = 4;

    private IoUringBufStatus() {}
}
