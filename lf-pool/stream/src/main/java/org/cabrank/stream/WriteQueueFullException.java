package org.cabrank.stream;

/** A write was refused, and none of its bytes taken, because of {@link StreamLimits#queueLimit} or {@link StreamLimits#outboundMax}. */
public final class WriteQueueFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean mayRetry;

    public WriteQueueFullException(String message, boolean mayRetry) {
        super(message);
        this.mayRetry = mayRetry;
    }

    /** Returns true if the write will fit when {@link ConnectionHandler#writable} is called. Returns false if it must be split. */
    public boolean mayRetry() {
        return mayRetry;
    }
}
