package org.cabrank.stream;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * One listening address of a reactor, in all its shards: see {@link StreamReactor#listen(SocketAddress, ListenOptions,
 * java.util.function.Supplier)}. A reactor may have any number of listeners, each with its own options, handlers and limits. The
 * end of the reactor closes its listeners. All methods may be called by any thread, callbacks included.
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

    /** Options that the listener was made with. */
    ListenOptions options();

    /**
     * Stops accepting until {@link #resume}. The kernel completes handshakes as before, and holds up to
     * {@link ListenOptions#backlog} connections. After this method has returned, each thread of the pools
     * accepts at most one connection more, if the thread was about to accept. Pausing a paused or closed listener has no effect.
     */
    void pause();

    /** Accepts again, first the connections that the kernel has held during the pause. One call ends any number of pauses. */
    void resume();

    /** Returns true between {@link #pause} and {@link #resume}. */
    boolean isPaused();

    /** Counts of connections since the listener was made. */
    ListenerCounters counters();

    /**
     * Returns descriptors of the listening sockets for another process, which continues to listen with them when this reactor
     * ends: duplicates, closed on exec, which the caller passes (SCM_RIGHTS, unix(7)) and closes. With {@link AcceptMode#REUSEPORT} and
     * {@link AcceptMode#REUSEPORT_CPU} these are one for each shard, else one.
     *
     * <p>From this call on the reactor treats the sockets as those of other processes, too: the end of the listener leaves their
     * backlog, connections that the kernel holds for them, and the file of a Unix socket.
     *
     * @throws IOException if the listener is closed, or the kernel has no free descriptor, with cause and remedy
     */
    int[] share() throws IOException;

    /** Ends what {@link #share} has begun, for a process that did not take the sockets: they belong to this reactor alone again. */
    void unshare();

    /**
     * Returns a snapshot of the connections that the listener has accepted, see {@link StreamReactor#connections}. Costs as much as
     * that list.
     */
    List<Connection> connections();

    /**
     * Closes connections of the listener, see {@link StreamReactor#closeConnections}. The listener goes on accepting, unless it is
     * paused or closed before.
     *
     * @return number of connections for which {@code which} has returned true
     */
    int closeConnections(Predicate<? super Connection> which);

    /**
     * Ends listening, and leaves the connections of the listener as they are. Connections that the kernel has completed before
     * are accepted and served first, even if the listener is paused, so that no client which is connected is reset. Returns
     * at once; {@link #closed} reports the end. Closing twice has no effect.
     */
    @Override
    void close();

    /**
     * Returns a future that is completed when all sockets of the listener are closed and another socket can be bound to the
     * address, whether {@link #close} or the end of the reactor has closed them. The future is a copy: completing or cancelling
     * it has no effect on the listener. Waiting for it in a callback blocks a thread that may have to close the listener.
     */
    CompletableFuture<Void> closed();
}
