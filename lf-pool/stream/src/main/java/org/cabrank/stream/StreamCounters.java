package org.cabrank.stream;

/**
 * Outcomes of connections, counted since the start.
 *
 * @param opened connections opened so far
 * @param closed opened connections that have ended
 * @param overLimit connections reset at once, and connects that failed, because of {@link ListenOptions#connectionsMax}, {@link
 *     ListenOptions#connectionsPerPeerMax} or {@link StreamLimits#connectionsMax}; not in {@code opened}
 * @param ratePauses see {@link ListenerCounters#ratePauses}; of all listeners
 * @param descriptorsDropped descriptors that peers have passed and that were closed, because no handler has taken them ({@link
 *     UnixSocket#takeDescriptor}), or because too many came
 * @param readingPauses pauses of a connection's reading because more than {@link StreamLimits#highWatermark} was queued, or anything while
 *     memory was scarce; a queue that the socket takes before the callback ends causes no pause
 * @param closedIdle connections that were idle for {@link StreamTimeouts#idle}
 * @param closedAtDeadline connections whose {@link Connection#deadline} has passed
 * @param closingGivenUp connections reset because their close took longer than {@link StreamTimeouts#close} or {@link
 *     StreamTimeouts#closeTotal}
 * @param closedUnread connections whose handler has left {@link StreamLimits#unreadLimit} bytes unread. TLS closes such a connection
 *     itself, uncounted, and likewise without memory
 * @param closedForMemory connections for whose bytes there was no memory: {@link ShardMemoryException}
 * @param connectsTimedOut connects that have failed because they took longer than {@link StreamTimeouts#connect}
 */
public record StreamCounters(
        long opened,
        long closed,
        long overLimit,
        long ratePauses,
        long descriptorsDropped,
        long readingPauses,
        long closedIdle,
        long closedAtDeadline,
        long closingGivenUp,
        long closedUnread,
        long closedForMemory,
        long connectsTimedOut) {}
