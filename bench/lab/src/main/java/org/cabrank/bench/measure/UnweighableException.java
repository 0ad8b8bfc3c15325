package org.cabrank.bench.measure;

/** The memory that a process uses for its program is unknown. The message has the reason. */
public final class UnweighableException extends Exception {

    private static final long serialVersionUID = 1L;

    public UnweighableException(String message) {
        super(message);
    }

    UnweighableException(String message, Exception cause) {
        super(message, cause);
    }
}
