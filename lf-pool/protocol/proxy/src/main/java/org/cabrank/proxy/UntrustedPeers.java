package org.cabrank.proxy;

/** Outcome for a peer that is not trusted to send a header. */
public enum UntrustedPeers {
    /** Closes the connection with a {@link ProxyProtocolException}. This is the default. */
    CLOSE,

    /** Serves the peer as a client. If the peer sends a header, the handler gets it as data. Use this if clients may connect directly. */
    SERVE
}
