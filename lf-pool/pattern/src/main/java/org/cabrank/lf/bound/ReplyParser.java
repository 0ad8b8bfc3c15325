package org.cabrank.lf.bound;

import java.nio.ByteBuffer;

/**
 * Format of a service's messages: the length of a message, the request that it answers, and its content. Called by one thread at a time,
 * which reads for all waiters: every method must be quick and must not wait.
 *
 * <p>TCP splits and merges messages; the pool puts them together. Each call gets a buffer with its own position and limit, in network byte
 * order. Its bytes are valid only during the call: copy bytes that are needed later. An exception breaks the connection, because the next
 * message cannot be found after an unreadable message.
 *
 * @param <K> names a request; with {@code equals} and {@code hashCode}
 * @param <R> type of the content for the waiting thread
 */
public interface ReplyParser<K, R> {
    /** Result of {@link #messageBytes} if too few bytes have been received. */
    int INCOMPLETE = 0;

    /** Returns the length in bytes, header included, of the message at the position; {@link #INCOMPLETE} if more bytes are needed. */
    int messageBytes(ByteBuffer received) throws Exception;

    /** Returns the request that the message in the buffer answers; null if it answers no request (counted as unknown). */
    K requestId(ByteBuffer message) throws Exception;

    /** Returns the content of a message that a thread waits for. */
    R reply(ByteBuffer message) throws Exception;
}
