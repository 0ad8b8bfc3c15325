package org.cabrank.http;

/**
 * Counters of an {@link HttpService} since it was made. Requests are not counted, because a handler sees each.
 *
 * @param refused requests answered with an error because they were malformed, exceeded a limit or were not supported
 * @param timedOut requests whose head or body has taken too long, answered with status 408 or not at all
 * @param idle connections closed because no request came in time
 * @param answersNotTaken connections reset because the client did not take its answers in time
 * @param handlerFailures handlers that threw, or returned without an answer
 * @param upgraded connections that continue with another protocol
 */
public record HttpCounters(
        long refused, long timedOut, long idle, long answersNotTaken, long handlerFailures, long upgraded) {}
