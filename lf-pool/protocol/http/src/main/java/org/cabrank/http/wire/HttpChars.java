package org.cabrank.http.wire;

import java.nio.ByteBuffer;

/** The character classes of RFC 9110 section 5.6 and RFC 3986, and comparisons of received bytes. Allocates nothing. */
final class HttpChars {
    private static final int TOKEN = 1;
    private static final int TARGET = 2;
    private static final int REGISTERED_NAME = 4;
    private static final int VALUE = 8;
    private static final byte[] CLASSES = new byte[256];

    static {
        for (int c = 0; c < CLASSES.length; c++) {
            boolean alphanumeric = c < 0x7f && Character.isLetterOrDigit(c);
            boolean visible = c > ' ' && c != 0x7f;
            note(c, TOKEN, alphanumeric || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
            note(c, TARGET, visible && c != '#');
            note(c, REGISTERED_NAME, alphanumeric || "-._~!$&'()*+,;=".indexOf(c) >= 0);
            note(c, VALUE, visible || c == ' ' || c == '\t');
        }
    }

    private HttpChars() {}

    private static void note(int c, int ofClass, boolean isMember) {
        CLASSES[c] |= (byte) (isMember ? ofClass : 0);
    }

    /** Returns true for the characters of methods and field names ({@code tchar}). */
    static boolean token(int c) {
        return (CLASSES[c & 0xff] & TOKEN) != 0;
    }

    /**
     * Returns true for bytes of paths and queries: visible ASCII without {@code #}, and bytes above ASCII. RFC 3986 allows fewer, but
     * browsers and curl send quotation marks, brackets and bars without encoding (https://url.spec.whatwg.org/#percent-encoded-bytes).
     */
    static boolean target(int c) {
        return (CLASSES[c & 0xff] & TARGET) != 0;
    }

    /** Returns true for characters of a {@code reg-name} (RFC 3986 section 3.2.2), except percent signs. */
    static boolean registeredName(int c) {
        return (CLASSES[c & 0xff] & REGISTERED_NAME) != 0;
    }

    /** Returns true for the characters of field values: visible characters, bytes above ASCII, space and tab. */
    static boolean value(int c) {
        return (CLASSES[c & 0xff] & VALUE) != 0;
    }

    static boolean space(int c) {
        return c == ' ' || c == '\t';
    }

    private static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    }

    static boolean is(ByteBuffer bytes, int from, int length, String text) {
        boolean equal = text.length() == length;
        for (int i = 0; i < length && equal; i++) {
            equal = (bytes.get(from + i) & 0xff) == text.charAt(i);
        }
        return equal;
    }

    static boolean isIgnoringCase(ByteBuffer bytes, int from, int length, String text) {
        boolean equal = text.length() == length;
        for (int i = 0; i < length && equal; i++) {
            int c = bytes.get(from + i) & 0xff;
            equal = c == text.charAt(i) || lower(c) == lower(text.charAt(i));
        }
        return equal;
    }

    /** Returns true if an element of a list, without the space around it, is {@code text}, ignoring the case of letters. */
    static boolean isElement(ByteBuffer bytes, int from, int to, String text) {
        int first = from;
        int last = to;
        while (first < last && space(bytes.get(first))) {
            first++;
        }
        while (last > first && space(bytes.get(last - 1))) {
            last--;
        }
        return isIgnoringCase(bytes, first, last - first, text);
    }

    static int find(ByteBuffer bytes, int from, int to, String wanted) {
        int at = from;
        while (at < to && wanted.indexOf(bytes.get(at)) < 0) {
            at++;
        }
        return at;
    }
}
