package org.cabrank.stream;

import java.net.SocketAddress;

/**
 * Decides on each connection that a {@link Listener} accepts, by its addresses. Called by pool threads, several at a time, before the
 * connection is registered: a slow acceptor delays the connections that wait in the accept queue.
 */
@FunctionalInterface
public interface ConnectionAcceptor {
    /**
     * Returns the handler of the connection, which may be the same each time, or null: the connection is reset, and counted ({@link
     * ListenerCounters#refused}) without a log entry. An exception refuses the connection, too, and is logged once per kind. The remote
     * address of a Unix socket without a name has no path.
     */
    ConnectionHandler accept(SocketAddress remote, SocketAddress local);
}
