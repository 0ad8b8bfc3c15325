package org.cabrank.lf.stream;

/** The peer does not read as fast as this side writes, and the connection's queue has no room for more. */
public final class WriteQueueFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WriteQueueFullException(String message) {
        super(message);
    }
}
