package org.cabrank.stream;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * One listening address of a reactor ({@link StreamReactor#listen}). The reactor closes it when it ends. Any thread may call the methods.
 *
 * <pre>{@code
 *  listening --pause--> paused
 *      |      <-resume--   |
 *      +------- close -----+--> closing --> closed: the address is free
 * }</pre>
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface Listener extends AutoCloseable {
    /** Listening address, with the port that the kernel chose; unchanged after the close. */
    SocketAddress address();

    ListenOptions options();

    /** Stops accepting until {@link #resume}, after at most one more connection per pool thread. The kernel still completes handshakes. */
    void pause();

    /** Ends any number of pauses. The connections that the kernel has held are accepted first. */
    void resume();

    boolean isPaused();

    ListenerCounters counters();

    /**
     * Returns descriptors of the listening sockets for another process, which can continue to listen when this reactor ends. They are
     * duplicates with close-on-exec, which the caller passes on (SCM_RIGHTS, unix(7)) and closes. With {@link AcceptMode#REUSEPORT} and
     * {@link AcceptMode#REUSEPORT_CPU} there is a descriptor for each shard, in other modes one. When the listener ends, the backlog of
     * the sockets, the connections in it and the file of a Unix socket remain.
     *
     * @throws IOException if the listener is closed, or if the kernel has no free descriptor
     */
    int[] share() throws IOException;

    /** Undoes {@link #share} if the other process did not take the sockets. The sockets then belong to this reactor alone again. */
    void unshare();

    /** Returns a snapshot of the accepted connections, at the cost of {@link StreamReactor#connections}. */
    List<Connection> connections();

    /** Closes connections of the listener, as {@link StreamReactor#closeConnections} does. The listener continues to accept. */
    int closeConnections(Predicate<? super Connection> which);

    /** Ends listening; open connections stay. First accepts the connections that the kernel has completed. Does not wait. Idempotent. */
    @Override
    void close();

    /**
     * Returns a future that is completed when all sockets of the listener are closed, and the address is free. Do not wait for it in a
     * callback, because the waiting thread may be the thread that has to close the listener.
     */
    CompletableFuture<Void> closed();
}
