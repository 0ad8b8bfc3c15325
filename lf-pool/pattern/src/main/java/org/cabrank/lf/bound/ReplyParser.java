package org.cabrank.lf.bound;

import java.nio.ByteBuffer;

/**
 * Format of a service's messages. The thread that reads for all waiters calls the methods, so they must be quick and must not wait.
 *
 * <p>Each call gets a buffer with its own position and limit, in network byte order. The bytes are valid only during the call. If a method
 * throws, the connection breaks, because the next message cannot be found.
 *
 * @param <K> type of the name of a request. It needs {@code equals} and {@code hashCode}
 * @param <R> type of the content for the waiting thread
 */
public interface ReplyParser<K, R> {
    /** Result of {@link #messageBytes} if too few bytes have been received. */
    int INCOMPLETE = 0;

    /** Returns the length in bytes of the message at the position, with its header, or {@link #INCOMPLETE} if more bytes are needed. */
    int messageBytes(ByteBuffer received) throws Exception;

    /** Returns the request that the message answers. If it answers no request, returns null, and the message is counted as unknown. */
    K requestId(ByteBuffer message) throws Exception;

    /** Returns the content of a message that a thread waits for. */
    R reply(ByteBuffer message) throws Exception;
}
