package org.cabrank.socket.transport;

import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The shard that has the fewest connections, those included that it has been handed and not come to yet. Without a lock: shards
 * that accept at the same moment do not see each other's choice, and one may get a few more than another until they even out.
 */
final class LeastLoaded implements ShardRouter {
    private final List<SocketShard> shards;

    /** Where to begin: among equals all have their turn. */
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
