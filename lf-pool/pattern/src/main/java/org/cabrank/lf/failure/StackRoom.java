package org.cabrank.lf.failure;

/**
 * Checks that enough stack is free before the state of a pool or reactor is changed, because a handler may call the pool from deep inside a
 * recursion. A stack overflow in the middle of a hand-over would lose leadership. This check throws before anything was changed.
 */
public final class StackRoom {
    /** Number of frames that must fit into the stack. The deepest call of the pool's own code, including a logger, has fewer frames. */
    private static final int FRAMES = 128;

    private StackRoom() {}

    /** Throws StackOverflowError unless some kilobytes of stack are left. */
    public static void require() {
        require(FRAMES);
    }

    /** Requires half as much stack. If a caller has called {@link #require} before, this does not fail. */
    public static void requireHalf() {
        require(FRAMES / 2);
    }

    /** Requires twice as much stack, for a caller that changes a state and then calls methods that call {@link #require}. */
    public static void requireDouble() {
        require(FRAMES * 2);
    }

    private static void require(int frames) {
        if (descend(frames, 1, 2, 3) == 0) {
            throw new AssertionError();
        }
    }

    private static long descend(int frames, long a, long b, long c) {
        return frames == 0 ? a | b | c | 1 : descend(frames - 1, b + 1, c + a, a ^ b) | a | b | c | 1;
    }
}
