package org.cabrank.proxy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;

/** Parses and formats IP addresses. It refuses host names, scopes, and leading zeros in IPv4 addresses. */
final class IpLiteral {
    static final int IPV4_BYTES = 4;
    static final int IPV6_BYTES = 16;

    private static final int OCTET_MAX = 255;
    private static final Pattern DECIMAL = Pattern.compile("0|[1-9][0-9]{0,4}");
    private static final Pattern IPV6_GROUPS = Pattern.compile("(?:[0-9a-fA-F]{0,4}:){2,8}[0-9a-fA-F]{0,4}");

    static final int MAPPED_PREFIX_BYTES = 12;

    private static final byte[] MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private IpLiteral() {}

    /** Returns null if the text is not an IPv4 address. */
    static byte[] ipv4(String text) {
        String[] octets = text.split("\\.", -1);
        if (octets.length != IPV4_BYTES) {
            return null;
        }
        byte[] bytes = new byte[IPV4_BYTES];
        for (int i = 0; i < IPV4_BYTES; i++) {
            int octet = decimal(octets[i], OCTET_MAX);
            if (octet < 0) {
                return null;
            }
            bytes[i] = (byte) octet;
        }
        return bytes;
    }

    /** Returns the decimal number, or -1 if the text is not a decimal number, has leading zeros, or exceeds {@code max}. */
    static int decimal(String text, int max) {
        int value = DECIMAL.matcher(text).matches() ? Integer.parseInt(text) : -1;
        return value <= max ? value : -1;
    }

    /** Returns null if the text is not an IPv6 address. The JDK gets only texts with two or more colons, so it looks up no host name. */
    static byte[] ipv6(String text) {
        int last = text.lastIndexOf(':') + 1;
        String groups = ipv4(text.substring(last)) == null ? text : text.substring(0, last);
        if (!IPV6_GROUPS.matcher(groups).matches()) {
            return null;
        }
        try {
            return mapped(InetAddress.getByName(text).getAddress());
        } catch (UnknownHostException none) {
            return null;
        }
    }

    /** Returns an IPv4 address for an IPv4-mapped IPv6 address. */
    static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException neither) {
            throw new IllegalArgumentException("an IP address has 4 or 16 bytes, not " + bytes.length, neither);
        }
    }

    /** Returns the 4 bytes of an IPv4-mapped IPv6 address. Returns other addresses unchanged. */
    static byte[] unmapped(byte[] bytes) {
        boolean mapped = bytes.length == IPV6_BYTES
                && Arrays.equals(bytes, 0, MAPPED_PREFIX_BYTES, MAPPED_PREFIX, 0, MAPPED_PREFIX_BYTES);
        return mapped ? Arrays.copyOfRange(bytes, MAPPED_PREFIX_BYTES, IPV6_BYTES) : bytes;
    }

    static byte[] mapped(byte[] bytes) {
        if (bytes.length == IPV6_BYTES) {
            return bytes;
        }
        byte[] ipv6 = Arrays.copyOf(MAPPED_PREFIX, IPV6_BYTES);
        System.arraycopy(bytes, 0, ipv6, MAPPED_PREFIX_BYTES, IPV4_BYTES);
        return ipv6;
    }

    /** The text of an IPv6 address has 8 groups. No group of zeros is left out. */
    static String text(byte[] bytes) {
        try {
            boolean ipv4 = bytes.length == IPV4_BYTES;
            return (ipv4 ? address(bytes) : Inet6Address.getByAddress(null, bytes, -1)).getHostAddress();
        } catch (UnknownHostException neither) {
            throw new IllegalArgumentException("an IP address has 4 or 16 bytes, not " + bytes.length, neither);
        }
    }
}
