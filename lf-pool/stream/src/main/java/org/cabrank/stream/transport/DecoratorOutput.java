package org.cabrank.stream.transport;

import java.nio.ByteBuffer;
import org.cabrank.stream.Connection;
import org.cabrank.stream.StreamLimits;

/** Methods besides those of {@link Connection} for decorators that encode output or hold it back. */
public interface DecoratorOutput {
    /** Kinds of calls, as far as offloaded work treats them differently. */
    enum CallKind {
        /** Output: what a callback hands over goes out even if the callback offloads work. */
        WRITE,

        /** A close, or an end of the output: waits for the continuation of offloaded work. */
        END,

        OTHER,

        /** Code of the service: see {@link Connection#execute}. No call behind it acts before it. */
        TASK,

        /** Work of the decorator that has no place among the calls, and may call the service: runs as a callback, like a timer. */
        ASIDE
    }

    /**
     * In a callback: writes as {@link Connection#write(ByteBuffer)}, and is refused neither by {@link StreamLimits#queueLimit} nor by
     * {@link StreamLimits#outboundMax}. For bytes whose room the decorator has required before it encoded them, and for messages that
     * its protocol owes the peer and whose size the protocol bounds. {@link StreamLimits#shardMemory} bounds these bytes as well. They
     * are written at once, before any mail: the decorator keeps the order of calls ({@link #actsAtOnce}).
     */
    void writeUnbounded(ByteBuffer data);

    /**
     * Throws as {@link Connection#write(ByteBuffer)} would if so many bytes cannot be queued now, and has {@link org.cabrank.stream.ConnectionHandler#writable}
     * called in the same way. For a handler that encodes what it writes, and must know before it has encoded the bytes. In a callback
     * the room stays free for the writes of that callback.
     *
     * @param bytes 0 or more
     * @throws IllegalArgumentException for a negative number
     */
    void requireRoom(int bytes);

    /**
     * Any thread: returns true in a callback if a call of the decorated connection acts at once. What was {@linkplain #handOver handed
     * over} before is run now, up to the first task; behind a task the call is to be handed over, too.
     */
    boolean actsAtOnce();

    /**
     * Any thread: hands over a call of the decorated connection that runs no code of the service, and keeps its place among the calls.
     * Runs in a callback of this connection, which may be one of the service, or when the connection is gone.
     *
     * @throws java.util.concurrent.RejectedExecutionException as {@link Connection#execute}; never in a callback, unless the connection
     *     is gone
     */
    void handOver(Runnable call, CallKind kind);

    /**
     * Any thread: counts bytes that the decorator holds back towards {@link StreamLimits#outboundMax}.
     *
     * @param bytes negative: that many bytes are no longer held back
     */
    void countHeldBack(int bytes);

    /**
     * In a callback: the service has closed the connection, and the decorator still writes what it holds back. {@link Connection#close}
     * follows behind that. Until then input is dropped, and the time limits of a close hold, as behind that call.
     */
    void beginClose();

    /**
     * Any thread: returns true if the connection has ended, and takes neither tasks nor bytes any more. Its last tasks and completions may
     * still run, and {@link org.cabrank.stream.ConnectionHandler#closed} may still follow.
     */
    boolean isGone();

    /**
     * Returns the output of a connection that is to be decorated.
     *
     * @throws ClassCastException for a connection of another library
     */
    static DecoratorOutput of(Connection connection) {
        return (DecoratorOutput) connection;
    }
}
