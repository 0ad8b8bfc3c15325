package org.cabrank.kernel.layout;

/** Layout of {@code struct in_pktinfo} (ip(7)), in bytes: the interface and the addresses of an IPv4 datagram, 32 bits each. */
public final class InPktinfo {
    public static final int SIZE_BYTES = 12;

    public static final int IFINDEX_OFFSET = 0;
    /** Local address from which to answer a received datagram. */
    public static final int SPEC_DST_OFFSET = 4;
    /** Destination address in the header of a received datagram. */
    public static final int ADDR_OFFSET = 8;

    private InPktinfo() {}
}
