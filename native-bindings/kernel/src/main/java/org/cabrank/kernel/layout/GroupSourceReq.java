package org.cabrank.kernel.layout;

/** Layout of {@code struct group_source_req} (ip(7), RFC 3678), in bytes: a {@link GroupReq} and the socket address of a source. */
public final class GroupSourceReq {
    public static final int SIZE_BYTES = 264;

    public static final int INTERFACE_OFFSET = 0;
    public static final int GROUP_OFFSET = 8;
    public static final int SOURCE_OFFSET = 136;

    private GroupSourceReq() {}
}
