package org.cabrank.http.wire;

/** Checks the text of an IPv6 address (RFC 3986 section 3.2.2) byte by byte, without its brackets. Allocates nothing. */
final class Ipv6Address {
    private static final int GROUPS = 8;
    private static final int GROUP_DIGITS_MAX = 4;
    private static final int OCTET_DIGITS_MAX = 3;
    private static final int OCTET_MAX = 255;
    private static final int DOTS = 3;
    private static final int NO_OCTET = 1_000;

    private int groups;
    private int digits;
    /** Colons directly before the next byte. */
    private int colons;
    /** The address has its "::", which stands for one group of zeros or more. */
    private boolean compressed;

    private int dots;
    /** The digits since the last colon or dot as a decimal number; {@link #NO_OCTET} if they are none. */
    private int octet;

    void clear() {
        groups = 0;
        colons = 0;
        compressed = false;
        dots = 0;
        beginDigits();
    }

    private void beginDigits() {
        digits = 0;
        octet = 0;
    }

    /** Takes the next byte; returns false if it cannot stand there. */
    boolean add(int c) {
        if (c == ':') {
            return colon();
        }
        return c == '.' ? dot() : digit(c);
    }

    private boolean colon() {
        if (dots > 0) {
            return false;
        }
        if (digits > 0) {
            groups++;
            beginDigits();
            colons = 1;
            return groups < GROUPS;
        }
        colons++;
        if (colons == 2 && !compressed) {
            compressed = true;
            return true;
        }
        return colons == 1 && groups == 0; // the first of the two that an address may begin with
    }

    private boolean dot() {
        dots++;
        boolean octetBefore = digits > 0 && octet <= OCTET_MAX;
        beginDigits();
        return octetBefore && dots <= DOTS;
    }

    private boolean digit(int c) {
        int value = HttpChars.hexDigit(c);
        if (value < 0 || groups == 0 && colons == 1) {
            return false;
        }
        boolean leadingZero = digits > 0 && octet == 0;
        colons = 0;
        digits++;
        if (value > 9 || leadingZero || digits > OCTET_DIGITS_MAX) {
            octet = NO_OCTET;
        } else if (octet != NO_OCTET) {
            octet = octet * 10 + value;
        }
        return dots > 0 ? octet <= OCTET_MAX : digits <= GROUP_DIGITS_MAX;
    }

    /** Returns true if the bytes so far are an address. */
    boolean end() {
        if (digits == 0 && colons != 2 || dots > 0 && (dots != DOTS || digits == 0)) {
            return false;
        }
        int all = groups + (dots > 0 ? 2 : digits > 0 ? 1 : 0);
        return compressed ? all < GROUPS : all == GROUPS;
    }
}
