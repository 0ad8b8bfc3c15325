package org.cabrank.bench.experiment;

/**
 * Hostile connections of each kind.
 *
 * @param halfOpen send nothing
 * @param unread send one byte of a request, and no more
 * @param neverRead send requests as fast as the server takes them, and never read an answer
 * @param dribble send a byte every {@link #ROUND_NS}
 * @param resetsPerRound connections that are opened every {@link #ROUND_NS}, send more than one request, and are reset
 */
public record HostileCrowd(int halfOpen, int unread, int neverRead, int dribble, int resetsPerRound) {

    /** Time in ns from one round to the next. */
    static final long ROUND_NS = 10_000_000;

    /** 10,000 half-open, 1,500 that leave a byte unread, 200 that never read, 300 that dribble, 200 resets per second. */
    public static final HostileCrowd DEFAULT = new HostileCrowd(10_000, 1_500, 200, 300, 2);

    public HostileCrowd {
        if (halfOpen < 0 || unread < 0 || neverRead < 0 || dribble < 0 || resetsPerRound < 0) {
            throw new IllegalArgumentException("hostile connections are 0 or more");
        }
    }

    /** Number of connections that stand at a time. */
    public int standing() {
        return halfOpen + unread + neverRead + dribble;
    }

    public HostileCrowd withHalfOpen(int count) {
        return new HostileCrowd(count, unread, neverRead, dribble, resetsPerRound);
    }
}
