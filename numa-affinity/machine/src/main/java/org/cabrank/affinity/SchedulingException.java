package org.cabrank.affinity;

import java.io.IOException;

/** The kernel does not give a thread the scheduling that it shall have; the message says why, and what would help. */
public final class SchedulingException extends IOException {
    private static final long serialVersionUID = 1L;

    SchedulingException(String message) {
        super(message);
    }

    SchedulingException(String message, Throwable cause) {
        super(message, cause);
    }
}
