package org.cabrank.kernel.layout;

/** Layout of {@code struct ip_mreqn} (ip(7)), in bytes: three 32-bit fields. The address or the index selects the interface. */
public final class IpMreqn {
    public static final int SIZE_BYTES = 12;

    public static final int ADDRESS_OFFSET = 4;
    public static final int IFINDEX_OFFSET = 8;

    private IpMreqn() {}
}
