package org.cabrank.bench.load.datagram;

import java.util.Arrays;

/** Remembers which of the last {@code size} datagrams were answered. It is a ring with one bit for each datagram. Used by one thread. */
final class AnsweredNumbers {

    enum Answer {
        FIRST,
        REPEATED,
        /** The datagram is too old to be remembered, or was never sent. */
        UNKNOWN
    }

    private final long[] bits;
    private final int mask;
    private long end;

    /** @param size number of remembered datagrams; a power of two, at least 64 */
    AnsweredNumbers(int size) {
        bits = new long[size / Long.SIZE];
        mask = size - 1;
    }

    int size() {
        return mask + 1;
    }

    long end() {
        return end;
    }

    /** Called when all datagrams before {@code newEnd} have been sent. Forgets the oldest datagrams. */
    void sentTo(long newEnd) {
        if (newEnd - end >= size()) {
            Arrays.fill(bits, 0);
            end = newEnd;
        }
        for (; end < newEnd; end++) {
            int bit = (int) end & mask;
            bits[bit >>> 6] &= ~(1L << bit);
        }
    }

    Answer answered(long number) {
        if (number < 0 || number >= end || number < end - size()) {
            return Answer.UNKNOWN;
        }
        int bit = (int) number & mask;
        long word = bits[bit >>> 6];
        if ((word & 1L << bit) != 0) {
            return Answer.REPEATED;
        }
        bits[bit >>> 6] = word | 1L << bit;
        return Answer.FIRST;
    }

    /** Returns the number of unanswered datagrams in {@code [from, to)}. All numbers in this range must still be remembered. */
    int missing(long from, long to) {
        int missing = 0;
        for (long number = from; number < to; ) {
            int bit = (int) number & mask;
            int count = (int) Math.min(to - number, Long.SIZE - (bit & Long.SIZE - 1));
            long word = bits[bit >>> 6] >>> bit;
            long wanted = count == Long.SIZE ? -1 : (1L << count) - 1;
            missing += Long.bitCount(~word & wanted);
            number += count;
        }
        return missing;
    }
}
