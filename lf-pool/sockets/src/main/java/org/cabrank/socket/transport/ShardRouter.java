package org.cabrank.socket.transport;

import java.net.SocketAddress;

/** Choice of the shard that serves an accepted connection. Any thread. */
@FunctionalInterface
interface ShardRouter {
    /** Whoever accepts serves. */
    ShardRouter OWN = (accepting, fd, remote) -> accepting;

    /**
     * The shard for the connection {@code fd} from {@code remote}.
     *
     * @param accepting the shard that has accepted it
     * @param remote null, if unknown and {@link #needsPeer} is false
     */
    SocketShard route(SocketShard accepting, int fd, SocketAddress remote);

    /** Returns true if the peer's address decides. */
    default boolean needsPeer() {
        return false;
    }
}
