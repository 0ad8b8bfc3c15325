package org.cabrank.stream;

import java.io.IOException;

/** The deadline that a handler had set for its connection has passed: see {@link Connection#deadline}. */
public final class DeadlineException extends IOException {
    private static final long serialVersionUID = 1L;

    public DeadlineException(String message) {
        super(message);
    }
}
