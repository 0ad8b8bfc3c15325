package org.cabrank.kernel;

import java.io.IOException;

/** No {@link KernelProvider} works here, or the requested one does not. The message has the reason and a remedy. */
public final class KernelUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public KernelUnavailableException(String message) {
        super(message);
    }

    public KernelUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
