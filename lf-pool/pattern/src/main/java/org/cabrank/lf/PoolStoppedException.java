package org.cabrank.lf;

/** The pool stopped before the reply that a thread waited for had come. */
public final class PoolStoppedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    PoolStoppedException(String message, Throwable cause) {
        super(message, cause);
    }
}
