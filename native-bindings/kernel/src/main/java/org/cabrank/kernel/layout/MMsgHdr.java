package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct mmsghdr} (recvmmsg(2)), in bytes: a message of a batch.
 *
 * <pre>
 * 0        56    60        64
 * | hdr    | len | padding |
 * </pre>
 */
public final class MMsgHdr {
    public static final int SIZE_BYTES = 64;

    /** A {@link MsgHdr}. */
    public static final int HDR_OFFSET = 0;
    /** Number of bytes of the message, {@code unsigned int}; written by the kernel. */
    public static final int LEN_OFFSET = 56;

    private MMsgHdr() {}
}
