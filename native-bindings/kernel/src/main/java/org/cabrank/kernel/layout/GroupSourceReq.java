package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct group_source_req} (ip(7), RFC 3678), in bytes: a source of a multicast group on an interface.
 *
 * <pre>
 * 0           4         8         136      264
 * | interface | padding | group   | source |
 * </pre>
 */
public final class GroupSourceReq {
    public static final int SIZE_BYTES = 264;

    /** Index of the interface, {@code uint32_t}; 0: the kernel chooses. */
    public static final int INTERFACE_OFFSET = 0;
    /** A socket address; the port is of no meaning. */
    public static final int GROUP_OFFSET = 8;
    /** A socket address; the port is of no meaning. */
    public static final int SOURCE_OFFSET = 136;

    private GroupSourceReq() {}
}
