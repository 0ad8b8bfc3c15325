package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct cmsghdr} (cmsg(3)), in bytes. The data follow at once; the next header begins at a multiple of 8 bytes.
 *
 * <pre>
 * 0       8        12      16
 * | len   | level  | type  | data ...
 * </pre>
 */
public final class CmsgHdr {
    public static final int SIZE_BYTES = 16;
    /** {@code size_t}, with the header and without the padding behind the data. */
    public static final int LEN_OFFSET = 0;

    /** {@code int}, {@code Sockets.SOL_SOCKET} for descriptors. */
    public static final int LEVEL_OFFSET = 8;

    /** {@code int}, {@code Sockets.SCM_RIGHTS} for descriptors. */
    public static final int TYPE_OFFSET = 12;

    private CmsgHdr() {}
}
