package org.cabrank.framing;

import java.nio.ByteBuffer;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/**
 * Handler of a connection that receives frames. Calls come one at a time and in order, and exceptions are treated, as for a {@link
 * ConnectionHandler}. If a handler pauses reading or offloads work, it gets the other frames that have already arrived when reading
 * continues.
 */
@FunctionalInterface
public interface FrameHandler {
    /** The first call: the connection is established. */
    default void opened(Connection connection) throws Exception {}

    /**
     * A frame has arrived, in network byte order, from the buffer's position to its limit. The memory around it belongs to other frames.
     * <b>The buffer is valid only during the call</b>, and it is empty after a wait for a reply ({@link Connection#newReply}).
     */
    void frame(Connection connection, ByteBuffer frame) throws Exception;

    /**
     * The peer has sent bytes that are no frame, or too long a frame. No further frame follows. The default throws {@code cause}, which
     * closes the connection. A handler may write a last message instead: the connection is then closed as by {@link Connection#close}.
     */
    default void malformed(Connection connection, FrameException cause) throws Exception {
        throw cause;
    }

    /** See {@link ConnectionHandler#writable}. */
    default void writable(Connection connection) throws Exception {}

    /** See {@link ConnectionHandler#deadlinePassed}. */
    default void deadlinePassed(Connection connection) throws Exception {}

    /**
     * The peer will send no more. The connection can still be written to. The default closes the connection, with a {@link FrameException}
     * unless {@code incomplete} is 0.
     *
     * @param incomplete number of bytes of a frame whose rest will not arrive; 0 after an orderly end
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

    /** The last call: the connection is gone; see {@link ConnectionHandler#closed}. */
    default void closed(Connection connection, Throwable cause) {}
}
