package org.cabrank.proxy;

import java.util.Objects;

/** Addresses with the same first {@code prefixBits} bits. {@code prefix} has 4 or 16 bytes, and its remaining bits are 0. */
record CidrBlock(byte[] prefix, int prefixBits) {
    private static final int MAPPED_PREFIX_BITS = IpLiteral.MAPPED_PREFIX_BYTES * Byte.SIZE;

    /**
     * Parses a block such as 10.0.0.0/8 or fd00::/8, or a single address such as ::1. Returns a block of IPv4 addresses if all addresses
     * are IPv4-mapped. Throws IllegalArgumentException if the text is not a block.
     */
    static CidrBlock parse(String text) {
        Objects.requireNonNull(text, "block");
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        byte[] bytes = address.indexOf(':') < 0 ? IpLiteral.ipv4(address) : IpLiteral.ipv6(address);
        if (bytes == null) {
            throw new IllegalArgumentException("'" + text
                    + "' does not begin with an IP address; a block is written as 10.0.0.0/8, fd00::/8 or ::1");
        }
        int bitsMax = bytes.length * Byte.SIZE;
        int bits = slash < 0 ? bitsMax : IpLiteral.decimal(text.substring(slash + 1), bitsMax);
        if (bits < 0) {
            throw new IllegalArgumentException("'" + text + "' has no prefix length from 0 to " + bitsMax);
        }
        requireZerosBehind(bytes, bits, text);
        byte[] unmapped = IpLiteral.unmapped(bytes);
        return unmapped != bytes && bits >= MAPPED_PREFIX_BITS
                ? new CidrBlock(unmapped, bits - MAPPED_PREFIX_BITS)
                : new CidrBlock(bytes, bits);
    }

    private static void requireZerosBehind(byte[] address, int bits, String text) {
        byte[] prefix = address.clone();
        boolean zeros = true;
        for (int bit = bits; bit < address.length * Byte.SIZE; bit++) {
            int mask = 0x80 >>> bit % Byte.SIZE;
            zeros &= (prefix[bit / Byte.SIZE] & mask) == 0;
            prefix[bit / Byte.SIZE] &= (byte) ~mask;
        }
        if (!zeros) {
            throw new IllegalArgumentException("'" + text + "' has bits behind its prefix; the block is "
                    + IpLiteral.text(prefix) + "/" + bits + ", or leave out the prefix length for one address");
        }
    }

    /** @param address 4 or 16 bytes. An IPv4-mapped IPv6 address must have 4 bytes. */
    boolean contains(byte[] address) {
        if (address.length != prefix.length) {
            return false;
        }
        for (int i = 0; i < address.length; i++) {
            int bits = Math.max(0, Math.min(Byte.SIZE, prefixBits - i * Byte.SIZE));
            int mask = 0xff << Byte.SIZE - bits;
            if (((address[i] ^ prefix[i]) & mask & 0xff) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return IpLiteral.text(prefix) + "/" + prefixBits;
    }
}
