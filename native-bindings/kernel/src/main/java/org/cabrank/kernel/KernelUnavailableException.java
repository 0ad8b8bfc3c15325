package org.cabrank.kernel;

import java.io.IOException;

/**
 * One way, or every way, to call the kernel is unavailable; the message has the reason and a remedy. This is an {@link IOException}, like
 * all exceptions of opening a reactor whose cause is the machine and not the program.
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
