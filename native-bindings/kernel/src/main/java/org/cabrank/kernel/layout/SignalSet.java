package org.cabrank.kernel.layout;

import java.nio.ByteBuffer;

/**
 * Methods for a {@code sigset_t} at index 0 of a buffer. Signal 1 is the lowest bit of the first byte. The C library's {@code sigset_t} has
 * 128 bytes. The kernel reads 8 of them. Methods throw IllegalArgumentException for an invalid signal number.
 */
public final class SignalSet {
    public static final int SIZE_BYTES = 128;

    public static final int MAX_SIGNAL = 64;

    private SignalSet() {}

    public static void add(ByteBuffer set, int signal) {
        int index = byteIndex(signal);
        set.put(index, (byte) (set.get(index) | bit(signal)));
    }

    public static boolean contains(ByteBuffer set, int signal) {
        return (set.get(byteIndex(signal)) & bit(signal)) != 0;
    }

    // Both ABIs are little-endian, so bits have the same numbers in these bytes and in the word that the kernel reads.
    private static int byteIndex(int signal) {
        if (signal < 1 || signal > MAX_SIGNAL) {
            throw new IllegalArgumentException("signals are numbered from 1 to " + MAX_SIGNAL + ", not " + signal);
        }
        return (signal - 1) >> 3;
    }

    private static int bit(int signal) {
        return 1 << ((signal - 1) & 7);
    }
}
