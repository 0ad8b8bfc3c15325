package org.cabrank.kernel.layout;

import java.nio.ByteBuffer;

/**
 * A {@code sigset_t} (sigset_t(3type)) in a buffer from index 0 on: one bit per signal, signal 1 in the lowest bit of the first byte. The
 * type of the C library has 128 bytes; the kernel reads the first 8. Methods throw IllegalArgumentException for an invalid signal number.
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
