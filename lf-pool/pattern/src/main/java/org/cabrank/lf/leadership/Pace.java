package org.cabrank.lf.leadership;

/**
 * Spinning time of followers, and periods at which the standby looks at the leaders.
 *
 * @param spinNs time that a follower spins before it sleeps, in ns; {@link #NEVER_BLOCKS}: followers only spin
 * @param lookNs pause between two looks of the standby; {@link Deadlines#FOREVER} without a standby
 * @param alertLookNs pause between two looks for {@code alertNs} after a takeover from a leader that was blocked
 */
public record Pace(long spinNs, long lookNs, long alertLookNs, long alertNs) {
    static final long NEVER_BLOCKS = Long.MAX_VALUE;

    boolean neverBlocks() {
        return spinNs == NEVER_BLOCKS;
    }
}
