package org.cabrank.socket.transport;

import java.net.SocketAddress;
import java.util.List;
import org.cabrank.kernel.Errno;
import org.cabrank.socket.calls.SocketOps;

/** Chooses a shard on the CPU of the connection's last packet (SO_INCOMING_CPU). If no shard runs there, {@code otherwise} chooses. */
final class IncomingCpu implements ShardRouter {
    private final List<SocketShard> shards;
    private final CpuShards cpus;
    private final ShardRouter otherwise;

    IncomingCpu(List<SocketShard> shards, CpuShards cpus, ShardRouter otherwise) {
        this.shards = shards;
        this.cpus = cpus;
        this.otherwise = otherwise;
    }

    @Override
    public SocketShard route(SocketShard accepting, int fd, SocketAddress remote) {
        int cpu = accepting.sockets().incomingCpu(fd);
        if (cpu < 0) {
            if (cpu != SocketOps.NO_CPU) {
                accepting.handleSet().failures().log("the CPU of a connection", Errno.exception("getsockopt", cpu));
            }
            return otherwise.route(accepting, fd, remote);
        }
        SocketShard least = null;
        for (int shard : cpus.on(cpu)) {
            SocketShard candidate = shards.get(shard);
            least = least == null || candidate.streamCount() < least.streamCount() ? candidate : least;
        }
        return least != null ? least : otherwise.route(accepting, fd, remote);
    }

    @Override
    public boolean needsPeer() {
        return otherwise.needsPeer();
    }
}
