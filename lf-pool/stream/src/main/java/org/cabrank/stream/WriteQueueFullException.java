package org.cabrank.stream;

/**
 * A write was refused, and nothing of it was taken, because the peer does not read as fast as this side writes, or because the write is too
 * large for {@link StreamLimits#queueLimit} or {@link StreamLimits#outboundMax}.
 */
public final class WriteQueueFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean mayRetry;

    public WriteQueueFullException(String message, boolean mayRetry) {
        super(message);
        this.mayRetry = mayRetry;
    }

    /** True if the write fits later: {@link ConnectionHandler#writable} follows. False if it never fits: it must be written in pieces. */
    public boolean mayRetry() {
        return mayRetry;
    }
}
