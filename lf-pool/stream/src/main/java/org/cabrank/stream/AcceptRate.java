package org.cabrank.stream;

/**
 * Maximum rate at which all shards of a listener together accept connections ({@link ListenOptions#acceptRate}). In any {@code t} seconds
 * the listener accepts at most {@code burst + t * perSecond} connections. Further connections wait in the backlog of the kernel. With
 * io_uring, one further connection for each shard may wait in the reactor.
 *
 * @param perSecond connections per second, from 1 to {@link #PER_SECOND_MAX}
 * @param burst connections that are accepted at once after a pause, from 1 to 1,000,000
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

    /** Returns a rate whose burst is a tenth of {@code connections}, but at least 1. */
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
