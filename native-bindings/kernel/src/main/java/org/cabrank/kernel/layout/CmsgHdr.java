package org.cabrank.kernel.layout;

/** Layout of {@code struct cmsghdr} (cmsg(3)), in bytes. The data follow without a gap. The next header begins at a multiple of 8 bytes. */
public final class CmsgHdr {
    public static final int SIZE_BYTES = 16;
    /** Length of header and data, without the padding behind the data. */
    public static final int LEN_OFFSET = 0;

    public static final int LEVEL_OFFSET = 8;

    public static final int TYPE_OFFSET = 12;

    private CmsgHdr() {}
}
