package org.cabrank.stream.transport;

import java.io.IOException;

/**
 * How a backend sends: at once from wherever the bytes are ({@link #send}), or by requests that are completed later, from the
 * memory of the connection's queue only ({@link #sendQueued}). By the claim holder.
 */
public interface Transmitter {

    /** Whether {@link #send} may take bytes; else they all go by way of the queue. Never changes. */
    boolean sendsAtOnce();

    /**
     * Sends from {@code address} as far as the socket takes it at once.
     *
     * @return how many of the {@code count} bytes it took, perhaps 0
     * @throws IOException ends the connection
     */
    int send(long address, int count) throws IOException;

    /**
     * Goes on with sending the oldest bytes of the queue, which is not empty. Their memory stays as it is until they are
     * reported as taken, so a backend that sends by requests reports here how its request ended, and makes the next.
     *
     * @return how many of the queue's bytes the socket has taken since it was asked last, perhaps 0
     * @throws IOException ends the connection
     */
    int sendQueued(OutboundQueue queue) throws IOException;

    /** Has the kernel begin with what was given to {@link #sendQueued}, if that is put off otherwise. */
    void submit();
}
