package org.cabrank.lf.bound;

import java.io.IOException;

/** The peer does not read as fast as bound threads send; nothing of the message was sent. */
public final class SendQueueFullException extends IOException {
    private static final long serialVersionUID = 1L;

    SendQueueFullException(String message) {
        super(message);
    }
}
