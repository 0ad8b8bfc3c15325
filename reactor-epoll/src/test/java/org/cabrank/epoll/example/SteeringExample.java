package org.cabrank.epoll.example;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.DatagramSteering;
import org.cabrank.socket.UdpSocket;

/** Shards at one port: the number of the flow, 4 bytes at the beginning of each datagram, chooses the shard. */
final class SteeringExample implements AutoCloseable {
    private final List<EpollHandleSet> sets = new ArrayList<>();
    private final List<LeaderFollowersPool> pools = new ArrayList<>();
    private final AtomicLongArray datagrams;
    private InetSocketAddress address = new InetSocketAddress("127.0.0.1", 0);

    SteeringExample(int shards) throws IOException, KernelUnavailableException {
        datagrams = new AtomicLongArray(shards);
        DatagramOptions options = DatagramOptions.DEFAULT
                .withOrdered(true)
                .withSharedPort(true)
                .withSteering(DatagramSteering.byPayload(0, Integer.BYTES, shards));
        for (int i = 0; i < shards; i++) {
            int shard = i;
            EpollHandleSet set = new EpollHandleSet(Kernels.system(), Deactivation.CLAIM);
            sets.add(set);
            UdpSocket socket =
                    UdpSocket.bind(set, address, options, (own, datagram) -> datagrams.incrementAndGet(shard));
            address = socket.localAddress(); // further shards share the port of the first
            LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("shard-" + shard, 1));
            pools.add(pool);
            pool.start();
        }
    }

    InetSocketAddress address() {
        return address;
    }

    long datagramsOf(int shard) {
        return datagrams.get(shard);
    }

    @Override
    public void close() {
        pools.forEach(LeaderFollowersPool::close);
        sets.forEach(EpollHandleSet::close);
    }
}
