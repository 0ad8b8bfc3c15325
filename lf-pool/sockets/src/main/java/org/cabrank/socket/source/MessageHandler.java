package org.cabrank.socket.source;

import java.nio.ByteBuffer;

/** Handler of the messages of a {@link MessageQueueSource}. Calls never overlap. */
@FunctionalInterface
public interface MessageHandler {

    /**
     * A message was taken out of the queue.
     *
     * @param message the whole message, big-endian when the call begins; the source's own buffer, valid only during the call
     * @param priority 0 (low) to 32767
     */
    void handleMessage(MessageQueueSource source, ByteBuffer message, int priority) throws Exception;

    /** Last call: the source has been closed. {@code cause} is null unless a failure closed it. */
    default void handleClosed(MessageQueueSource source, Throwable cause) {}
}
