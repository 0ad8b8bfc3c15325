package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct io_uring_recvmsg_out}, which a multishot receive of messages writes at the begin of a provided buffer
 * (Linux 6.0, io_uring_prep_recvmsg_multishot(3)), in bytes. Behind the structure stand the name, the control data and the payload; the
 * first two have the room that the {@link MsgHdr} of the request names.
 *
 * <pre>
 * 0         4            8            12      16
 * | namelen | controllen | payloadlen | flags |
 * </pre>
 */
public final class IoUringRecvmsgOut {
    public static final int SIZE_BYTES = 16;

    /** {@code __u32}, length of the name; larger than its room if the name is cut. */
    public static final int NAMELEN_OFFSET = 0;

    /** {@code __u32}, length of the control data. */
    public static final int CONTROLLEN_OFFSET = 4;

    /** {@code __u32}, length of the payload; larger than its room if the payload is cut. */
    public static final int PAYLOADLEN_OFFSET = 8;

    /** {@code __u32}, {@code MSG_TRUNC} and other flags of recvmsg(2). */
    public static final int FLAGS_OFFSET = 12;

    private IoUringRecvmsgOut() {}
}
