package org.cabrank.stream.transport;

import java.nio.ByteBuffer;
import org.cabrank.stream.Connection;
import org.cabrank.stream.StreamLimits;

/** Further methods for decorators that encode output or hold it back. Any thread may call a method that does not require a callback. */
public interface DecoratorOutput {
    /** Kinds of calls. Offloaded work treats each kind differently. */
    enum CallKind {
        /** Output. It is sent even if the callback that hands it over offloads work. */
        WRITE,

        /** A close or an end of the output. It waits for the continuation of offloaded work. */
        END,

        OTHER,

        /** Code of the service ({@link Connection#execute}). Later calls do not overtake it. */
        TASK,

        /** Work of the decorator that may call the service. It runs as a callback and, like a timer, has no place in the order. */
        ASIDE
    }

    /**
     * Writes at once, before any mail. Of the limits only {@link StreamLimits#shardMemory} applies, so write only bytes for which room was
     * required, and short protocol messages. The decorator keeps the order of its output. Called in a callback.
     */
    void writeUnbounded(ByteBuffer data);

    /**
     * Throws as {@link Connection#write(ByteBuffer)} does if {@code bytes} bytes cannot be queued now. {@code writable} is then called as
     * after a refused write. In a callback the room stays free for the writes of that callback.
     */
    void requireRoom(int bytes);

    /**
     * Returns true in a callback if a call of the decorated connection acts at once. First runs calls that were {@linkplain #handOver
     * handed over} before, up to the first task. If this method returns false, the decorator must hand the call over.
     */
    boolean actsAtOnce();

    /**
     * Hands over a call of the decorated connection. The call keeps its place in the order of the calls. It runs code of the service only
     * if {@code kind} allows that. It runs in any callback of this connection or at the end of the connection.
     *
     * @throws java.util.concurrent.RejectedExecutionException as {@link Connection#execute}; in a callback, only after the end
     */
    void handOver(Runnable call, CallKind kind);

    /** Adds {@code bytes}, which may be negative, to the held-back bytes ({@link StreamLimits#outboundMax}). */
    void countHeldBack(int bytes);

    /**
     * Begins a close when the service has closed the connection but the decorator still has bytes to write. When it has written them, the
     * decorator calls {@link Connection#close}. Until then input is dropped, and the time limits of a close apply. Called in a callback.
     */
    void beginClose();

    /**
     * Pauses reading for the decorator, or ends this pause. A later {@link Connection#pauseReading} or {@link Connection#resumeReading} that
     * acts replaces the pause of the decorator. Called in a callback.
     */
    void holdInput(boolean held);

    /** Returns the number of pauses of {@link Connection#pauseReading} that have ended. Called in a callback. */
    int pausesEnded();

    /** Returns true if the connection has ended and takes no tasks or bytes. Its last callbacks may still follow. */
    boolean isGone();

    /** Returns the output of a connection. Throws {@link ClassCastException} if the connection is not an object of this library. */
    static DecoratorOutput of(Connection connection) {
        return (DecoratorOutput) connection;
    }
}
