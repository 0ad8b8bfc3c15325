package org.cabrank.epoll.example;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.UdpSocket;

/** UDP echo on three threads: they take turns watching the socket, and any number of them answer at once. */
final class DatagramEchoExample implements AutoCloseable {
    private final EpollHandleSet set;
    private final LeaderFollowersPool pool;
    private final UdpSocket socket;

    DatagramEchoExample() throws IOException, KernelUnavailableException {
        set = new EpollHandleSet(Kernels.system(), Deactivation.CLAIM);
        socket = UdpSocket.bind(
                set,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                (from, datagram) -> datagram.reply(datagram.data()));
        pool = new LeaderFollowersPool(set, PoolConfig.of("udp-echo", 3));
        pool.start();
    }

    InetSocketAddress address() {
        return socket.localAddress();
    }

    @Override
    public void close() {
        pool.close();
        set.close();
    }
}
