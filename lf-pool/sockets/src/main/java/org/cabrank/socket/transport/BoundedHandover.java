package org.cabrank.socket.transport;

import java.net.SocketAddress;
import org.cabrank.stream.transport.StreamCount;

/** Skips a shard with too many unopened connections: the accepting shard, which is awake, serves further connections itself. */
final class BoundedHandover implements ShardRouter {
    /** Named bound: connections handed to a shard that has not called {@code opened} for them yet. */
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
