package org.cabrank.lf.bound;

import java.nio.ByteBuffer;

/**
 * Format of a service's messages: their length, the request that each answers, and its content. Used by one thread at a time,
 * the one that reads the connection, and for all other waiters' sake it must be quick and must not wait for anything.
 *
 * <p>TCP splits and merges messages as it likes; the pool puts them together. Every call is given a buffer of its own
 * position and limit, in network byte order, whose bytes are valid only during the call: what is kept must be copied. What
 * a parser throws breaks the connection, because after a message that cannot be read the next cannot be found.
 *
 * @param <K> names a request; with {@code equals} and {@code hashCode}
 * @param <R> type of the content for the waiting thread
 */
public interface ReplyParser<K, R> {
    /** {@link #messageBytes} cannot tell yet. */
    int INCOMPLETE = 0;

    /**
     * Length in bytes of the message that begins at the position, header included; {@link #INCOMPLETE} while too few bytes
     * have been received to know. Called again when more bytes have been received.
     */
    int messageBytes(ByteBuffer received) throws Exception;

    /**
     * The request that the message answers. The whole message is in the buffer. Returns null if it answers no request (counted as
     * unknown).
     */
    K requestId(ByteBuffer message) throws Exception;

    /** Returns the content of the message; called only for a message that a thread waits for. */
    R reply(ByteBuffer message) throws Exception;
}
