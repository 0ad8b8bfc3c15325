package org.cabrank.lf;

/** The pool stopped before an awaited reply arrived. */
public final class PoolStoppedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    PoolStoppedException(String message, Throwable cause) {
        super(message, cause);
    }
}
