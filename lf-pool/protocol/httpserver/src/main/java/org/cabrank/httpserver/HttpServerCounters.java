package org.cabrank.httpserver;

/**
 * Counters of one server ({@link CabrankHttpServerProvider#counters}).
 *
 * @param exchanges requests for which a context was found
 * @param active exchanges that have begun and are not complete
 * @param handlerFailures handlers and filters that have thrown
 * @param rejected requests that the executor has refused, possibly by an error. They are answered with status 503
 * @param parked waits of handlers in which a thread of the server was parked
 * @param served waits of handlers in which a thread of the server has served other connections, because its shard had no other free thread
 * @param waitsRefused waits that were refused because the thread had too many nested waits. The connection is then reset
 */
public record HttpServerCounters(
        long exchanges,
        long active,
        long handlerFailures,
        long rejected,
        long parked,
        long served,
        long waitsRefused) {}
