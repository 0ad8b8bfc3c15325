package org.cabrank.http.wire;

/** The character classes of RFC 9110 section 5.6 and RFC 3986. */
public final class HttpChars {

    private static final boolean[] TOKEN = new boolean[128];
    private static final boolean[] TARGET = new boolean[256];
    private static final boolean[] REGISTERED_NAME = new boolean[128];

    static {
        for (int c = 0x80; c < TARGET.length; c++) {
            TARGET[c] = true;
        }
        for (char c = '0'; c <= '9'; c++) {
            TOKEN[c] = true;
        }
        for (char c = 'a'; c <= 'z'; c++) {
            TOKEN[c] = true;
            TOKEN[Character.toUpperCase(c)] = true;
        }
        for (char c : "!#$%&'*+-.^_`|~".toCharArray()) {
            TOKEN[c] = true;
        }
        for (char c = '!'; c < 0x7f; c++) {
            TARGET[c] = c != '#';
            REGISTERED_NAME[c] = Character.isLetterOrDigit(c) || "-._~!$&'()*+,;=".indexOf(c) >= 0;
        }
    }

    private HttpChars() {}

    /** {@code tchar}: what methods and field names are made of. */
    public static boolean token(int c) {
        return c >= 0 && TOKEN[c];
    }

    /**
     * Path and query: visible ASCII without {@code #}, and bytes above ASCII. More than RFC 3986 allows, because browsers and curl leave
     * quotation marks, angle brackets, brackets, braces, bars, backslashes, circumflexes, backticks, percent signs and UTF-8 as they are
     * (https://url.spec.whatwg.org/#percent-encoded-bytes).
     */
    static boolean target(int c) {
        return TARGET[c & 0xff];
    }

    /** {@code reg-name} of RFC 3986 section 3.2.2, but for encoded bytes. */
    static boolean registeredName(int c) {
        return c >= 0 && REGISTERED_NAME[c];
    }

    /** The value of a hexadecimal digit; -1 for other bytes. */
    static int hexDigit(int c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int letter = lower(c);
        return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
    }

    /** Returns true if a field value may contain the character: visible characters, bytes above ASCII, space and tab. */
    public static boolean value(int c) {
        return c >= ' ' && c != 0x7f || c < 0 || c == '\t';
    }

    static boolean space(int c) {
        return c == ' ' || c == '\t';
    }

    public static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    }
}
