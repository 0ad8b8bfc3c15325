package org.cabrank.socket.transport;

import java.net.SocketAddress;

/** Choice of the shard that serves an accepted connection. Thread-safe. */
@FunctionalInterface
interface ShardRouter {
    /** Chooses the accepting shard. */
    ShardRouter OWN = (accepting, fd, remote) -> accepting;

    /** @param remote address of the peer. May be null if {@link #needsPeer} is false */
    SocketShard route(SocketShard accepting, int fd, SocketAddress remote);

    default boolean needsPeer() {
        return false;
    }
}
