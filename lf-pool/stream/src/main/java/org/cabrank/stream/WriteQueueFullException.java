package org.cabrank.stream;

/**
 * A write was refused, and nothing of it was taken. {@link #mayRetry} tells the two reasons apart:
 *
 * <ul>
 *   <li>true: the peer does not read as fast as this side writes, and the connection's queue has no room for the write now.
 *       {@link ConnectionHandler#writable} is called once there is room.
 *   <li>false: the write is larger than {@link StreamLimits#queueLimit} and never fits; it must be written in pieces.
 * </ul>
 */
public final class WriteQueueFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean mayRetry;

    public WriteQueueFullException(String message, boolean mayRetry) {
        super(message);
        this.mayRetry = mayRetry;
    }

    /** True if the write fits later: {@link ConnectionHandler#writable} follows. False if it never fits in one piece. */
    public boolean mayRetry() {
        return mayRetry;
    }
}
