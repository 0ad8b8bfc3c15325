package org.cabrank.bench.load;

import java.nio.ByteBuffer;

/** Content of a stream: word i is {@code seed + i * GOLDEN}. No word repeats within 2^64 words, so every lost or moved piece is found. */
final class StreamContent {

    private static final int WORD_BYTES = Long.BYTES;
    private static final long GOLDEN = 0x9e37_79b9_7f4a_7c15L;

    private StreamContent() {}

    static void write(ByteBuffer into, int count, long seed, long position) {
        int at = 0;
        for (int end = wordsAt(position, count); at < end; at++) {
            into.put(at, expected(seed, position + at));
        }
        for (long word = word(seed, position + at); at + WORD_BYTES <= count; at += WORD_BYTES) {
            into.putLong(at, word);
            word += GOLDEN;
        }
        for (; at < count; at++) {
            into.put(at, expected(seed, position + at));
        }
    }

    static int firstWrongByte(ByteBuffer from, int count, long seed, long position) {
        int at = 0;
        long difference = 0;
        for (int end = wordsAt(position, count); at < end; at++) {
            difference |= from.get(at) ^ expected(seed, position + at);
        }
        for (long word = word(seed, position + at); at + WORD_BYTES <= count; at += WORD_BYTES) {
            difference |= from.getLong(at) ^ word;
            word += GOLDEN;
        }
        for (; at < count; at++) {
            difference |= from.get(at) ^ expected(seed, position + at);
        }
        return difference == 0 ? -1 : search(from, seed, position);
    }

    private static int search(ByteBuffer from, long seed, long position) {
        int at = 0;
        while (from.get(at) == expected(seed, position + at)) {
            at++;
        }
        return at;
    }

    private static int wordsAt(long position, int count) {
        return (int) Math.min(count, -position & WORD_BYTES - 1);
    }

    private static byte expected(long seed, long position) {
        return (byte) (word(seed, position) >>> ((position & WORD_BYTES - 1) << 3));
    }

    private static long word(long seed, long position) {
        return seed + (position >>> 3) * GOLDEN;
    }
}
