package org.cabrank.stream;

import java.nio.ByteBuffer;

/**
 * Handler of a connection: the code of a service, which runs unchanged on every backend.
 *
 * <p>Calls for one connection come one at a time and in order, each on any pool thread. If one handler serves several connections, calls
 * for different connections come concurrently. An exception of a call closes the connection, is counted, is logged once per kind, and is
 * passed to {@link #closed}.
 *
 * <p>A failed send ends only the output, because a peer that rejects an upload may have answered before it closed. Queued and later bytes
 * are dropped. Bytes that the peer had sent go to {@link #data}. Then {@link #inputClosed} is called if the peer has ended its output, and
 * then {@link #closed} with the failure. Paused reading and offloaded work delay this, for at most {@link StreamTimeouts#close}. Without
 * received bytes, and after {@link Connection#close}, the connection ends at once.
 */
@FunctionalInterface
public interface ConnectionHandler {

    /**
     * The connection is established: accepted, or connected. The first call for a connection. An action of the connect's future may wait
     * for a reply or offload work. If the connection ends meanwhile, {@link #closed} may be the only call.
     */
    default void opened(Connection connection) throws Exception {}

    /**
     * <b>The buffer is valid only during the call</b>: its memory serves other connections afterwards. Later work ({@link
     * Connection#offload}, {@link Connection#execute}) needs a copy of the bytes. In tests {@code -Dcabrank.checkBuffers=true} finds wrong
     * uses: it empties the buffer and overwrites its memory after the call.
     *
     * <p>The received bytes are between position and limit. In each call the buffer is direct, in network byte order and without a mark.
     *
     * <p>Unread bytes, from the position after the call to the limit before it, are given to the handler again, in front of the next bytes.
     * When they reach {@link StreamLimits#unreadLimit}, the connection is closed with an {@link UnreadLimitException}.
     */
    void data(Connection connection, ByteBuffer data) throws Exception;

    /**
     * The queue has fallen to the low watermark after it had passed the high watermark or {@link Connection#isWritable} had returned false,
     * or the queue has room for a write that was refused ({@link WriteQueueFullException#mayRetry}).
     */
    default void writable(Connection connection) throws Exception {}

    /**
     * The {@linkplain Connection#deadline deadline} has passed. After this call the connection is closed with a {@link DeadlineException},
     * unless the handler has replaced or removed the deadline, or has called {@link Connection#close}. A close first sends the bytes that
     * this call has written. Not called after a close or during offloaded work. The default does nothing.
     */
    default void deadlinePassed(Connection connection) throws Exception {}

    /**
     * The peer will send no more (half-close). {@code unread} has the unread bytes, and is valid only during the call. The connection can
     * still write. The default closes it once everything queued has been sent.
     */
    default void inputClosed(Connection connection, ByteBuffer unread) throws Exception {
        connection.close();
    }

    /**
     * The reactor is being closed, and all received bytes were given to the handler. The default closes the connection. A handler may
     * write a last message or finish its work first, and then call {@link Connection#close}. The reactor waits for this, at most for its
     * drain time-out. Until then the method is called again after each event of the connection.
     */
    default void draining(Connection connection) throws Exception {
        connection.close();
    }

    /** The callback is about to wait for a reply ({@link Connection#newReply}). After this call other threads may call the handler. */
    default void beforeNestedWait(Connection connection) {}

    /**
     * Returns the {@link Connection} that callbacks of the service get. A handler that passes its own connection to a decorated handler, as
     * TLS does, overrides this method. {@link StreamReactor#connections} calls it in any thread, at any time.
     */
    default Connection decorated(Connection connection) {
        return connection;
    }

    /**
     * The connection has ended. This is the last call. {@code cause} is null after an orderly close by either side and after {@link
     * Connection#abort}. Otherwise {@code cause} is the reason of the end, and written bytes may not have reached the peer.
     */
    default void closed(Connection connection, Throwable cause) {}
}
