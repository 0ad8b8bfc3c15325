package org.cabrank.stream;

import java.util.Objects;

/**
 * Options of one listener ({@link StreamReactor#listen}), which hold for the connections that it accepts.
 *
 * @param backlog connections that the kernel holds until they are accepted, at least 1; the kernel lowers it to
 *     net.core.somaxconn
 * @param acceptMode the way in which several shards share the address
 * @param timeouts time limits of the accepted connections; null: those of the reactor
 * @param connectionsMax connections of this listener that may stand at a time, in all shards together, at least 1, or
 *     {@link #UNLIMITED}. One more is accepted and reset at once, without a call of the handler supplier, and counted
 *     ({@link StreamCounters#overLimit})
 * @param connectionsPerPeerMax likewise for the connections from one peer address. The port does not count; an IPv4 address inside
 *     an IPv6 one counts as the IPv4 address; each IPv6 address counts for itself. Peers at Unix addresses, which have no address
 *     of their own, are bounded by {@code connectionsMax} alone
 */
public record ListenOptions(
        int backlog, AcceptMode acceptMode, StreamTimeouts timeouts, int connectionsMax, int connectionsPerPeerMax) {
    /** No limit but that of open files. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** A backlog of 4,096, {@link AcceptMode#EXCLUSIVE}, the time limits of the reactor, connections without a limit. */
    public static final ListenOptions DEFAULT =
            new ListenOptions(4096, AcceptMode.EXCLUSIVE, null, UNLIMITED, UNLIMITED);

    public ListenOptions {
        Objects.requireNonNull(acceptMode, "acceptMode");
        require(backlog, "backlog");
        require(connectionsMax, "connectionsMax");
        require(connectionsPerPeerMax, "connectionsPerPeerMax");
    }

    private static void require(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, but is " + value);
        }
    }

    public ListenOptions withBacklog(int connections) {
        return new ListenOptions(connections, acceptMode, timeouts, connectionsMax, connectionsPerPeerMax);
    }

    public ListenOptions withAcceptMode(AcceptMode mode) {
        return new ListenOptions(backlog, mode, timeouts, connectionsMax, connectionsPerPeerMax);
    }

    public ListenOptions withTimeouts(StreamTimeouts changed) {
        return new ListenOptions(backlog, acceptMode, changed, connectionsMax, connectionsPerPeerMax);
    }

    public ListenOptions withConnectionsMax(int count) {
        return new ListenOptions(backlog, acceptMode, timeouts, count, connectionsPerPeerMax);
    }

    public ListenOptions withConnectionsPerPeerMax(int count) {
        return new ListenOptions(backlog, acceptMode, timeouts, connectionsMax, count);
    }
}
