package org.cabrank.kernel.layout;

/** Layout of {@code struct in6_pktinfo} (ipv6(7)), in bytes: the destination of an IPv6 datagram, and the 32-bit index of its interface. */
public final class In6Pktinfo {
    public static final int SIZE_BYTES = 20;

    public static final int ADDR_OFFSET = 0;
    public static final int IFINDEX_OFFSET = 16;

    private In6Pktinfo() {}
}
