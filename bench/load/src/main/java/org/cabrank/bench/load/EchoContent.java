package org.cabrank.bench.load;

import java.nio.ByteBuffer;

/**
 * Content of requests. Each byte depends on the connection, the sequence number and the position. So a lost, repeated, shifted or wrong
 * answer is found without storing requests. A request that is shorter than a word holds the first bytes of word 1.
 *
 * <pre>
 * 0        4          8                                         size
 * | connection | sequence | words: mix(connection, sequence, i) ... |
 * </pre>
 */
final class EchoContent {

    private static final int WORD_BYTES = Long.BYTES;

    private EchoContent() {}

    /** Writes bytes {@code from} to {@code to} of a request to a little-endian buffer, beginning at its index {@code at}. */
    static void write(ByteBuffer into, int at, int from, int to, int sizeBytes, int connection, int sequence) {
        long head = head(connection, sequence);
        int base = at - from;
        int position = from;
        for (int end = wordsFrom(from, to); position < end; position++) {
            into.put(base + position, expected(head, position, sizeBytes));
        }
        for (; position + WORD_BYTES <= to; position += WORD_BYTES) {
            into.putLong(base + position, word(head, position / WORD_BYTES));
        }
        for (; position < to; position++) {
            into.put(base + position, expected(head, position, sizeBytes));
        }
    }

    /** Checks an answer. The parameters are those of {@link #write}. Returns the position of the first wrong byte, or -1. */
    static int firstWrongByte(
            ByteBuffer answer, int at, int from, int to, int sizeBytes, int connection, int sequence) {
        long head = head(connection, sequence);
        int base = at - from;
        int position = from;
        long difference = 0;
        for (int end = wordsFrom(from, to); position < end; position++) {
            difference |= expected(head, position, sizeBytes) ^ answer.get(base + position);
        }
        for (; position + WORD_BYTES <= to; position += WORD_BYTES) {
            difference |= answer.getLong(base + position) ^ word(head, position / WORD_BYTES);
        }
        for (; position < to; position++) {
            difference |= expected(head, position, sizeBytes) ^ answer.get(base + position);
        }
        return difference == 0 ? -1 : search(answer, base, from, sizeBytes, head);
    }

    private static int search(ByteBuffer answer, int base, int from, int sizeBytes, long head) {
        int position = from;
        while (expected(head, position, sizeBytes) == answer.get(base + position)) {
            position++;
        }
        return position;
    }

    private static int wordsFrom(int from, int to) {
        return Math.min(to, from + WORD_BYTES - 1 & -WORD_BYTES);
    }

    private static byte expected(long head, int position, int sizeBytes) {
        int index = sizeBytes < WORD_BYTES ? 1 : position / WORD_BYTES;
        return (byte) (word(head, index) >>> position % WORD_BYTES * Byte.SIZE);
    }

    private static long head(int connection, int sequence) {
        return (long) sequence << 32 | connection & 0xffff_ffffL;
    }

    private static long word(long head, int index) {
        return index == 0 ? head : mix(head + index * 0x9e37_79b9_7f4a_7c15L);
    }

    /** Finalizer of SplitMix64: every bit of the result depends on every bit of {@code z}. */
    static long mix(long z) {
        long mixed = (z ^ z >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ mixed >>> 31;
    }
}
