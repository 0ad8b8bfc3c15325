package org.cabrank.socket.transport;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.List;

final class AddressHash implements ShardRouter {
    private final List<SocketShard> shards;
    private final ShardRouter otherwise;

    AddressHash(List<SocketShard> shards, ShardRouter otherwise) {
        this.shards = shards;
        this.otherwise = otherwise;
    }

    @Override
    public SocketShard route(SocketShard accepting, int fd, SocketAddress remote) {
        if (!(remote instanceof InetSocketAddress peer)) {
            return otherwise.route(accepting, fd, remote);
        }
        return shards.get(Integer.remainderUnsigned(hash(peer), shards.size()));
    }

    @Override
    public boolean needsPeer() {
        return true;
    }

    /** Mixes all bits of the port into all bits of the hash, because ports of one host are often consecutive. */
    static int hash(InetSocketAddress peer) {
        int mixed = 31 * Arrays.hashCode(peer.getAddress().getAddress()) + peer.getPort();
        mixed = (mixed ^ mixed >>> 16) * 0x85ebca6b;
        mixed = (mixed ^ mixed >>> 13) * 0xc2b2ae35;
        return mixed ^ mixed >>> 16;
    }
}
