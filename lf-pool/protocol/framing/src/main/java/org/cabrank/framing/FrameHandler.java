package org.cabrank.framing;

import java.nio.ByteBuffer;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/**
 * Handler of a connection that receives frames. Calls and exceptions follow the rules of {@link ConnectionHandler}. There is one call at a
 * time, in the order of the events. If a handler pauses reading or offloads work, it gets the next frame only after reading has resumed.
 */
@FunctionalInterface
public interface FrameHandler {
    /** Called first. The connection is established. */
    default void opened(Connection connection) throws Exception {}

    /**
     * A frame has arrived. Its bytes lie from the buffer's position to its limit, and the buffer has network byte order. <b>The buffer is
     * valid only during the call.</b> If the handler waits for a reply ({@link Connection#newReply}), the buffer is empty afterwards.
     */
    void frame(Connection connection, ByteBuffer frame) throws Exception;

    /**
     * The peer has sent malformed bytes or a frame that is too long. No frame follows. By default, throws {@code cause}, which closes the
     * connection. A handler that overrides this method may write a last message and return. Then {@link Connection#close} is called.
     */
    default void malformed(Connection connection, FrameException cause) throws Exception {
        throw cause;
    }

    /** See {@link ConnectionHandler#writable}. */
    default void writable(Connection connection) throws Exception {}

    /** See {@link ConnectionHandler#deadlinePassed}. */
    default void deadlinePassed(Connection connection) throws Exception {}

    /**
     * The peer has ended its output. The handler may still write. By default, closes the connection if {@code incomplete} is 0, and throws
     * a {@link FrameException} if not.
     *
     * @param incomplete number of bytes of an incomplete frame. 0 if the last frame was complete.
     */
    default void inputClosed(Connection connection, int incomplete) throws Exception {
        if (incomplete > 0) {
            throw new FrameException("the peer has ended its output " + incomplete + " bytes into a frame");
        }
        connection.close();
    }

    /** See {@link ConnectionHandler#draining}. The default closes the connection. */
    default void draining(Connection connection) throws Exception {
        connection.close();
    }

    /** See {@link ConnectionHandler#beforeNestedWait}. */
    default void beforeNestedWait(Connection connection) {}

    /** Called last. The connection is closed. See {@link ConnectionHandler#closed}. */
    default void closed(Connection connection, Throwable cause) {}
}
