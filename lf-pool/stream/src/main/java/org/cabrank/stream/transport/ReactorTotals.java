package org.cabrank.stream.transport;

import org.cabrank.stream.StreamLimits;

/** Counts that all shards of a reactor share, because a limit applies to all shards together. Any thread may use them. */
public final class ReactorTotals {
    private final ConnectionQuota connections;

    /** Null if there is no limit. Nothing is then counted. */
    private final SharedBytes outbound;

    private final SharedBytes unread;

    /** @param connectionsMax maximum number of connections, or 0 for no limit */
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
