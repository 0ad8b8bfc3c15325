package org.cabrank.bench.cli;

/** An error that the user can fix. The command prints it as one line without a stack trace, and ends with exit status 1. */
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Failure(String message) {
        super(message);
    }

    public Failure(String message, Throwable cause) {
        super(message, cause);
    }
}
