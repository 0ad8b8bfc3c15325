package org.cabrank.stream;

/**
 * Outcomes of connections, counted since the start.
 *
 * @param opened connections opened so far
 * @param closed opened connections that have ended
 * @param overLimit accepted connections that were reset at once, and connects that failed, because of a maximum of {@link ListenOptions} or
 *     {@link StreamLimits}; {@code opened} does not include them
 * @param ratePauses sum of {@link ListenerCounters#ratePauses} of all listeners
 * @param descriptorsDropped received descriptors that were closed because no handler took them or a peer sent too many
 * @param readingPauses pauses of reading because more than {@link StreamLimits#highWatermark} bytes were queued after a callback, or
 *     because memory was scarce while bytes were queued
 * @param closedIdle connections that were idle for {@link StreamTimeouts#idle}
 * @param closedAtDeadline connections whose {@link Connection#deadline} has passed
 * @param closingGivenUp connections reset because of {@link StreamTimeouts#close} or {@link StreamTimeouts#closeTotal}
 * @param closedUnread connections whose handler has left {@link StreamLimits#unreadLimit} bytes unread. TLS does not count them
 * @param closedForMemory connections that were closed because there was no memory for their bytes ({@link ShardMemoryException})
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
