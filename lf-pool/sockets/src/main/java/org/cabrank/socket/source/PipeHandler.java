package org.cabrank.socket.source;

import java.nio.ByteBuffer;

/** Handler of the bytes of a {@link PipeSource}. Calls never overlap. */
@FunctionalInterface
public interface PipeHandler {

    /**
     * Bytes have arrived. The buffer is the source's own, valid only during the call; each call finds it big-endian. Bytes that the handler
     * leaves unread, from the position to the end, precede the next bytes. If the handler waits for a {@link org.cabrank.lf.Reply}, the
     * buffer is valid until the wait, and the next call comes during the wait: at once, with the unread bytes, if there are any.
     *
     * @throws Exception if the source is to be closed; {@link PipeSource#UNREAD_MAX} unread bytes close it, too
     */
    void handleData(PipeSource source, ByteBuffer data) throws Exception;

    /** The last writer has closed the pipe; {@code unread} holds the bytes left unread. The source is closed after the call. */
    default void handleEnd(PipeSource source, ByteBuffer unread) throws Exception {}

    /** Last call: the source has been closed. {@code cause} is null unless a failure closed it. */
    default void handleClosed(PipeSource source, Throwable cause) {}
}
