package org.cabrank.lf.bound;

/**
 * Counts of a {@link BoundThreadPool} since its start.
 *
 * @param expected replies that are expected at this moment
 * @param answered replies that reached the thread that expected them
 * @param givenUp expectations that timed out, or were closed before the reply came
 * @param failed expectations that the end of the connection has failed
 * @param late replies to requests that had been given up, and dropped
 * @param duplicate further replies to requests that had been answered, dropped
 * @param unknown messages that answer no request of these threads, or one so long ago that it is forgotten, dropped
 */
public record BoundCounters(
        long expected, long answered, long givenUp, long failed, long late, long duplicate, long unknown) {}
