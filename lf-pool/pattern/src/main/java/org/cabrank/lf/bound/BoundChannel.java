package org.cabrank.lf.bound;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;

/** A connection that bound threads share. It has a non-blocking descriptor of a reactor. */
public interface BoundChannel {

    /**
     * Adds the connection to a handle set of {@code pool}. From now on {@code handler} is called when the connection is ready. The
     * descriptor stays open until {@link #close}, because its number might name another file if it were closed during a send. Called once.
     *
     * @throws IOException if the connection cannot be watched. In this case the connection has been closed
     * @throws IllegalArgumentException if {@code pool} does not serve the channel's handle set. In this case the connection has been closed
     * @throws IllegalStateException if this was called before, or if the handle set is closed. If the set is closed, the connection has
     *     been closed
     */
    Handle register(LeaderFollowersPool pool, EventHandler handler) throws IOException;

    /**
     * Receives once into the rest of {@code room}, which is a direct buffer, and advances its position. Returns the number of bytes.
     * Returns 0 if there are no bytes at the moment, and -1 if the peer will send no more. Called by the thread that processes the handle.
     */
    int receive(ByteBuffer room) throws IOException;

    /** Sends as much of {@code data} as the socket takes, and advances its position. Any thread may call this, but only one at a time. */
    void send(ByteBuffer data) throws IOException;

    /** If {@code wanted} is true, room to send makes the handle ready. Called by the thread that processes the handle, as its last step. */
    void wantRoom(boolean wanted) throws IOException;

    /** Closes the descriptor. Called once, after the handle was closed and the last send has returned. */
    void close();
}
