package org.cabrank.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Text of IP addresses, read strictly: no host names, no leading zeros in IPv4 addresses, no scopes. */
final class IpLiteral {
    static final int IPV4_BYTES = 4;
    static final int IPV6_BYTES = 16;

    private static final int OCTET_DIGITS_MAX = 3;
    private static final int OCTET_MAX = 255;
    private static final int GROUPS = 8;
    private static final int GROUP_DIGITS_MAX = 4;
    private static final int HEX = 16;

    /** Length of the prefix of IPv6 addresses that hold an IPv4 address, ::ffff:0:0/96. */
    static final int MAPPED_PREFIX_BYTES = 12;

    private static final byte[] MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private IpLiteral() {}

    /** Returns the 4 bytes of an IPv4 address; null: the text is none. */
    static byte[] ipv4(String text) {
        String[] octets = text.split("\\.", -1);
        if (octets.length != IPV4_BYTES) {
            return null;
        }
        byte[] bytes = new byte[IPV4_BYTES];
        for (int i = 0; i < IPV4_BYTES; i++) {
            int octet = decimal(octets[i], OCTET_DIGITS_MAX, OCTET_MAX);
            if (octet < 0) {
                return null;
            }
            bytes[i] = (byte) octet;
        }
        return bytes;
    }

    /** Returns the value of a decimal number without leading zeros, from 0 to {@code max}; negative: the text is none. */
    static int decimal(String text, int digitsMax, int max) {
        if (text.isEmpty() || text.length() > digitsMax || text.length() > 1 && text.charAt(0) == '0') {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            value = 10 * value + digit - '0';
        }
        return value <= max ? value : -1;
    }

    /** Returns the 16 bytes of an IPv6 address, whose last 4 bytes may be written as an IPv4 address; null: the text is none. */
    static byte[] ipv6(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            byte[] all = groups(text, true);
            return all != null && all.length == IPV6_BYTES ? all : null;
        }
        byte[] head = groups(text.substring(0, gap), false);
        byte[] tail = groups(text.substring(gap + 2), true); // a second gap is an empty group in it
        if (head == null || tail == null || head.length + tail.length > IPV6_BYTES - Short.BYTES) {
            return null;
        }
        byte[] bytes = Arrays.copyOf(head, IPV6_BYTES);
        System.arraycopy(tail, 0, bytes, IPV6_BYTES - tail.length, tail.length);
        return bytes;
    }

    /** Returns the bytes of groups between colons, none for the empty text; null: the text is malformed. */
    private static byte[] groups(String text, boolean mayEndWithIpv4) {
        if (text.isEmpty()) {
            return new byte[0];
        }
        String[] parts = text.split(":", -1);
        if (parts.length > GROUPS) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.allocate(Short.BYTES * (parts.length + 1));
        for (int i = 0; i < parts.length; i++) {
            boolean last = i == parts.length - 1;
            byte[] octets = last && mayEndWithIpv4 ? ipv4(parts[i]) : null;
            int group = octets == null ? group(parts[i]) : 0;
            if (group < 0) {
                return null;
            }
            if (octets == null) {
                bytes.putShort((short) group);
            } else {
                bytes.put(octets);
            }
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private static int group(String text) {
        if (text.isEmpty() || text.length() > GROUP_DIGITS_MAX) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int digit = c < 0x80 ? Character.digit(c, HEX) : -1;
            if (digit < 0) {
                return -1;
            }
            value = HEX * value + digit;
        }
        return value;
    }

    /** Returns the address of 4 or 16 bytes; an IPv4 address inside an IPv6 one is returned as IPv4. */
    static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException neither) {
            throw new IllegalArgumentException("an IP address has 4 or 16 bytes, not " + bytes.length, neither);
        }
    }

    /** Returns the 4 bytes of an IPv4 address inside an IPv6 one; any other address unchanged. */
    static byte[] unmapped(byte[] bytes) {
        boolean mapped = bytes.length == IPV6_BYTES
                && Arrays.equals(bytes, 0, MAPPED_PREFIX_BYTES, MAPPED_PREFIX, 0, MAPPED_PREFIX_BYTES);
        return mapped ? Arrays.copyOfRange(bytes, MAPPED_PREFIX_BYTES, IPV6_BYTES) : bytes;
    }

    /** Returns the 16 bytes of an IPv6 address: an IPv4 address is put inside one. */
    static byte[] mapped(byte[] bytes) {
        if (bytes.length == IPV6_BYTES) {
            return bytes;
        }
        byte[] ipv6 = Arrays.copyOf(MAPPED_PREFIX, IPV6_BYTES);
        System.arraycopy(bytes, 0, ipv6, MAPPED_PREFIX_BYTES, IPV4_BYTES);
        return ipv6;
    }

    /** Returns the text of an address of 4 or 16 bytes. That of an IPv6 address has 8 groups, without a gap. */
    static String text(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        if (bytes.length == IPV4_BYTES) {
            for (byte octet : bytes) {
                text.append(text.length() == 0 ? "" : ".").append(octet & OCTET_MAX);
            }
        } else {
            for (int i = 0; i < bytes.length; i += Short.BYTES) {
                int group = (bytes[i] & OCTET_MAX) << Byte.SIZE | bytes[i + 1] & OCTET_MAX;
                text.append(i == 0 ? "" : ":").append(Integer.toHexString(group));
            }
        }
        return text.toString();
    }
}
