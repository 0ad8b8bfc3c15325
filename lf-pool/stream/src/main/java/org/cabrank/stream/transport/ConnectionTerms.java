package org.cabrank.stream.transport;

import org.cabrank.lf.Timers;
import org.cabrank.stream.StreamTimeouts;

/**
 * Time limits and quota that the connections of one listener have in common, or that one outgoing connection has. One object for
 * all, so that an idle connection has one reference.
 *
 * @param idleNs see {@link StreamTimeouts#idle}; 0: never; likewise the other times
 * @param quota the quota to which a connection that ends is returned
 * @param descriptorsMax descriptors that one write may carry; 0: none are passed
 */
public record ConnectionTerms(
        long idleNs, long closeNs, long closeTotalNs, long connectNs, ConnectionQuota quota, int descriptorsMax) {

    public ConnectionTerms withQuota(ConnectionQuota other) {
        return new ConnectionTerms(idleNs, closeNs, closeTotalNs, connectNs, other, descriptorsMax);
    }

    /** Returns terms of connections that pass no descriptors. */
    public static ConnectionTerms of(StreamTimeouts timeouts, ConnectionQuota quota) {
        return of(timeouts, quota, 0);
    }

    public static ConnectionTerms of(StreamTimeouts timeouts, ConnectionQuota quota, int descriptorsMax) {
        return new ConnectionTerms(
                Timers.delayNs(timeouts.idle()),
                Timers.delayNs(timeouts.close()),
                Timers.delayNs(timeouts.closeTotal()),
                Timers.delayNs(timeouts.connect()),
                quota,
                descriptorsMax);
    }
}
