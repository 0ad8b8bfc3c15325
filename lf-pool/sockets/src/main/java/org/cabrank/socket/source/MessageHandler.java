package org.cabrank.socket.source;

import java.nio.ByteBuffer;

/** Handler of the messages of a {@link MessageQueueSource}. Calls never overlap. */
@FunctionalInterface
public interface MessageHandler {

    /**
     * A message was taken out of the queue.
     *
     * @param message the source's buffer with the whole message, valid only during the call, initially big-endian
     * @param priority 0 (low) to 32767
     */
    void handleMessage(MessageQueueSource source, ByteBuffer message, int priority) throws Exception;

    /** The source has been closed. This is the last call. {@code cause} is null unless a failure closed the source. */
    default void handleClosed(MessageQueueSource source, Throwable cause) {}
}
