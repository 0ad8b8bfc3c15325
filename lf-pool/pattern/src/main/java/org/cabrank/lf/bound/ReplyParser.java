package org.cabrank.lf.bound;

import java.nio.ByteBuffer;

/**
 * How a service's messages look: where one ends, which request it answers, and what it says. Used by one thread at a time,
 * the one that reads the connection, and for all other waiters' sake it must be quick and must not wait for anything.
 *
 * <p>TCP splits and merges messages as it likes; the pool puts them together. Every call is given a buffer of its own
 * position and limit, in network byte order, whose bytes are valid only during the call: what is kept must be copied. What
 * a parser throws breaks the connection, because after a message that cannot be read the next cannot be found.
 *
 * @param <K> names a request; with {@code equals} and {@code hashCode}
 * @param <R> what the waiting thread is given
 */
public interface ReplyParser<K, R> {
    /** {@link #messageBytes} cannot tell yet. */
    int INCOMPLETE = 0;

    /**
     * How many bytes the message has that begins at the position, header included; {@link #INCOMPLETE} while too few of them
     * have come to tell. Asked again when more have come.
     */
    int messageBytes(ByteBuffer received) throws Exception;

    /** The request that the message answers, which stands whole in the buffer; null: it answers none (counted as unknown). */
    K requestId(ByteBuffer message) throws Exception;

    /** What the message says; asked only for a message that somebody waits for. */
    R reply(ByteBuffer message) throws Exception;
}
