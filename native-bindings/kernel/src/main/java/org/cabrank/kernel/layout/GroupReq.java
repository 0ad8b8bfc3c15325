package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct group_req} (ip(7), RFC 3678), in bytes: an interface (32-bit index; 0: the kernel chooses), and the socket
 * address of a multicast group. The port of the address is ignored.
 */
public final class GroupReq {
    public static final int SIZE_BYTES = 136;

    public static final int INTERFACE_OFFSET = 0;
    public static final int GROUP_OFFSET = 8;

    private GroupReq() {}
}
