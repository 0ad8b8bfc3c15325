package org.cabrank.epoll.example;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramBatch;
import org.cabrank.socket.DatagramBatchHandler;
import org.cabrank.socket.DatagramDetail;
import org.cabrank.socket.DatagramError;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.DatagramQueueLimits;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.OutgoingBatch;
import org.cabrank.socket.UdpSocket;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;

/** Examples of the README of {@code lf-pool/sockets}, one for each feature of datagram sockets. */
final class DatagramRecipes {
    private DatagramRecipes() {}

    // ---- many datagrams for each system call ----

    static final class BatchEcho implements DatagramBatchHandler {
        private OutgoingBatch answers;

        @Override
        public void batch(UdpSocket socket, DatagramBatch batch) {
            if (answers == null) {
                answers = socket.newBatch(32, 1_500);
            }
            for (int i = 0; i < batch.size(); i++) {
                answers.reply(batch.get(i), batch.get(i).data());
            }
            answers.send();
        }
    }

    static UdpSocket batches(DescriptorSet set, InetSocketAddress address) throws IOException {
        return UdpSocket.bind(
                set,
                address,
                DatagramOptions.DEFAULT.withOrdered(true).withBatch(32).withBytesMax(1_500),
                DatagramHandler.ofBatches(new BatchEcho()));
    }

    static int cutByTheKernel(UdpSocket socket, InetSocketAddress to, ByteBuffer data) {
        return socket.sendSegments(to, data, 1_200);
    }

    static UdpSocket joinedByTheKernel(DescriptorSet set, InetSocketAddress address, Consumer<ByteBuffer> each)
            throws IOException {
        DatagramOptions joined = DatagramOptions.DEFAULT.withOrdered(true).withDetails(DatagramDetail.SEGMENTS);
        return UdpSocket.bind(set, address, joined, (socket, datagram) -> {
            ByteBuffer data = datagram.data();
            int whole = datagram.segmentBytes() == 0 ? data.remaining() : datagram.segmentBytes();
            do {
                int bytes = Math.min(whole, data.remaining());
                each.accept(data.slice(data.position(), bytes));
                data.position(data.position() + bytes);
            } while (data.hasRemaining());
        });
    }

    // ---- datagrams that wait for room ----

    static UdpSocket queued(DescriptorSet set, InetSocketAddress address, DatagramHandler handler) throws IOException {
        DatagramQueueLimits limits = new DatagramQueueLimits(1_000, 1 << 20, Duration.ofSeconds(1));
        return UdpSocket.bind(set, address, DatagramOptions.DEFAULT.withQueue(limits), handler);
    }

    // ---- multicast ----

    static UdpSocket oneSource(
            DescriptorSet set, InetAddress group, NetworkInterface via, InetAddress source, DatagramHandler handler)
            throws IOException {
        UdpSocket feed = UdpSocket.bind(
                set, new InetSocketAddress(group, 0), DatagramOptions.DEFAULT.withSharedAddress(true), handler);
        feed.join(group, via, source);
        return feed;
    }

    // ---- times, drops, traffic classes ----

    static UdpSocket aged(DescriptorSet set, InetSocketAddress address, LatencyHistogram ages, Consumer<String> gaps)
            throws IOException {
        DatagramOptions options = DatagramOptions.DEFAULT
                .withOrdered(true)
                .withAges(ages) // time from the kernel to the handler
                .withDetails(DatagramDetail.RECEIVE_TIME, DatagramDetail.DROPS);
        return UdpSocket.bind(set, address, options, new DatagramHandler() {
            private long dropped;

            @Override
            public void datagram(UdpSocket socket, Datagram datagram) {
                long now = Math.max(0, datagram.drops()); // -1: none until now
                if (now > dropped) {
                    gaps.accept((now - dropped) + " lost before " + datagram.receiveTimeNs());
                    dropped = now;
                }
            }
        });
    }

    static UdpSocket timedSender(DescriptorSet set, InetSocketAddress address, Consumer<Long> sentNs)
            throws IOException {
        return UdpSocket.bind(set, address, DatagramOptions.DEFAULT.withSendTimes(true), new DatagramHandler() {
            @Override
            public void datagram(UdpSocket socket, Datagram datagram) {}

            @Override
            public void sent(UdpSocket socket, long number, long timeNs) {
                sentNs.accept(timeNs);
            }
        });
    }

    static UdpSocket congestionAware(DescriptorSet set, InetSocketAddress address, Runnable slowDown)
            throws IOException {
        DatagramOptions options = DatagramOptions.DEFAULT
                .withDetails(DatagramDetail.TRAFFIC_CLASS)
                .withSocketOptions(SocketOptions.NONE.with(SocketOption.IP_TOS, 46 << 2 | 2)); // expedited, ECN-capable
        return UdpSocket.bind(set, address, options, (socket, datagram) -> {
            if (datagram.ecn() == 3) { // a router has marked it instead of dropping it
                slowDown.run();
            }
        });
    }

    // ---- peers and errors ----

    static UdpSocket client(DescriptorSet set, InetSocketAddress peer, DatagramHandler answers) throws IOException {
        InetSocketAddress any = new InetSocketAddress(peer.getAddress() instanceof Inet6Address ? "::" : "0.0.0.0", 0);
        UdpSocket client = UdpSocket.bind(set, any, DatagramOptions.DEFAULT.withPeer(peer), answers);
        client.send(ByteBuffer.wrap(new byte[] {'?'}));
        return client;
    }

    static UdpSocket reporting(DescriptorSet set, InetSocketAddress address, Consumer<String> troubles)
            throws IOException {
        DatagramOptions options = DatagramOptions.DEFAULT
                .withErrors(true)
                .withSocketOptions(SocketOptions.NONE.with(SocketOption.IP_MTU_DISCOVER, 2)); // no fragments
        return UdpSocket.bind(set, address, options, new DatagramHandler() {
            @Override
            public void datagram(UdpSocket socket, Datagram datagram) {}

            @Override
            public void error(UdpSocket socket, DatagramError error) {
                troubles.accept(
                        error.errno() == Errno.EMSGSIZE
                                ? "send at most " + error.pathMtu() + " bytes with headers to " + error.destination()
                                : Errno.name(error.errno()) + " from " + error.destination());
            }
        });
    }

    // ---- latency ----

    static UdpSocket busyPolling(DescriptorSet set, InetSocketAddress address, DatagramHandler handler)
            throws IOException {
        SocketOptions polling = SocketOptions.NONE // left out, with a log line, if the kernel wants CAP_NET_ADMIN
                .with(SocketOption.SO_BUSY_POLL, Duration.ofNanos(50_000))
                .with(SocketOption.SO_PREFER_BUSY_POLL, true);
        return UdpSocket.bind(set, address, DatagramOptions.DEFAULT.withSocketOptions(polling), handler);
    }
}
