package org.cabrank.socket.transport;

import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Chooses the shard with the fewest connections, opened or not. Several shards may choose the same one at once. */
final class LeastLoaded implements ShardRouter {
    private final List<SocketShard> shards;

    /** Start of the search, advanced for each connection so that equal shards take turns. */
    private final AtomicInteger turns = new AtomicInteger();

    LeastLoaded(List<SocketShard> shards) {
        this.shards = shards;
    }

    @Override
    public SocketShard route(SocketShard accepting, int fd, SocketAddress remote) {
        int first = Math.floorMod(turns.getAndIncrement(), shards.size());
        SocketShard least = shards.get(first);
        for (int i = 1; i < shards.size(); i++) {
            SocketShard other = shards.get((first + i) % shards.size());
            least = other.streamCount() < least.streamCount() ? other : least;
        }
        return least;
    }
}
