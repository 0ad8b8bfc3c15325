package org.cabrank.iouring;

import java.util.function.UnaryOperator;

/**
 * Pieces of provided buffers that a ring has received for one connection, and after them the end of the input. The watcher adds pieces, and
 * the claim holder takes them. In a set with several threads, both hold the lock of {@link Relief}. A piece is a {@code long}:
 *
 * <pre>
 *  63        48 47       24 23        0
 * |  buffer id |   offset  |   bytes   |
 * </pre>
 */
final class InboundQueue {
    static final long NOTHING = -1;

    /** Result of {@link #poll} if all pieces were taken and no more will arrive. {@link #endResult} has the reason. */
    static final long END = -2;

    /** Argument of {@link #end} if bytes were lost because memory was lacking. No {@code -errno} has this value. */
    static final int NO_MEMORY = Integer.MIN_VALUE;

    /** Buffer id of a copied piece. The buffer of the piece was returned to the ring. */
    static final int COPIED = 0xffff;

    private static final int BUFFER_SHIFT = 48;
    private static final int OFFSET_SHIFT = 24;
    private static final int FIELD_MASK = (1 << 24) - 1;

    private static final int NO_END = 1;

    private static final int INITIAL = 4;

    private int count;

    private long oldest;

    private long[] others;

    private int first;
    private int end = NO_END;

    static long piece(int bufferId, int offset, int bytes) {
        return (long) bufferId << BUFFER_SHIFT | (long) offset << OFFSET_SHIFT | bytes;
    }

    static boolean isPiece(long polled) {
        return polled != NOTHING && polled != END;
    }

    static int bufferId(long piece) {
        return (int) (piece >>> BUFFER_SHIFT);
    }

    static int offset(long piece) {
        return (int) (piece >>> OFFSET_SHIFT) & FIELD_MASK;
    }

    static int bytes(long piece) {
        return (int) piece & FIELD_MASK;
    }

    /** Returns false if the queue has ended. The caller must then release the buffer of the piece. */
    boolean add(long piece) {
        if (end != NO_END) {
            return false;
        }
        append(piece);
        return true;
    }

    private void append(long piece) {
        if (count == 0) {
            oldest = piece;
        } else {
            appendOther(piece);
        }
        count++;
    }

    private void appendOther(long piece) {
        int waiting = count - 1;
        if (others == null) {
            others = new long[INITIAL];
        } else if (waiting == others.length) {
            long[] grown = new long[2 * waiting];
            for (int i = 0; i < waiting; i++) {
                grown[i] = others[(first + i) & (waiting - 1)];
            }
            others = grown;
            first = 0;
        }
        others[(first + waiting) & (others.length - 1)] = piece;
    }

    /**
     * Adds the end. The result is 0 at an orderly end, {@code -errno} after a failure, or {@link #NO_MEMORY}. Only the first error counts.
     * An error replaces an orderly end, because queued pieces may be lost after the end was added.
     */
    void end(int result) {
        if (end >= 0) {
            end = result;
        }
    }

    /** Returns the oldest piece, {@link #NOTHING} or {@link #END}. */
    long poll() {
        if (count == 0) {
            return end == NO_END ? NOTHING : END;
        }
        long piece = oldest;
        count--;
        if (count > 0) {
            oldest = others[first];
            first = (first + 1) & (others.length - 1);
        }
        return piece;
    }

    int endResult() {
        return end;
    }

    boolean hasFailed() {
        return end < 0;
    }

    boolean hasEnded() {
        return end != NO_END;
    }

    boolean isAtEnd() {
        return count == 0 && end != NO_END;
    }

    boolean isEmpty() {
        return count == 0 && end == NO_END;
    }

    long youngest() {
        if (count < 2) {
            return count == 0 ? NOTHING : oldest;
        }
        return others[(first + count - 2) & (others.length - 1)];
    }

    int size() {
        return count;
    }

    /** Replaces all pieces by the pieces that {@code replacement} returns. The new pieces have the same bytes. */
    void replaceAll(UnaryOperator<long[]> replacement) {
        long[] present = new long[count];
        for (int i = 0; i < present.length; i++) {
            present[i] = poll();
        }
        others = null; // frees the array, because many pieces are rare
        first = 0;
        for (long piece : replacement.apply(present)) {
            append(piece);
        }
    }
}
