package org.cabrank.resp;

import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/**
 * Handler of a connection that receives commands. Calls come one at a time and in order, as those of a {@link ConnectionHandler}, and
 * exceptions are treated in the same way.
 *
 * <p>The next command of a pipeline follows when the call returns. A handler that pauses reading or offloads work is
 * given the next command when reading continues, so answers stay in the order of the commands.
 */
@FunctionalInterface
public interface RespHandler {
    /**
     * The connection stands. The first call.
     *
     * @param writer may be kept, to write from later callbacks, such as pushes
     */
    default void opened(Connection connection, RespWriter writer) throws Exception {}

    /**
     * A command has arrived. The handler answers with one reply, now or in a later callback of the connection ({@link
     * Connection#offload}). Replies that are written in this call are sent together with those of other commands of the pipeline;
     * {@link RespWriter#close} closes the connection behind them.
     *
     * @param command at least one argument: the name of the command. Valid only during the call; empty after a wait for a reply ({@link
     *     Connection#newReply})
     * @param reply valid for the connection's whole life
     */
    void command(Connection connection, RespCommand command, RespWriter reply) throws Exception;

    /**
     * The peer has sent bytes that are no command, or that exceed a limit. No further command follows. The default answers as Redis does,
     * with {@code -ERR Protocol error: } and the message of {@code cause}. The connection is closed after the call.
     */
    default void malformed(Connection connection, RespException cause, RespWriter reply) throws Exception {
        reply.error("ERR Protocol error: " + cause.getMessage());
    }

    /** See {@link ConnectionHandler#writable}. */
    default void writable(Connection connection) throws Exception {}

    /** See {@link ConnectionHandler#deadlinePassed}. */
    default void deadlinePassed(Connection connection) throws Exception {}

    /** The peer will send no more; an incomplete command is dropped. The default closes the connection. */
    default void inputClosed(Connection connection) throws Exception {
        connection.close();
    }

    /** See {@link ConnectionHandler#draining}. The default closes the connection. */
    default void draining(Connection connection) throws Exception {
        connection.close();
    }

    /** See {@link ConnectionHandler#beforeNestedWait}. */
    default void beforeNestedWait(Connection connection) {}

    /** The connection is gone. The last call; see {@link ConnectionHandler#closed}. */
    default void closed(Connection connection, Throwable cause) {}
}
