package org.cabrank.lf.failure;

/**
 * Makes sure that there is stack left before the state of the pool or of a reactor is changed. Where a handler calls the pool
 * from deep inside a recursion, a stack that overflows in the midst of a hand-over would lose leadership, and in the midst of a
 * request the connection's memory: it overflows here instead, before anything has been changed, and is the handler's failure.
 */
public final class StackRoom {
    /** Named bound: frames that are tried. The deepest call of the pool's own code, with a logger under it, has fewer. */
    private static final int FRAMES = 128;

    private StackRoom() {}

    /**
     * Returns if the calling thread has some kilobytes of stack left.
     *
     * @throws StackOverflowError if not
     */
    public static void require() {
        require(FRAMES);
    }

    /** Requires half as much: for a call that must not fail after its caller's {@link #require}. */
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
