package org.cabrank.lf.failure;

/**
 * Requires stack before the state of a pool or reactor is changed. A handler may call the pool from deep inside a recursion: an overflow in
 * the midst of a hand-over would lose leadership, in the midst of a request the connection's memory. Here it happens before any change, and
 * is the handler's failure.
 */
public final class StackRoom {
    /** Named bound: frames that are tried. The deepest call of the pool's own code, with a logger under it, has fewer. */
    private static final int FRAMES = 128;

    private StackRoom() {}

    /** Returns if some kilobytes of stack are left. Throws StackOverflowError otherwise. */
    public static void require() {
        require(FRAMES);
    }

    /** Requires half: for a call that must not fail after its caller's {@link #require}. */
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
