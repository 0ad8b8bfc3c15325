package org.cabrank.bench.contender;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.iouring.RingHandleSet;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramBatch;
import org.cabrank.socket.DatagramDetail;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.OutgoingBatch;
import org.cabrank.socket.UdpSocket;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;

record CabrankDatagrams(DescriptorSet set, LeaderFollowersPool pool, UdpSocket socket) implements RunningServer {

    static final String TUNING = "datagrams: up to " + ContenderSockets.DATAGRAM_BATCH
            + " received and handled together, and answered by one sendmmsg (DatagramOptions.batch, OutgoingBatch);"
            + " in segments: UDP_GRO (DatagramDetail.SEGMENTS), UDP_SEGMENT (Datagram.replySegments)";

    /** Number of joined datagrams that one system call receives. Each takes 64 KiB of memory. */
    private static final int JOINED_BATCH = 8;

    @FunctionalInterface
    interface Reactor {

        Reactor EPOLL = kernel -> new EpollHandleSet(kernel, Deactivation.CLAIM);

        Reactor IO_URING = kernel -> new RingHandleSet(kernel, Deactivation.CLAIM, RingOptions.DEFAULT);

        DescriptorSet open(Kernel kernel) throws IOException;
    }

    /** @param segments true if the kernel joins received datagrams (UDP_GRO) and cuts sent ones (UDP_SEGMENT) */
    static RunningServer start(Reactor reactor, PoolConfig config, HandlerWork work, boolean segments)
            throws IOException {
        DescriptorSet set;
        try {
            set = reactor.open(Kernels.system());
        } catch (BackendUnavailableException notHere) {
            throw new ContenderUnavailableException(notHere.getMessage());
        } catch (KernelUnavailableException none) {
            throw new IOException(none.getMessage(), none);
        }
        CabrankDatagrams server = null;
        try {
            UdpSocket socket = UdpSocket.bind(
                    set,
                    ContenderSockets.anyPort(),
                    segments ? joined() : options(),
                    segments ? (own, datagram) -> answer(datagram, work) : handler(work));
            server = new CabrankDatagrams(set, new LeaderFollowersPool(set, config), socket);
            server.pool.start();
            return server;
        } catch (IOException | RuntimeException refused) {
            if (server != null) {
                server.pool.close();
            }
            set.close();
            throw refused;
        }
    }

    private static DatagramOptions options() {
        return DatagramOptions.DEFAULT
                .withBatch(ContenderSockets.DATAGRAM_BATCH)
                .withBytesMax(ContenderSockets.DATAGRAM_BYTES)
                .withSocketOptions(
                        SocketOptions.NONE.with(SocketOption.SO_RCVBUF, ContenderSockets.DATAGRAM_RECEIVE_BYTES));
    }

    private static DatagramOptions joined() {
        return options()
                .withBatch(JOINED_BATCH)
                .withBytesMax(UdpSocket.BYTES_MAX)
                .withDetails(DatagramDetail.SEGMENTS);
    }

    private static void answer(Datagram datagram, HandlerWork work) {
        work.perform();
        int bytes = datagram.segmentBytes();
        if (bytes == 0) {
            datagram.reply(datagram.data());
        } else {
            datagram.replySegments(datagram.data(), bytes);
        }
    }

    private static DatagramHandler handler(HandlerWork work) {
        ThreadLocal<OutgoingBatch> answers = new ThreadLocal<>();
        return DatagramHandler.ofBatches((socket, batch) -> {
            OutgoingBatch own = answers.get();
            if (own == null) {
                own = socket.newBatch(ContenderSockets.DATAGRAM_BATCH, ContenderSockets.DATAGRAM_BYTES);
                answers.set(own);
            }
            answer(batch, work, own);
        });
    }

    private static void answer(DatagramBatch batch, HandlerWork work, OutgoingBatch answers) {
        for (int i = 0; i < batch.size(); i++) {
            work.perform();
            answers.reply(batch.get(i), batch.get(i).data());
        }
        answers.send();
    }

    @Override
    public InetSocketAddress address() {
        return socket.localAddress();
    }

    @Override
    public String details() {
        int threads = pool.config().threads();
        return set + ", "
                + (threads == 1
                        ? "1 thread"
                        : threads + " threads, " + pool.config().promotion());
    }

    @Override
    public void close() {
        pool.close();
        set.close();
    }
}
