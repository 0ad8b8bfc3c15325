package org.cabrank.proxy;

/** Outcome for a peer that is not trusted to send a header. */
public enum UntrustedPeers {
    /** Closes the connection with a {@link ProxyProtocolException}. The default: only proxies reach the service. */
    CLOSE,

    /**
     * Serves the connection without looking for a header: the remote address is that of the peer. A header that such a peer sends is
     * given to the handler like any other bytes. For services that clients also reach directly.
     */
    SERVE
}
