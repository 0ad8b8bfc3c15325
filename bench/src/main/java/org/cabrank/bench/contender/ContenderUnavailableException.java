package org.cabrank.bench.contender;

import java.io.IOException;

/** The contender cannot run on this machine, whatever is tried: the message says why, and what would help. */
public final class ContenderUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public ContenderUnavailableException(String message) {
        super(message);
    }
}
