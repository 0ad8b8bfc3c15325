package org.cabrank.lf.bound;

import java.nio.ByteBuffer;

/**
 * Format of a service's messages: their length, the request that each answers, and its content. Used by one thread at a time, which reads
 * for all waiters, so it must be quick and must not wait.
 *
 * <p>TCP splits and merges messages; the pool puts them together. Each call gets a buffer with its own position and limit, in network byte
 * order, whose bytes are valid only during the call: copy what is kept. An exception breaks the connection, because the next message cannot
 * be found after an unreadable one.
 *
 * @param <K> names a request; with {@code equals} and {@code hashCode}
 * @param <R> type of the content for the waiting thread
 */
public interface ReplyParser<K, R> {
    /** Result of {@link #messageBytes} if too few bytes have been received. */
    int INCOMPLETE = 0;

    /** Returns the length in bytes, header included, of the message at the position, or {@link #INCOMPLETE} to be asked again later. */
    int messageBytes(ByteBuffer received) throws Exception;

    /** Returns the request that the whole message in the buffer answers; null if it answers none (counted as unknown). */
    K requestId(ByteBuffer message) throws Exception;

    /** Returns the content of a message that a thread waits for. */
    R reply(ByteBuffer message) throws Exception;
}
