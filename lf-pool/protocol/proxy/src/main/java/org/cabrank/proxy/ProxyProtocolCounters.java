package org.cabrank.proxy;

/**
 * Numbers of connections of a {@link ProxyProtocol} since the start. Each connection is counted once, with its outcome.
 *
 * @param version2 connections that were served after a header of version 2, except LOCAL headers
 * @param local connections that were served after a LOCAL header, such as health checks
 * @param malformed connections that were closed because of a malformed, incomplete or missing header
 * @param abandoned connections that ended for another reason before a header was complete, such as a reset by the peer
 * @param overLimit connections that were closed because of {@link ProxyProtocol.Builder#connectionsPerClientMax}
 */
public record ProxyProtocolCounters(
        long version1,
        long version2,
        long local,
        long withoutHeader,
        long untrustedServed,
        long untrustedClosed,
        long malformed,
        long timedOut,
        long abandoned,
        long overLimit) {

    /** Number of connections whose handler was called. */
    public long served() {
        return version1 + version2 + local + withoutHeader + untrustedServed;
    }
}
