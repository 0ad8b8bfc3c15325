package org.cabrank.bench.http;

/** The character classes of RFC 9110 section 5.6. */
final class HttpChars {

    private static final boolean[] TOKEN = new boolean[128];

    static {
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
    }

    private HttpChars() {}

    /** {@code tchar}: what methods and field names are made of. */
    static boolean token(int c) {
        return c >= 0 && TOKEN[c];
    }

    /** What a request target may hold; bytes above ASCII are let through. */
    static boolean target(int c) {
        return c > ' ' && c != 0x7f || c < 0;
    }

    /** What a field value may hold: visible characters, bytes above ASCII, space and tab. */
    static boolean value(int c) {
        return c >= ' ' && c != 0x7f || c < 0 || c == '\t';
    }

    static boolean space(int c) {
        return c == ' ' || c == '\t';
    }

    static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    }
}
