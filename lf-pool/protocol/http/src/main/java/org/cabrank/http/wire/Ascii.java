package org.cabrank.http.wire;

import java.nio.ByteBuffer;

/** Comparisons of received bytes that allocate nothing. */
final class Ascii {
    private Ascii() {}

    /** Returns true if the bytes are {@code text}, where letters are equal in either case. */
    static boolean isIgnoringCase(ByteBuffer bytes, int from, int length, String text) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            int c = bytes.get(from + i) & 0xff;
            int other = text.charAt(i);
            if (c != other && HttpChars.lower(c) != HttpChars.lower(other)) {
                return false;
            }
        }
        return true;
    }
}
