package org.cabrank.stream.transport;

import java.io.IOException;

/** Sends the queued bytes of a connection. Used by the claim holder. */
public interface Transmitter {
    /**
     * Continues to send the oldest bytes of the queue, which is not empty. Returns the number of bytes that the socket has taken since the
     * last call; this may be 0. The memory of bytes stays unchanged until they are reported as taken. If {@link #sendsFiles} returns true,
     * a range may be at the head. A backend that sends by requests returns the result of its last request, and makes the next request. An
     * exception ends the connection.
     */
    int sendQueued(OutboundQueue queue) throws IOException;

    /** Returns true if {@link #sendQueued} can send ranges of files. If not, the caller reads each range in pieces and blocks. */
    default boolean sendsFiles() {
        return false;
    }

    /** Submits the requests of {@link #sendQueued} if the backend has put them off. */
    void submit();
}
