package org.cabrank.kernel.layout;

/** Layout of {@code struct msghdr} (sendmsg(2)), in bytes. The length of the name and the flags have 32 bits, all other fields 64. */
public final class MsgHdr {
    public static final int SIZE_BYTES = 56;
    /** Address of a socket address, or 0. */
    public static final int NAME_OFFSET = 0;

    public static final int NAMELEN_OFFSET = 8;

    public static final int IOV_OFFSET = 16;

    public static final int IOVLEN_OFFSET = 24;
    public static final int CONTROL_OFFSET = 32;
    public static final int CONTROLLEN_OFFSET = 40;
    public static final int FLAGS_OFFSET = 48;

    private MsgHdr() {}
}
