package org.cabrank.socket.transport;

import java.net.SocketAddress;

/** Choice of the shard that serves an accepted connection. Any thread. */
@FunctionalInterface
interface ShardRouter {
    /** Chooses the accepting shard. */
    ShardRouter OWN = (accepting, fd, remote) -> accepting;

    /** @param remote null if unknown and {@link #needsPeer} is false */
    SocketShard route(SocketShard accepting, int fd, SocketAddress remote);

    default boolean needsPeer() {
        return false;
    }
}
