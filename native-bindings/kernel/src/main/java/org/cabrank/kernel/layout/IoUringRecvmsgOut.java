package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct io_uring_recvmsg_out}, in bytes: four 32-bit fields. A multishot recvmsg (Linux 6.0) writes them to a provided
 * buffer. The name, the control data and the payload follow. The {@link MsgHdr} of the request has the room for name and control data.
 */
public final class IoUringRecvmsgOut {
    public static final int SIZE_BYTES = 16;

    /** Length of the name. Larger than the room if the name was cut. */
    public static final int NAMELEN_OFFSET = 0;

    public static final int CONTROLLEN_OFFSET = 4;

    /** Length of the payload. Larger than the room if the payload was cut. */
    public static final int PAYLOADLEN_OFFSET = 8;

    /** {@code MSG_TRUNC} and other flags of recvmsg(2). */
    public static final int FLAGS_OFFSET = 12;

    private IoUringRecvmsgOut() {}
}
