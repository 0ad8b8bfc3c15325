package org.cabrank.kernel;

import java.io.IOException;

/**
 * No kernel calls can be made in this way, or in any; the message says why and what would help. An {@link IOException} like all
 * that opening a reactor may throw for reasons of the machine and not of the program.
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
