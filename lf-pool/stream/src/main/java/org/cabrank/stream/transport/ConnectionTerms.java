package org.cabrank.stream.transport;

import org.cabrank.lf.Timers;
import org.cabrank.stream.StreamTimeouts;

/** Time limits and quota of one outgoing connection, or of all connections of a listener. A time of 0 means that there is no limit. */
public record ConnectionTerms(
        long idleNs, long closeNs, long closeTotalNs, long connectNs, ConnectionQuota quota, int descriptorsMax) {

    public ConnectionTerms withQuota(ConnectionQuota other) {
        return new ConnectionTerms(idleNs, closeNs, closeTotalNs, connectNs, other, descriptorsMax);
    }

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
