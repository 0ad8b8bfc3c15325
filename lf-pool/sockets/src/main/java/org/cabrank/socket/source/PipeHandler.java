package org.cabrank.socket.source;

import java.nio.ByteBuffer;

/** Handler of the bytes of a {@link PipeSource}. Calls never overlap. */
@FunctionalInterface
public interface PipeHandler {

    /**
     * Bytes have arrived. The buffer is valid only during the call, and initially big-endian. Bytes that the handler leaves unread, from
     * the position to the end, precede the next bytes. If the handler waits for a {@link org.cabrank.lf.Reply}, the buffer is valid until
     * the wait. The next call may come during the wait, at once if there are unread bytes.
     *
     * @throws Exception if the source is to be closed. The source is also closed if {@link PipeSource#UNREAD_MAX} bytes are unread
     */
    void handleData(PipeSource source, ByteBuffer data) throws Exception;

    /** The last writer has closed the pipe; {@code unread} holds the bytes left unread. The source is closed after the call. */
    default void handleEnd(PipeSource source, ByteBuffer unread) throws Exception {}

    /** The source has been closed. This is the last call. {@code cause} is null unless a failure closed the source. */
    default void handleClosed(PipeSource source, Throwable cause) {}
}
