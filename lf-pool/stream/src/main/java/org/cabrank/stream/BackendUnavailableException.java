package org.cabrank.stream;

import java.io.IOException;

/** The backend asked for cannot serve here; the message says why and what would help. */
public final class BackendUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public BackendUnavailableException(String message) {
        super(message);
    }
}
