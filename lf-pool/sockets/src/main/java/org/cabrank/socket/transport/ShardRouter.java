package org.cabrank.socket.transport;

import java.net.SocketAddress;

/** Choice of the shard that serves an accepted connection. Any thread. */
@FunctionalInterface
interface ShardRouter {
    /** The accepting shard serves. */
    ShardRouter OWN = (accepting, fd, remote) -> accepting;

    /**
     * Returns the shard for the connection {@code fd} from {@code remote}.
     *
     * @param accepting the shard that has accepted it
     * @param remote null if unknown and {@link #needsPeer} is false
     */
    SocketShard route(SocketShard accepting, int fd, SocketAddress remote);

    /** Returns true if the choice depends on the peer's address. */
    default boolean needsPeer() {
        return false;
    }
}
