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

        /** Code of the service: see {@link Connection#execute}. Later calls do not overtake it. */
        TASK,

        /** Work of the decorator that has no place among the calls, and may call the service: runs as a callback, like a timer. */
        ASIDE
    }

    /**
     * In a callback: writes at once, before any mail, without regard to {@link StreamLimits#queueLimit} and {@link
     * StreamLimits#outboundMax}; {@link StreamLimits#shardMemory} applies. For bytes whose room the decorator has required before it
     * encoded them, and for messages that its protocol owes the peer and whose size the protocol bounds. The decorator keeps the order.
     */
    void writeUnbounded(ByteBuffer data);

    /**
     * Throws as {@link Connection#write(ByteBuffer)} would if so many bytes, 0 or more, cannot be queued now, and has {@link
     * org.cabrank.stream.ConnectionHandler#writable} called in the same way. For a handler that must know before it encodes what it writes.
     * In a callback the room stays free for the writes of that callback.
     */
    void requireRoom(int bytes);

    /**
     * Any thread: returns true in a callback if a call of the decorated connection acts at once. Runs what was {@linkplain #handOver handed
     * over} before, up to the first task; behind a task the call must be handed over, too.
     */
    boolean actsAtOnce();

    /**
     * Any thread: hands over a call of the decorated connection that runs no code of the service, and keeps its place among the calls. Runs
     * in a callback of this connection, which may be one of the service, or when the connection is gone.
     *
     * @throws java.util.concurrent.RejectedExecutionException as {@link Connection#execute}; in a callback only if the connection is gone
     */
    void handOver(Runnable call, CallKind kind);

    /** Any thread: adds to the held-back bytes that count for {@link StreamLimits#outboundMax}; a negative number subtracts. */
    void countHeldBack(int bytes);

    /**
     * In a callback: the service has closed the connection, and the decorator still writes what it holds back, before it calls {@link
     * Connection#close}. Until then input is dropped, and the time limits of a close hold.
     */
    void beginClose();

    /** Any thread: returns true if the connection has ended, and takes neither tasks nor bytes. Its last callbacks may still follow. */
    boolean isGone();

    /** Returns the output of a connection that is to be decorated. Throws {@link ClassCastException} if another library made it. */
    static DecoratorOutput of(Connection connection) {
        return (DecoratorOutput) connection;
    }
}
