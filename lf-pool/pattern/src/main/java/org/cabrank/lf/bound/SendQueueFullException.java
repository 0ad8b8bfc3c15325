package org.cabrank.lf.bound;

import java.io.IOException;

/** A message was refused, and no byte of it sent, because the peer does not read as fast as bound threads send. */
public final class SendQueueFullException extends IOException {
    private static final long serialVersionUID = 1L;

    SendQueueFullException(String message) {
        super(message);
    }
}
