package org.cabrank.httpserver;

/**
 * Counts of one server ({@link CabrankHttpServerProvider#counters}).
 *
 * @param exchanges requests for which a context was found
 * @param active exchanges that have begun and are not complete
 * @param handlerFailures handlers and filters that have thrown
 * @param rejected requests that the executor has refused, by an error too: answered with status 503
 * @param parked waits of handlers on threads of the server in which the thread was parked
 * @param served waits of handlers on threads of the server in which the thread has served other connections, because all other threads of its
 *     shard were parked
 * @param waitsRefused waits that were refused because the thread had served other connections in too many waits already: the connection
 *     was reset
 */
public record HttpServerCounters(
        long exchanges,
        long active,
        long handlerFailures,
        long rejected,
        long parked,
        long served,
        long waitsRefused) {}
