package org.cabrank.proxy;

import java.io.IOException;

/** A peer has sent no valid header of the PROXY protocol in time, or may not send one. The connection is closed with this cause. */
public final class ProxyProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param message the reason, and the remedy if there is one; never the bytes of the peer */
    public ProxyProtocolException(String message) {
        super(message);
    }
}
