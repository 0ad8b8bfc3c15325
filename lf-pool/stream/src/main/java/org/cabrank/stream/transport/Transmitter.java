package org.cabrank.stream.transport;

import java.io.IOException;

/** Sends the bytes of a connection's queue. Used by the claim holder. */
public interface Transmitter {
    /**
     * Continues to send the oldest bytes of the queue, which is not empty, and returns how many bytes the socket has taken since the last
     * call, perhaps 0. The memory of bytes stays unchanged until they are reported as taken. A range of a file may stand at the head if
     * {@link #sendsFiles}. A backend that sends by requests reports here how its request ended, and makes the next. An exception ends the
     * connection.
     */
    int sendQueued(OutboundQueue queue) throws IOException;

    /** Returns true if {@link #sendQueued} sends ranges of files. Otherwise the caller reads them piece by piece, and blocks for that. */
    default boolean sendsFiles() {
        return false;
    }

    /** Has the kernel begin to send what was given to {@link #sendQueued}, if the backend has put that off. */
    void submit();
}
