package org.cabrank.stream;

import java.net.SocketAddress;

/** Decides on each connection that a {@link Listener} accepts. Pool threads call it concurrently. A slow acceptor delays accepting. */
@FunctionalInterface
public interface ConnectionAcceptor {
    /**
     * Returns the handler of the connection. If the result is null, the connection is reset and counted ({@link ListenerCounters#refused}).
     * A thrown exception has the same effect, and is logged once per kind. The address of a Unix socket without a name has no path.
     */
    ConnectionHandler accept(SocketAddress remote, SocketAddress local);
}
