package org.cabrank.tls;

/**
 * Counts of a {@link Tls} as JMX shows them: {@code org.cabrank:type=Tls,name=...}; see {@link TlsCounters}.
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface TlsMXBean {
    /** See {@link TlsCounters#handshakesBegun}. */
    long getHandshakesBegun();

    /** See {@link TlsCounters#handshakesCompleted}. */
    long getHandshakesCompleted();

    /** See {@link TlsCounters#handshakesFailed}. */
    long getHandshakesFailed();

    /** See {@link TlsCounters#handshakesTimedOut}. */
    long getHandshakesTimedOut();

    /** See {@link TlsCounters#handshakesDeferred}. */
    long getHandshakesDeferred();

    /** See {@link TlsCounters#truncations}. */
    long getTruncations();

    /** See {@link TlsCounters#failures}. */
    long getFailures();
}
