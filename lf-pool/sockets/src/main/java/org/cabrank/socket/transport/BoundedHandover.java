package org.cabrank.socket.transport;

import java.net.SocketAddress;
import org.cabrank.stream.transport.StreamCount;

/** Limits the connections that wait in a shard. If too many wait there, the accepting shard, which is awake, serves the connection. */
final class BoundedHandover implements ShardRouter {
    /** Maximum number of connections that were handed to a shard and whose {@code opened} has not been called yet. */
    static final int WAITING_MAX = 1024;

    private final ShardRouter router;

    BoundedHandover(ShardRouter router) {
        this.router = router;
    }

    @Override
    public SocketShard route(SocketShard accepting, int fd, SocketAddress remote) {
        SocketShard chosen = router.route(accepting, fd, remote);
        if (chosen != accepting && chosen.notOpenedCount() >= WAITING_MAX) {
            chosen.context().count(StreamCount.PASSED_BY);
            return accepting;
        }
        return chosen;
    }

    @Override
    public boolean needsPeer() {
        return router.needsPeer();
    }
}
