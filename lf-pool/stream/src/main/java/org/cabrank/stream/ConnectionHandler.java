package org.cabrank.stream;

import java.nio.ByteBuffer;

/**
 * Handler of a connection: the code of a service. The same handler runs unchanged on every backend.
 *
 * <p>Calls for one connection come one at a time and in order, on whatever pool thread processes it; calls for different
 * connections come concurrently when one handler object serves several of them. An exception closes the connection, is
 * counted and logged once per kind, and reaches {@link #closed}.
 *
 * <p>A failed send ends the output, not the input: a server that rejects an upload may have answered before it closed. What was queued is
 * dropped, and so is what is written later. Bytes that the peer had sent go to {@link #data}, then comes the peer's end ({@link
 * #inputClosed}, not after a reset without an end), and then {@link #closed} with the failure of the send. If reading is paused or
 * work is offloaded, received bytes wait for that; a connection without received bytes ends at once. {@link StreamTimeouts#close} and
 * {@link StreamTimeouts#closeTotal} bound the wait. After {@link Connection#close} a failed send ends the connection at once.
 */
@FunctionalInterface
public interface ConnectionHandler {

    /** The connection is established: accepted, or connected. The first call for a connection. */
    default void opened(Connection connection) throws Exception {}

    /**
     * <b>The buffer is valid only during the call</b>: its memory serves other connections afterwards. Work that another thread
     * does later ({@link Connection#offload}, {@link Connection#execute}) needs a copy of the bytes, and would otherwise read or
     * send the bytes of another connection. With {@code -Dcabrank.checkBuffers=true} a buffer is empty after the call and its
     * memory, as duplicates and slices show it, is overwritten: use the property in tests.
     *
     * <p>Called when bytes have come. They stand from the buffer's position to its limit. Every call finds the buffer
     * direct, in network byte order ({@link java.nio.ByteOrder#BIG_ENDIAN}) and without a mark, whatever an earlier call has
     * set and however the bytes were received.
     *
     * <p>Bytes that the handler leaves unread, from the position to the limit that the buffer had before the call, are kept and
     * stand in front of the next ones. When they reach {@link StreamLimits#unreadLimit}, the connection is closed with an
     * {@link UnreadLimitException}.
     */
    void data(Connection connection, ByteBuffer data) throws Exception;

    /**
     * The bytes that {@link Connection#write} had queued have fallen to the low watermark after they had passed the high one, or
     * after {@link Connection#isWritable} has returned false; or there is room for a write that was refused
     * ({@link WriteQueueFullException#mayRetry}).
     */
    default void writable(Connection connection) throws Exception {}

    /**
     * The {@linkplain Connection#deadline deadline} of the connection has passed. The connection is closed with a
     * {@link DeadlineException} after the call, unless the handler has set another deadline, removed the deadline, or called
     * {@link Connection#close}, which sends first what this call has written: a last message that names the reason. Not called
     * after {@link Connection#close}, nor while offloaded work is under way. If this call waits for a reply, the connection is closed
     * after the call has returned, and behind work that another callback has offloaded during the wait. The default does nothing.
     */
    default void deadlinePassed(Connection connection) throws Exception {}

    /**
     * The peer will send no more (half-close). Unread bytes are in {@code unread}, a buffer like that of {@link #data} and valid
     * only during the call. The connection can still be written to; the default closes it once everything queued has been sent.
     */
    default void inputClosed(Connection connection, ByteBuffer unread) throws Exception {
        connection.close();
    }

    /**
     * The reactor is being closed, and the connection has nothing under way: what was received has been given to the handler.
     * The default closes the connection. A handler that does not may write a last message and continue until its work is done; it calls
     * {@link Connection#close} then, and the reactor waits for that for its drain time-out at most. Until then this method is called
     * again after each event of the connection. Before this call, {@link Connection#isDraining} tells a handler that the end is near.
     */
    default void draining(Connection connection) throws Exception {
        connection.close();
    }

    /**
     * The present callback is about to wait for a reply ({@link Connection#newReply}). Other threads may call the handler for this
     * connection as soon as this call returns. The default does nothing: meant for handlers that decorate another and keep state of
     * their own during a callback.
     */
    default void beforeNestedWait(Connection connection) {}

    /**
     * Returns the connection as the callbacks of the service are given it. The default returns {@code connection}: meant for handlers
     * that decorate another and give the other a {@link Connection} of their own, as TLS does. The reactor asks when it lists or closes
     * connections ({@link StreamReactor#connections}). Any thread, at any time; this is no callback.
     */
    default Connection decorated(Connection connection) {
        return connection;
    }

    /**
     * The connection is gone. The last call. {@code cause} is null after an orderly close by either side and after
     * {@link Connection#abort}; else it says why the connection ended, and what was written may not have arrived.
     */
    default void closed(Connection connection, Throwable cause) {}
}
