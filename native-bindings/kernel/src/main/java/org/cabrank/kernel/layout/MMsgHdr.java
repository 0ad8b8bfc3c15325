package org.cabrank.kernel.layout;

/** Layout of {@code struct mmsghdr} (recvmmsg(2)), in bytes: a {@link MsgHdr} and the length of the message. */
public final class MMsgHdr {
    public static final int SIZE_BYTES = 64;

    public static final int HDR_OFFSET = 0;
    /** Number of bytes of the message, written by the kernel. Has 32 bits. */
    public static final int LEN_OFFSET = 56;

    private MMsgHdr() {}
}
