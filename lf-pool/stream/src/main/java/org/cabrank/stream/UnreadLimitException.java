package org.cabrank.stream;

import java.io.IOException;

/** A handler has left more bytes unread than {@link StreamLimits#unreadLimit} allows. */
public final class UnreadLimitException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnreadLimitException(String message) {
        super(message);
    }
}
