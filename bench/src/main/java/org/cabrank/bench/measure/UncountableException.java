package org.cabrank.bench.measure;

/** A process's events cannot be counted; the message says why, and what to do about it. */
public final class UncountableException extends Exception {

    private static final long serialVersionUID = 1L;

    UncountableException(String message) {
        super(message);
    }
}
