package org.cabrank.http.wire;

import java.nio.ByteBuffer;

/**
 * Checks the field Host and the target of a request (RFC 9112 section 3.2). The target is a path, an absolute http or https URI, {@code *}
 * for OPTIONS, or {@code host:port} for CONNECT. Allocates nothing.
 */
final class TargetSyntax {
    private static final int PORT_MAX = 65_535;
    private static final int GROUPS = 8;
    private static final int GROUP_DIGITS_MAX = 4;
    private static final int OCTETS = 4;
    private static final int OCTET_DIGITS_MAX = 3;
    private static final int OCTET_MAX = 255;

    private TargetSyntax() {}

    /** The caller has checked each byte with {@link HttpChars#target}. */
    static boolean isTarget(ByteBuffer bytes, int from, int to, boolean isConnect, boolean isOptions) {
        if (isConnect) {
            return isAuthority(bytes, from, to) && hostEnd(bytes, from, to) + 1 < to;
        }
        if (from == to || bytes.get(from) == '/') {
            return from < to;
        }
        if (bytes.get(from) == '*') {
            return isOptions && from + 1 == to;
        }
        int scheme = HttpChars.find(bytes, from, to, ":");
        boolean known = HttpChars.isIgnoringCase(bytes, from, scheme - from, "http")
                || HttpChars.isIgnoringCase(bytes, from, scheme - from, "https");
        int authority = scheme + "://".length();
        if (!known || authority >= to || !HttpChars.is(bytes, scheme, authority - scheme, "://")) {
            return false;
        }
        int end = HttpChars.find(bytes, authority, to, "/?");
        return end > authority && isAuthority(bytes, authority, end);
    }

    /** Returns true for a host with an optional port, or an empty text. Refuses user information and IPvFuture addresses. */
    static boolean isAuthority(ByteBuffer bytes, int from, int to) {
        int host = hostEnd(bytes, from, to);
        if (host == to) {
            return true;
        }
        boolean valid = host > from && bytes.get(host) == ':';
        int port = 0;
        for (int at = host + 1; at < to && valid; at++) {
            int digit = bytes.get(at) - '0';
            port = port * 10 + digit;
            valid = digit >= 0 && digit <= 9 && port <= PORT_MAX;
        }
        return valid;
    }

    /** Returns the place behind the host; -1 if the host is malformed. */
    private static int hostEnd(ByteBuffer bytes, int from, int to) {
        if (from < to && bytes.get(from) == '[') {
            int end = HttpChars.find(bytes, from, to, "]");
            return end < to && isIpv6(bytes, from + 1, end) ? end + 1 : -1;
        }
        int at = from;
        for (; at < to && bytes.get(at) != ':'; at++) {
            if (bytes.get(at) == '%' && at + 2 < to && isHex(bytes.get(at + 1)) && isHex(bytes.get(at + 2))) {
                at += 2;
            } else if (!HttpChars.registeredName(bytes.get(at))) {
                return -1;
            }
        }
        return at;
    }

    private static boolean isHex(int c) {
        return Character.digit(c, 16) >= 0;
    }

    private static boolean isIpv6(ByteBuffer bytes, int from, int to) {
        boolean gap = to - from >= 2 && HttpChars.is(bytes, from, 2, "::");
        int at = gap ? from + 2 : from;
        int groups = 0;
        while (at < to) {
            int start = at;
            while (at < to && isHex(bytes.get(at))) {
                at++;
            }
            if (at < to && bytes.get(at) == '.') { // the last two groups may be written as an IPv4 address
                return isIpv4(bytes, start, to) && (gap ? groups + 2 < GROUPS : groups + 2 == GROUPS);
            }
            groups++;
            if (at == start || at - start > GROUP_DIGITS_MAX || at < to && bytes.get(at) != ':' || at + 1 == to) {
                return false;
            }
            at++;
            if (at < to && bytes.get(at) == ':') {
                if (gap) {
                    return false;
                }
                gap = true;
                at++;
            }
        }
        return gap ? groups < GROUPS : groups == GROUPS;
    }

    private static boolean isIpv4(ByteBuffer bytes, int from, int to) {
        int start = from;
        for (int octet = 1; octet <= OCTETS; octet++) {
            int at = start;
            int value = 0;
            for (; at < to && bytes.get(at) >= '0' && bytes.get(at) <= '9'; at++) {
                value = value * 10 + bytes.get(at) - '0';
            }
            int digits = at - start;
            boolean leadingZero = digits > 1 && bytes.get(start) == '0';
            boolean ended = octet == OCTETS ? at == to : at < to && bytes.get(at) == '.';
            if (digits == 0 || digits > OCTET_DIGITS_MAX || value > OCTET_MAX || leadingZero || !ended) {
                return false;
            }
            start = at + 1;
        }
        return true;
    }
}
