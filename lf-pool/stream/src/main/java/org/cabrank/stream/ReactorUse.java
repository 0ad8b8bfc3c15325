package org.cabrank.stream;

/**
 * Use of the limits that hold for all connections of a reactor together. The values may be a little old.
 *
 * @param connections number of open connections
 * @param connectionsMax limit in force, see {@link StreamLimits#connectionsMax}. 0 means no limit, here and in the other limits
 * @param outboundBytes bytes of the chunks that hold queued bytes
 * @param outboundMax see {@link StreamLimits#outboundMax}
 * @param writesRefused writes refused because of {@code outboundMax}, since the start
 * @param unreadBytes bytes of the chunks that hold unread bytes
 * @param unreadMax see {@link StreamLimits#unreadMax}
 * @param unreadRefused chunks refused because of {@code unreadMax} (see {@link ShardMemoryException})
 */
public record ReactorUse(
        long connections,
        int connectionsMax,
        long outboundBytes,
        long outboundMax,
        long writesRefused,
        long unreadBytes,
        long unreadMax,
        long unreadRefused) {}
