package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct group_req} (ip(7), RFC 3678), in bytes: a multicast group on an interface.
 *
 * <pre>
 * 0           4         8         136
 * | interface | padding | group   |
 * </pre>
 */
public final class GroupReq {
    public static final int SIZE_BYTES = 136;

    /** Index of the interface, {@code uint32_t}; 0: the kernel chooses. */
    public static final int INTERFACE_OFFSET = 0;
    /** A socket address; the port is of no meaning. */
    public static final int GROUP_OFFSET = 8;

    private GroupReq() {}
}
