package org.cabrank.proxy;

import java.io.IOException;

/** Cause of a close: a peer has sent no valid header of the PROXY protocol in time, or may not send a header. */
public final class ProxyProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param message the reason, and the remedy if there is one; never the bytes of the peer */
    public ProxyProtocolException(String message) {
        super(message);
    }
}
