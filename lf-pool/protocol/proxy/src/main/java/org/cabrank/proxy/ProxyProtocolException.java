package org.cabrank.proxy;

import java.io.IOException;

/** The peer has sent no valid PROXY header in time, the peer is not trusted, or its client has too many connections. */
public final class ProxyProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param message reason and remedy. It must not contain bytes of the peer. */
    public ProxyProtocolException(String message) {
        super(message);
    }
}
