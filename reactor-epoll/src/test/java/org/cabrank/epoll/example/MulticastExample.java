package org.cabrank.epoll.example;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.UdpSocket;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;

/** Quotes to a multicast group on one interface, and a subscriber that gets them in order. With a TTL of 0 they stay on the host. */
final class MulticastExample implements AutoCloseable {
    private final BlockingQueue<String> quotes = new LinkedBlockingQueue<>();
    private final InetSocketAddress group;
    private final EpollHandleSet set;
    private final LeaderFollowersPool pool;
    private final UdpSocket publisher;

    MulticastExample(InetAddress group, NetworkInterface via) throws IOException, KernelUnavailableException {
        set = new EpollHandleSet(Kernels.system(), Deactivation.CLAIM);
        UdpSocket subscriber = UdpSocket.bind(
                set,
                new InetSocketAddress(group, 0),
                DatagramOptions.DEFAULT
                        .withOrdered(true)
                        .withSharedAddress(true) // other subscribers on this host
                        .withSocketOptions(SocketOptions.NONE.with(SocketOption.SO_RCVBUF, 1 << 20)),
                (socket, datagram) -> quotes.add(
                        StandardCharsets.US_ASCII.decode(datagram.data()).toString()));
        subscriber.join(group, via);
        this.group = subscriber.localAddress();
        publisher = UdpSocket.bind(
                set,
                new InetSocketAddress("0.0.0.0", 0),
                DatagramOptions.DEFAULT
                        .withMulticastInterface(via)
                        .withSocketOptions(SocketOptions.NONE.with(SocketOption.IP_MULTICAST_TTL, 0)),
                (socket, datagram) -> {});
        pool = new LeaderFollowersPool(set, PoolConfig.of("quotes", 2));
        pool.start();
    }

    boolean publish(String quote) {
        return publisher.send(group, ByteBuffer.wrap(quote.getBytes(StandardCharsets.US_ASCII)));
    }

    BlockingQueue<String> quotes() {
        return quotes;
    }

    @Override
    public void close() {
        pool.close();
        set.close();
    }
}
