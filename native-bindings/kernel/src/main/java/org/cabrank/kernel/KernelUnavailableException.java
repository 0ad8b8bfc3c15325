package org.cabrank.kernel;

/** No kernel calls can be made in this way, or in any; the message says why and what would help. */
public final class KernelUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    public KernelUnavailableException(String message) {
        super(message);
    }

    public KernelUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
