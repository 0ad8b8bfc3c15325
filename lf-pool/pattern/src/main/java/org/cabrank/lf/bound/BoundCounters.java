package org.cabrank.lf.bound;

/**
 * Counts of a {@link BoundThreadPool} since its start.
 *
 * @param expected replies that are expected now
 * @param answered replies that reached the thread that expected them
 * @param givenUp expectations that timed out, or were closed before the reply arrived
 * @param failed expectations that failed because the connection ended
 * @param late dropped replies to requests that had been given up
 * @param duplicate dropped further replies to answered requests
 * @param unknown dropped messages that answer a forgotten request or no request of these threads
 */
public record BoundCounters(
        long expected, long answered, long givenUp, long failed, long late, long duplicate, long unknown) {}
