package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct msghdr} (sendmsg(2)), in bytes.
 *
 * <pre>
 * 0       8         16     24        32         40           48      56
 * | name  | namelen | iov  | iovlen  | control  | controllen | flags |
 * </pre>
 */
public final class MsgHdr {
    public static final int SIZE_BYTES = 56;
    /** The address of a socket address, or 0. */
    public static final int NAME_OFFSET = 0;

    /** {@code socklen_t}, 32 bits. */
    public static final int NAMELEN_OFFSET = 8;

    /** The address of an array of {@link IoVec}. */
    public static final int IOV_OFFSET = 16;

    public static final int IOVLEN_OFFSET = 24;
    public static final int CONTROL_OFFSET = 32;
    public static final int CONTROLLEN_OFFSET = 40;
    /** {@code int}, written by a receive. */
    public static final int FLAGS_OFFSET = 48;

    private MsgHdr() {}
}
