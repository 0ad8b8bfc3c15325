package org.cabrank.kernel.layout;

import java.nio.ByteBuffer;

/**
 * A {@code sigset_t} (sigset_t(3type)) in a buffer from index 0 on: one bit per signal, signal 1 in the lowest bit of the first byte. The C
 * library's has 128 bytes; the kernel reads the first 8. An {@link IllegalArgumentException} refuses a number that is no signal.
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
