package org.cabrank.lf.bound;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;

/** A connection that bound threads share, as a reactor sees it: a descriptor that does not block. */
public interface BoundChannel {

    /**
     * Called once: adds the connection to a handle set of {@code pool}, and has {@code handler} called when it is ready. The descriptor
     * stays the channel's until {@link #close}: the number of a descriptor closed during a send might already name another file.
     *
     * @throws IOException if it cannot be watched; it has been closed then
     * @throws IllegalArgumentException if {@code pool} does not serve the channel's handle set; it has been closed then
     * @throws IllegalStateException if the handle set is closed (it has been closed then), or if it is registered already
     */
    Handle register(LeaderFollowersPool pool, EventHandler handler) throws IOException;

    /**
     * Called by the thread that processes the handle: receives once into the rest of {@code room}, which is direct, and moves its position.
     * Returns the number of bytes; 0: none at the moment; -1: the peer will send no more.
     */
    int receive(ByteBuffer room) throws IOException;

    /** Sends what the socket takes of {@code data}, and moves its position. Any thread, one at a time. */
    void send(ByteBuffer data) throws IOException;

    /** Called by the thread that processes the handle, last. Sets whether room to send is reported. */
    void wantRoom(boolean wanted) throws IOException;

    /** Closes the descriptor. Called once, after the handle was closed and when nothing is sent any more. */
    void close();
}
