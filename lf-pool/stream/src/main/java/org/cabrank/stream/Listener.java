package org.cabrank.stream;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * One listening address of a reactor, in all its shards: see {@link StreamReactor#listen(SocketAddress, ListenOptions,
 * java.util.function.Supplier)}. A reactor may have any number of listeners, each with its own options, handlers and limits, and closes
 * them at its end. Any thread, callbacks included.
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

    /**
     * Stops accepting until {@link #resume}. The kernel completes handshakes as before, and holds up to {@link ListenOptions#backlog}
     * connections. After the call each pool thread accepts at most one connection more. Without effect on a paused or closed listener.
     */
    void pause();

    /** Accepts again, first the connections that the kernel has held during the pause. One call ends any number of pauses. */
    void resume();

    boolean isPaused();

    ListenerCounters counters();

    /**
     * Returns descriptors of the listening sockets for another process, which continues to listen with them when this reactor ends:
     * duplicates, closed on exec, which the caller passes (SCM_RIGHTS, unix(7)) and closes. With {@link AcceptMode#REUSEPORT} and {@link
     * AcceptMode#REUSEPORT_CPU} these are one for each shard, else one. From then on the end of the listener does not affect the sockets'
     * backlog, connections that the kernel holds for them, or the file of a Unix socket.
     *
     * @throws IOException if the listener is closed, or the kernel has no free descriptor, with cause and remedy
     */
    int[] share() throws IOException;

    /** Ends what {@link #share} has begun, if the other process did not take the sockets: they belong to this reactor alone again. */
    void unshare();

    /** Returns a snapshot of the accepted connections, at the cost of {@link StreamReactor#connections}. */
    List<Connection> connections();

    /** Closes connections of the listener, which continues to accept, as {@link StreamReactor#closeConnections} does. */
    int closeConnections(Predicate<? super Connection> which);

    /**
     * Ends listening; the connections of the listener stay. Connections that the kernel has completed before are accepted and served first,
     * even if the listener is paused, so that no connected client is reset. Returns at once ({@link #closed}). Idempotent.
     */
    @Override
    void close();

    /**
     * Returns a future that is completed when all sockets of the listener are closed, by {@link #close} or the end of the reactor, and
     * another socket can be bound to the address. The future is a copy: completing or cancelling it does not affect the listener. Waiting
     * for it in a callback blocks a thread that may have to close the listener.
     */
    CompletableFuture<Void> closed();
}
