package org.cabrank.lf;

import java.time.Duration;

/**
 * How leaders wait for events and followers for leadership.
 *
 * @param spinNs how long to spin before blocking, in ns; 0: not at all; {@link Long#MAX_VALUE}: never block
 */
public record Waiting(long spinNs) {

    public Waiting {
        if (spinNs < 0) {
            throw new IllegalArgumentException("spin must not be negative, but is " + spinNs + " ns");
        }
    }

    /** In the kernel, at once. Idle threads cost nothing. */
    public static Waiting block() {
        return new Waiting(0);
    }

    /** Spins for a while, then blocks. */
    public static Waiting spinThenBlock(Duration spin) {
        return new Waiting(spin.toNanos());
    }

    /** Never blocks: the lowest latency, and a whole CPU for every waiting thread. */
    public static Waiting busySpin() {
        return new Waiting(Long.MAX_VALUE);
    }

    boolean neverBlocks() {
        return spinNs == Long.MAX_VALUE;
    }

    @Override
    public String toString() {
        return spinNs == 0 ? "block" : neverBlocks() ? "busy" : "spin(" + spinNs / 1000 + "us)";
    }
}
