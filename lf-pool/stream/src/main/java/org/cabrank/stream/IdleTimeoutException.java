package org.cabrank.stream;

import java.io.IOException;

/** Nothing was sent or received for longer than the connection's time-out. */
public final class IdleTimeoutException extends IOException {
    private static final long serialVersionUID = 1L;

    public IdleTimeoutException(String message) {
        super(message);
    }
}
