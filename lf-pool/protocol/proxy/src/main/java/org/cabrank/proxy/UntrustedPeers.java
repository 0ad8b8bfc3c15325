package org.cabrank.proxy;

/** Outcome for a peer that is not trusted to send a header. */
public enum UntrustedPeers {
    /** Closes the connection with a {@link ProxyProtocolException}. The default: only proxies reach the service. */
    CLOSE,

    /**
     * Serves the connection with the peer's address, without looking for a header: the handler gets a header like any other bytes. For
     * services that clients also reach directly.
     */
    SERVE
}
