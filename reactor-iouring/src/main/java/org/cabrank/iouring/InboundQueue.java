package org.cabrank.iouring;

import java.util.function.UnaryOperator;

/**
 * Bytes that a ring has received for one connection and that its claim holder has not taken yet: pieces of provided buffers, in
 * order, and behind them the end. The watcher adds, the claim holder takes; both are the ring's thread.
 *
 * <p>A piece is a {@code long}:
 *
 * <pre>
 *  63        48 47       24 23        0
 * +------------+-----------+-----------+
 * |  buffer id |   offset  |   bytes   |
 * +------------+-----------+-----------+
 * </pre>
 */
final class InboundQueue {
    /** There is nothing. */
    static final long NOTHING = -1;

    /** All was taken, and there will be no more: see {@link #endResult}. */
    static final long END = -2;

    /** End of a queue that has lost bytes because the shard had no memory for them; no {@code -errno}. */
    static final int NO_MEMORY = Integer.MIN_VALUE;

    /** The buffer id of a piece whose bytes were copied, so that the ring has its buffer back. */
    static final int COPIED = 0xffff;

    private static final int BUFFER_SHIFT = 48;
    private static final int OFFSET_SHIFT = 24;
    private static final int FIELD_MASK = (1 << 24) - 1;

    /** No result of a receive that has ended: those are 0 or {@code -errno}. */
    private static final int NO_END = 1;

    private static final int INITIAL = 4;

    private int count;

    /** If there is one. */
    private long oldest;

    /** The others, from {@link #first} on; null before there are some: who keeps up with the peer has no use for it. */
    private long[] others;

    private int first;
    private int end = NO_END;

    static long piece(int bufferId, int offset, int bytes) {
        return (long) bufferId << BUFFER_SHIFT | (long) offset << OFFSET_SHIFT | bytes;
    }

    /** Returns true if {@link #poll} has answered a piece. */
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

    /** Called by the watcher. Returns false if the queue has ended: the piece is not taken, and its buffer is the caller's to release. */
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
     * Notes that nothing comes behind the pieces in the queue. The first error stays. An error replaces an orderly end, because pieces in
     * front of that end may be lost later.
     *
     * @param result 0: the peer has ended its output; {@code -errno}; or {@link #NO_MEMORY}
     */
    void end(int result) {
        if (end >= 0) {
            end = result;
        }
    }

    /** Claim holder: the oldest piece, {@link #NOTHING} or {@link #END}. */
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

    /** Result of the end of receiving, when {@link #poll} has returned END: 0, {@code -errno} or {@link #NO_MEMORY}. */
    int endResult() {
        return end;
    }

    /** Returns true if the queue has ended with {@code -errno} or {@link #NO_MEMORY}. */
    boolean hasFailed() {
        return end < 0;
    }

    boolean hasEnded() {
        return end != NO_END;
    }

    /** All pieces were taken, and nothing comes behind them. */
    boolean isAtEnd() {
        return count == 0 && end != NO_END;
    }

    /** Neither pieces nor an end. */
    boolean isEmpty() {
        return count == 0 && end == NO_END;
    }

    /** Watcher: the piece that was added last, or {@link #NOTHING}. */
    long youngest() {
        if (count < 2) {
            return count == 0 ? NOTHING : oldest;
        }
        return others[(first + count - 2) & (others.length - 1)];
    }

    /** Pieces that are waiting. */
    int size() {
        return count;
    }

    /**
     * Replaces all pieces by other pieces for the same bytes. Called by the watcher.
     *
     * @param replacement takes all pieces in their order and returns the pieces that replace them
     */
    void replaceAll(UnaryOperator<long[]> replacement) {
        long[] present = new long[count];
        for (int i = 0; i < present.length; i++) {
            present[i] = poll();
        }
        others = null; // many pieces are rare, so their array is freed
        first = 0;
        for (long piece : replacement.apply(present)) {
            append(piece);
        }
    }
}
