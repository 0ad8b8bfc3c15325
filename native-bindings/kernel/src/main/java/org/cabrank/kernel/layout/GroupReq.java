package org.cabrank.kernel.layout;

/** Layout of {@code struct group_req} (RFC 3678), in bytes. If the interface (32 bits) is 0, the kernel chooses it. The port is ignored. */
public final class GroupReq {
    public static final int SIZE_BYTES = 136;

    public static final int INTERFACE_OFFSET = 0;
    public static final int GROUP_OFFSET = 8;

    private GroupReq() {}
}
