package org.cabrank.bench.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A short word that comes byte by byte, compared without case and without making a string of it. */
final class Word {

    private static final int ROOM_BYTES = 32;

    private final byte[] bytes = new byte[ROOM_BYTES];
    private int length;

    void clear() {
        length = 0;
    }

    boolean empty() {
        return length == 0;
    }

    /** Adds a character. A word that is too long equals no known word. */
    void add(int c) {
        if (length < ROOM_BYTES) {
            bytes[length] = (byte) HttpChars.lower(c);
        }
        length++;
    }

    boolean is(byte[] lowerCase) {
        return length == lowerCase.length && Arrays.equals(bytes, 0, length, lowerCase, 0, length);
    }

    static byte[] known(String lowerCase) {
        return lowerCase.getBytes(StandardCharsets.US_ASCII);
    }
}
