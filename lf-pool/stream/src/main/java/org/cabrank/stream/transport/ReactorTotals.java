package org.cabrank.stream.transport;

import org.cabrank.stream.StreamLimits;

/** Counts that the shards of one reactor have in common, because a limit holds over all of them. Any thread. */
public final class ReactorTotals {
    private final ConnectionQuota connections;

    /** Null if there is no limit, so that nothing is counted. */
    private final SharedBytes outbound;

    private final SharedBytes unread;

    /** @param connectionsMax limit of the connections; 0: none */
    public ReactorTotals(StreamLimits limits, int connectionsMax, int shards) {
        connections = ConnectionQuota.of(connectionsMax);
        outbound = limits.outboundMax() == 0 ? null : new SharedBytes(limits.outboundMax(), shards);
        unread = limits.unreadMax() == 0 ? null : new SharedBytes(limits.unreadMax(), shards);
    }

    public ConnectionQuota connections() {
        return connections;
    }

    SharedBytes.Part partOfOutbound() {
        return outbound == null ? null : new SharedBytes.Part(outbound);
    }

    SharedBytes.Part partOfUnread() {
        return unread == null ? null : new SharedBytes.Part(unread);
    }

    public long writesRefused() {
        return outbound == null ? 0 : outbound.refusedCount();
    }

    public long unreadRefused() {
        return unread == null ? 0 : unread.refusedCount();
    }
}
