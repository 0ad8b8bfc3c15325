package org.cabrank.lf.bound;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;

/** A connection that bound threads share: a non-blocking descriptor of a reactor. */
public interface BoundChannel {

    /**
     * Called once: adds the connection to a handle set of {@code pool}, and has {@code handler} called when the connection is ready. Only
     * {@link #close} closes the descriptor: if it were closed during a send, its number might already name another file.
     *
     * @throws IOException if the connection cannot be watched. The connection has been closed then
     * @throws IllegalArgumentException if {@code pool} does not serve the channel's handle set. The connection has been closed then
     * @throws IllegalStateException if the handle set is closed (the connection has been closed then), or if this was called before
     */
    Handle register(LeaderFollowersPool pool, EventHandler handler) throws IOException;

    /**
     * Receives once into the rest of {@code room}, a direct buffer, and advances its position. Called by the thread that processes the
     * handle. Returns the number of bytes; 0 if there are none at the moment; -1 if the peer will send no more.
     */
    int receive(ByteBuffer room) throws IOException;

    /** Sends as much of {@code data} as the socket takes, and advances its position. Any thread, one at a time. */
    void send(ByteBuffer data) throws IOException;

    /** Turns reports of room to send on or off. Called by the thread that processes the handle, as its last step. */
    void wantRoom(boolean wanted) throws IOException;

    /** Closes the descriptor. Called once, after the handle was closed and the last send has returned. */
    void close();
}
