package org.cabrank.bench.cli;

/**
 * Something that the user has to know and can act on: printed as one line without a stack trace, and the command ends
 * with exit status 1.
 */
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** {@code message} says what is wrong and what would help. */
    public Failure(String message) {
        super(message);
    }

    /** @param cause kept for debuggers */
    public Failure(String message, Throwable cause) {
        super(message, cause);
    }
}
