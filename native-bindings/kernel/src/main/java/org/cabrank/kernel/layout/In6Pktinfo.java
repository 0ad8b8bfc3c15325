package org.cabrank.kernel.layout;

/** Layout of {@code struct in6_pktinfo} (ipv6(7)), in bytes: the destination and the interface (32 bits) of an IPv6 datagram. */
public final class In6Pktinfo {
    public static final int SIZE_BYTES = 20;

    public static final int ADDR_OFFSET = 0;
    public static final int IFINDEX_OFFSET = 16;

    private In6Pktinfo() {}
}
