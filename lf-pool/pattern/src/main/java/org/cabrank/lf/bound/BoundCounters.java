package org.cabrank.lf.bound;

/**
 * Counts of a {@link BoundThreadPool} since its start.
 *
 * @param expected replies that are expected now
 * @param answered replies that reached the thread that expected them
 * @param givenUp expectations that timed out, or were closed before the reply arrived
 * @param failed expectations that failed because the connection ended
 * @param late replies that were dropped because their request had been given up
 * @param duplicate replies that were dropped because their request had been answered before
 * @param unknown messages that were dropped because they answer no request of these threads, or a request from too long ago
 */
public record BoundCounters(
        long expected, long answered, long givenUp, long failed, long late, long duplicate, long unknown) {}
