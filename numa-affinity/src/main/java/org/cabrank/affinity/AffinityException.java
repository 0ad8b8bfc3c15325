package org.cabrank.affinity;

import java.io.IOException;

/**
 * The kernel does not let a thread run where it shall; the message says what was asked, and why not as far as it is
 * known.
 */
public final class AffinityException extends IOException {
    private static final long serialVersionUID = 1L;

    AffinityException(String message) {
        super(message);
    }

    AffinityException(String message, Throwable cause) {
        super(message, cause);
    }
}
