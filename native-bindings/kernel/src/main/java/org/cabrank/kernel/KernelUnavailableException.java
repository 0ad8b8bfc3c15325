package org.cabrank.kernel;

import java.io.IOException;

/**
 * No kernel calls can be made in this way, or in any; the message has the reason and a remedy. An {@link IOException}, as all exceptions of
 * opening a reactor are whose cause is the machine and not the program.
 */
public final class KernelUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public KernelUnavailableException(String message) {
        super(message);
    }

    public KernelUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
