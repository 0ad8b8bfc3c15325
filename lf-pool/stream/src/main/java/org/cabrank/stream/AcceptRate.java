package org.cabrank.stream;

/**
 * Rate at which a listener accepts connections, in all its shards together ({@link ListenOptions#acceptRate}): in any {@code t} seconds
 * {@code burst + t * perSecond} at most. While the rate allows none, the listener pauses, and connections wait in the kernel's backlog;
 * over io_uring each shard may hold one accepted connection. A pause ends within about 1 ms of the next allowed connection.
 *
 * @param perSecond connections per second, from 1 to {@link #PER_SECOND_MAX}
 * @param burst connections at once after a pause, from 1 to 1,000,000
 */
public record AcceptRate(int perSecond, int burst) {
    public static final int PER_SECOND_MAX = 1_000_000;

    /** No limit, and no cost. */
    public static final AcceptRate UNLIMITED = new AcceptRate(Integer.MAX_VALUE, Integer.MAX_VALUE);

    private static final int BURST_MAX = 1_000_000;

    private static final int BURST_PART = 10;

    public AcceptRate {
        boolean unlimited = perSecond == Integer.MAX_VALUE && burst == Integer.MAX_VALUE;
        if (!unlimited) {
            require(perSecond, PER_SECOND_MAX, "connections per second");
            require(burst, BURST_MAX, "the burst");
        }
    }

    private static void require(int value, int max, String name) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(
                    "the accept rate is wrong: " + name + " must be from 1 to 1,000,000, but is " + value);
        }
    }

    /** Returns a rate with a burst of the connections of a tenth of a second, at least 1. */
    public static AcceptRate perSecond(int connections) {
        return new AcceptRate(connections, Math.max(1, Math.min(connections, PER_SECOND_MAX) / BURST_PART));
    }

    public AcceptRate withBurst(int connections) {
        return new AcceptRate(perSecond, connections);
    }

    public boolean isUnlimited() {
        return perSecond == Integer.MAX_VALUE;
    }

    @Override
    public String toString() {
        return isUnlimited() ? "unlimited" : perSecond + "/s, " + burst + " at once";
    }
}
