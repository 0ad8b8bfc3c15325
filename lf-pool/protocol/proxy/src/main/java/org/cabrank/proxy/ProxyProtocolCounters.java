package org.cabrank.proxy;

/**
 * Outcomes of the connections of a {@link ProxyProtocol} since the start. Each connection is counted once, when its outcome is decided.
 *
 * @param version1 served behind a header of version 1
 * @param version2 served behind a header of version 2, unless {@code local} counts them
 * @param local made by the proxy for itself, such as health checks: served behind a LOCAL header
 * @param withoutHeader connections of trusted peers, served without a header because no header is required
 * @param untrustedServed connections of untrusted peers, served without looking for a header
 * @param untrustedClosed connections of untrusted peers, closed
 * @param malformed closed because of a malformed, incomplete or missing header
 * @param timedOut closed because the header was not complete in time
 * @param abandoned ended before a header was complete for another reason: the peer sent nothing and closed the connection, or reset it, or
 *     the reactor was closed
 * @param overLimit closed because their client had {@link ProxyProtocol.Builder#connectionsPerClientMax}
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
