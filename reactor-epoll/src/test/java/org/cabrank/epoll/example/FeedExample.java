package org.cabrank.epoll.example;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.socket.DatagramBatch;
import org.cabrank.socket.DatagramDetail;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.GroupMembership;
import org.cabrank.socket.OutgoingBatch;
import org.cabrank.socket.UdpSocket;

/**
 * A feed of two multicast groups on one socket: datagrams come in batches, each with its group and the time at which the kernel has
 * received the datagram. The publisher sends several updates by one system call.
 */
final class FeedExample implements AutoCloseable {
    private static final int BATCH = 32;
    private static final int UPDATE_BYTES = 64;

    private final AtomicLong trades = new AtomicLong();
    private final AtomicLong quotes = new AtomicLong();
    private final LatencyHistogram ages = new LatencyHistogram("feed");
    private final EpollHandleSet set;
    private final LeaderFollowersPool pool;
    private final UdpSocket feed;
    private final GroupMembership tradeGroup;
    private final UdpSocket publisher;
    private final OutgoingBatch updates;

    FeedExample(InetAddress tradeAddress, InetAddress quoteAddress, NetworkInterface via)
            throws IOException, KernelUnavailableException {
        set = new EpollHandleSet(Kernels.system(), Deactivation.CLAIM);
        feed = UdpSocket.bind(
                set,
                new InetSocketAddress("0.0.0.0", 0),
                DatagramOptions.DEFAULT
                        .withOrdered(true)
                        .withBatch(BATCH)
                        .withBytesMax(1_500)
                        .withDetails(DatagramDetail.DESTINATION, DatagramDetail.RECEIVE_TIME)
                        .withAges(ages),
                DatagramHandler.ofBatches((socket, batch) -> count(batch)));
        tradeGroup = feed.join(tradeAddress, via);
        feed.join(quoteAddress, via);
        publisher = UdpSocket.bind(
                set,
                new InetSocketAddress("0.0.0.0", 0),
                DatagramOptions.DEFAULT.withMulticastInterface(via),
                (socket, datagram) -> {});
        updates = publisher.newBatch(BATCH, UPDATE_BYTES);
        pool = new LeaderFollowersPool(set, PoolConfig.of("feed", 2));
        pool.start();
    }

    private void count(DatagramBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            (tradeGroup.includes(batch.get(i)) ? trades : quotes).incrementAndGet();
        }
    }

    /** Publishes updates to a group. Returns the number of datagrams that the kernel has accepted. */
    int publish(InetAddress group, int count) {
        InetSocketAddress to = new InetSocketAddress(group, feed.localAddress().getPort());
        int accepted = 0;
        for (int i = 0; i < count; i++) {
            updates.add(to, ByteBuffer.allocate(UPDATE_BYTES));
            if (updates.isFull() || i + 1 == count) {
                accepted += updates.send();
            }
        }
        return accepted;
    }

    long trades() {
        return trades.get();
    }

    long quotes() {
        return quotes.get();
    }

    /** Datagrams that have come too fast for the receive buffer. */
    long dropped() {
        return feed.counters().dropped();
    }

    /** Time from the kernel to the handler. */
    LatencyHistogram ages() {
        return ages;
    }

    @Override
    public void close() {
        pool.close();
        set.close();
    }
}
