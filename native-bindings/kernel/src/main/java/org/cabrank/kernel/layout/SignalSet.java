package org.cabrank.kernel.layout;

import java.nio.ByteBuffer;

/**
 * A {@code sigset_t} (sigset_t(3type)) of the C library in a buffer: one bit per signal, signal 1 in the lowest bit of
 * the first byte. The C library's is 128 bytes wide, the kernel looks at the first 8.
 */
public final class SignalSet {
    public static final int SIZE_BYTES = 128;

    /** Signals are numbered from 1 to this. */
    public static final int MAX_SIGNAL = 64;

    private SignalSet() {}

    /**
     * Adds a signal to the set that starts at index 0 of {@code set}.
     *
     * @throws IllegalArgumentException for a number that is no signal
     */
    public static void add(ByteBuffer set, int signal) {
        int index = byteIndex(signal);
        set.put(index, (byte) (set.get(index) | bit(signal)));
    }

    /**
     * Returns true if the signal is in the set that starts at index 0 of {@code set}.
     *
     * @throws IllegalArgumentException if {@code signal} is not the number of a signal
     */
    public static boolean contains(ByteBuffer set, int signal) {
        return (set.get(byteIndex(signal)) & bit(signal)) != 0;
    }

    // Both ABIs are little-endian, so the word that the kernel sees and these bytes number the bits alike.
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
