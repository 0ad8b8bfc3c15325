package org.cabrank.bench.measure;

/** It cannot be known how much memory a process takes for what it does; the message says why. */
public final class UnweighableException extends Exception {

    private static final long serialVersionUID = 1L;

    public UnweighableException(String message) {
        super(message);
    }

    UnweighableException(String message, Exception cause) {
        super(message, cause);
    }
}
