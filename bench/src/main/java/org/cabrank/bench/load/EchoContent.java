package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The bytes of a request: a function of connection, sequence number and position, so that an answer that was lost, mixed
 * up, repeated or shifted cannot look right. Nothing needs to be remembered to verify it.
 *
 * <pre>
 * 0        4          8                                         size
 * | connection | sequence | words: mix(connection, sequence, i) ... |
 * </pre>
 *
 * A request shorter than a word holds the first bytes of word 1 instead, which also depend on all three.
 */
final class EchoContent {

    private static final int WORD_BYTES = Long.BYTES;

    private EchoContent() {}

    /** Writes a request of {@code sizeBytes} at index 0; the buffer is little-endian. */
    static void write(ByteBuffer into, int sizeBytes, int connection, int sequence) {
        int words = sizeBytes / WORD_BYTES;
        long head = head(connection, sequence);
        for (int i = 0; i < words; i++) {
            into.putLong(i * WORD_BYTES, word(head, i));
        }
        long last = word(head, words + (words == 0 ? 1 : 0));
        for (int at = words * WORD_BYTES; at < sizeBytes; at++) {
            into.put(at, (byte) last);
            last >>>= 8;
        }
    }

    /** The index of the first byte that is not what {@link #write} would have written, or -1 when all are right. */
    static int firstWrongByte(ByteBuffer answer, int sizeBytes, int connection, int sequence) {
        int words = sizeBytes / WORD_BYTES;
        long head = head(connection, sequence);
        long difference = 0;
        for (int i = 0; i < words; i++) {
            difference |= answer.getLong(i * WORD_BYTES) ^ word(head, i);
        }
        long last = word(head, words + (words == 0 ? 1 : 0));
        for (int at = words * WORD_BYTES; at < sizeBytes; at++) {
            difference |= (byte) last ^ answer.get(at);
            last >>>= 8;
        }
        return difference == 0 ? -1 : search(answer, sizeBytes, connection, sequence);
    }

    private static int search(ByteBuffer answer, int sizeBytes, int connection, int sequence) {
        ByteBuffer expected = ByteBuffer.allocate(sizeBytes + WORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        write(expected, sizeBytes, connection, sequence);
        for (int at = 0; at < sizeBytes; at++) {
            if (expected.get(at) != answer.get(at)) {
                return at;
            }
        }
        throw new IllegalStateException("a difference was seen that is not there");
    }

    private static long head(int connection, int sequence) {
        return (long) sequence << 32 | connection & 0xffff_ffffL;
    }

    private static long word(long head, int index) {
        return index == 0 ? head : mix(head + index * 0x9e37_79b9_7f4a_7c15L);
    }

    /** Every bit of the result depends on every bit of {@code z} (the finalizer of SplitMix64). */
    static long mix(long z) {
        long mixed = (z ^ z >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ mixed >>> 31;
    }
}
