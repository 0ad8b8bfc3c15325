package org.cabrank.socket.contract;

import java.nio.ByteBuffer;
import java.util.Random;

/**
 * Frames whose every byte is known by their number and the place in it: a byte that is lost, doubled, overtaken or of another
 * connection is found where it stands.
 *
 * <pre>
 *  frame:  bytes of the payload (int) | number (long) | payload
 *  answer: number (long) | bytes of the payload (int) | sum of the payload's bytes (int)
 * </pre>
 */
final class BulkFrames {
    static final int HEADER_BYTES = Integer.BYTES + Long.BYTES;
    static final int ANSWER_BYTES = Long.BYTES + 2 * Integer.BYTES;

    private static final int SIZE_MAX_LOG = 22;

    private final long seed;

    /** @param seed differs for each connection */
    BulkFrames(long seed) {
        this.seed = seed;
    }

    /** From 1 byte to 4 MiB, each power of two equally often. */
    static int size(Random random) {
        int least = 1 << random.nextInt(SIZE_MAX_LOG);
        return least + random.nextInt(least) + random.nextInt(2);
    }

    /** The eight bytes of the payload from {@code at}, a multiple of 8, the lowest byte first (the finalizer of SplitMix64). */
    private long word(long number, int at) {
        long mixed = seed + number * 0x9e3779b97f4a7c15L + at;
        mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }

    /** Writes the payload of this frame from {@code at} on, until {@code to} is full. Returns the sum of the bytes. */
    int write(long number, int at, ByteBuffer to) {
        int sum = 0;
        long word = word(number, at & -Long.BYTES);
        for (int i = at; to.hasRemaining(); i++) {
            if ((i & Long.BYTES - 1) == 0) {
                word = word(number, i);
            }
            byte value = (byte) (word >>> 8 * (i & Long.BYTES - 1));
            to.put(value);
            sum += value;
        }
        return sum;
    }

    /** Reads {@code count} bytes of the payload, which begin at {@code at} of this frame. Returns their sum. */
    int check(long number, int at, ByteBuffer from, int count) {
        int sum = 0;
        long word = word(number, at & -Long.BYTES);
        for (int i = at; i < at + count; i++) {
            if ((i & Long.BYTES - 1) == 0) {
                word = word(number, i);
            }
            byte value = from.get();
            if (value != (byte) (word >>> 8 * (i & Long.BYTES - 1))) {
                throw new AssertionError("byte " + i + " of frame " + number + " is " + value);
            }
            sum += value;
        }
        return sum;
    }
}
