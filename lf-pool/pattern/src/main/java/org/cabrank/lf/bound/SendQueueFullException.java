package org.cabrank.lf.bound;

import java.io.IOException;

/** Thrown if a message was refused because the peer does not read as fast as bound threads send. No byte of the message was sent. */
public final class SendQueueFullException extends IOException {
    private static final long serialVersionUID = 1L;

    SendQueueFullException(String message) {
        super(message);
    }
}
