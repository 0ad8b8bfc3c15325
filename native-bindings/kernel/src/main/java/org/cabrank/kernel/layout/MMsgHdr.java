package org.cabrank.kernel.layout;

/** Layout of {@code struct mmsghdr} (recvmmsg(2)), in bytes: a {@link MsgHdr} and its length, an element of a batch. */
public final class MMsgHdr {
    public static final int SIZE_BYTES = 64;

    public static final int HDR_OFFSET = 0;
    /** 32 bits: number of bytes of the message, which the kernel writes. */
    public static final int LEN_OFFSET = 56;

    private MMsgHdr() {}
}
