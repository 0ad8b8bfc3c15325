package org.cabrank.lf.failure;

/**
 * Requires free stack before the state of a pool or reactor is changed. A handler may call the pool from deep inside a recursion. An
 * overflow halfway through a hand-over would lose leadership; halfway through a request it would lose the connection's memory. This check
 * overflows before any change, and the overflow is the handler's failure.
 */
public final class StackRoom {
    /** Named bound: number of frames that must fit. The deepest call of the pool's own code, a logger included, has fewer frames. */
    private static final int FRAMES = 128;

    private StackRoom() {}

    /** Returns if some kilobytes of stack are left. Throws StackOverflowError otherwise. */
    public static void require() {
        require(FRAMES);
    }

    /** Requires half as much stack: for a call that must not fail after a successful {@link #require} of its caller. */
    public static void requireHalf() {
        require(FRAMES / 2);
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
