package org.cabrank.stream;

import java.nio.ByteBuffer;

/**
 * Handler of a connection: the code of a service, which runs unchanged on every backend.
 *
 * <p>Calls for one connection come one at a time and in order, on whatever pool thread processes it; calls of one handler for several
 * connections come concurrently. An exception closes the connection, is counted and logged once per kind, and reaches {@link #closed}.
 *
 * <p>A failed send ends the output, not the input: a peer that rejects an upload may have answered before it closed. What was queued is
 * dropped, and so is what is written later. Bytes that the peer had sent go to {@link #data}, then comes the peer's end ({@link
 * #inputClosed}, not after a reset without an end), and then {@link #closed} with the failure of the send. If reading is paused or work is
 * offloaded, received bytes wait until that ends; a connection without received bytes ends at once. {@link StreamTimeouts#close} and {@link
 * StreamTimeouts#closeTotal} bound the wait. After {@link Connection#close} a failed send ends the connection at once.
 */
@FunctionalInterface
public interface ConnectionHandler {

    /** The connection is established: accepted, or connected. The first call for a connection. */
    default void opened(Connection connection) throws Exception {}

    /**
     * <b>The buffer is valid only during the call</b>: its memory serves other connections afterwards. Work that another thread does later
     * ({@link Connection#offload}, {@link Connection#execute}) needs a copy of the bytes. With {@code -Dcabrank.checkBuffers=true}, meant
     * for tests, a buffer is empty after the call, and its memory, which duplicates and slices still show, is overwritten.
     *
     * <p>Called when bytes have come. They stand from the buffer's position to its limit. Every call finds the buffer direct, in network
     * byte order ({@link java.nio.ByteOrder#BIG_ENDIAN}) and without a mark, whatever an earlier call has set.
     *
     * <p>Bytes that the handler leaves unread, from the position to the limit that the buffer had before the call, stand in front of the
     * next ones. When they reach {@link StreamLimits#unreadLimit}, the connection is closed with an {@link UnreadLimitException}.
     */
    void data(Connection connection, ByteBuffer data) throws Exception;

    /**
     * The queue has fallen to the low watermark after it had passed the high one, or after {@link Connection#isWritable} has returned
     * false; or there is room for a write that was refused ({@link WriteQueueFullException#mayRetry}).
     */
    default void writable(Connection connection) throws Exception {}

    /**
     * The {@linkplain Connection#deadline deadline} of the connection has passed. The connection is closed with a {@link DeadlineException}
     * after the call, unless the handler has set another deadline, removed the deadline, or called {@link Connection#close}, which sends
     * first what this call has written, such as a last message with the reason. Not called after {@link Connection#close}, nor during
     * offloaded work. If this call waits for a reply, the connection is closed after the call has returned, and behind work that another
     * callback has offloaded during the wait. The default does nothing.
     */
    default void deadlinePassed(Connection connection) throws Exception {}

    /**
     * The peer will send no more (half-close). Unread bytes are in {@code unread}, a buffer like that of {@link #data} and valid only
     * during the call. The connection can still be written to; the default closes it once everything queued has been sent.
     */
    default void inputClosed(Connection connection, ByteBuffer unread) throws Exception {
        connection.close();
    }

    /**
     * The reactor is being closed, and the connection has nothing under way: what was received has been given to the handler. The default
     * closes the connection. Another handler may write a last message, continue until its work is done, and then call {@link
     * Connection#close}, for which the reactor waits for its drain time-out at most; until then this method is called again after each
     * event of the connection. {@link Connection#isDraining} tells a handler earlier that the end is near.
     */
    default void draining(Connection connection) throws Exception {
        connection.close();
    }

    /**
     * The present callback is about to wait for a reply ({@link Connection#newReply}). Other threads may call the handler for this
     * connection as soon as this call returns. For handlers that decorate another handler and keep state of their own during a callback.
     */
    default void beforeNestedWait(Connection connection) {}

    /**
     * Returns the {@link Connection} that callbacks of the service are given. Overridden by handlers that give a decorated handler their
     * own connection, such as the handler of TLS. Called for {@link StreamReactor#connections}, by any thread at any time; no callback.
     */
    default Connection decorated(Connection connection) {
        return connection;
    }

    /**
     * The connection is gone. The last call. {@code cause} is null after an orderly close by either side and after {@link
     * Connection#abort}; else it is the reason why the connection ended, and what was written may not have arrived.
     */
    default void closed(Connection connection, Throwable cause) {}
}
