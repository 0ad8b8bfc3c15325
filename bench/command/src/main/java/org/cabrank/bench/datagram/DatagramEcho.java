package org.cabrank.bench.datagram;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramBatch;
import org.cabrank.socket.DatagramCounters;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.OutgoingBatch;
import org.cabrank.socket.UdpSocket;
import org.cabrank.stream.StreamReactor;

/** Sends each datagram back to its sender. Each shard has a socket. All sockets have the same port. A truncated datagram gets no answer. */
public final class DatagramEcho {
    private final List<UdpSocket> sockets = new ArrayList<>();
    private final HandlerWork work;
    private final DatagramOptions options;

    private DatagramEcho(DatagramOptions options, HandlerWork work) {
        this.options = options;
        this.work = work;
    }

    /** Binds a socket in each shard. If one bind fails, closes all sockets. Handlers perform {@code work} for each datagram. */
    public static DatagramEcho bind(
            StreamReactor reactor, InetSocketAddress address, DatagramOptions options, HandlerWork work)
            throws IOException {
        List<DescriptorSet> sets = DescriptorSet.of(reactor);
        DatagramEcho echo = new DatagramEcho(options.withSharedPort(sets.size() > 1), work);
        boolean bound = false;
        try {
            InetSocketAddress shared = address;
            for (DescriptorSet set : sets) {
                UdpSocket socket = UdpSocket.bind(set, shared, echo.options, echo.newHandler());
                echo.sockets.add(socket);
                shared = socket.localAddress(); // the other shards share the port that the kernel has chosen
            }
            bound = true;
            return echo;
        } finally {
            if (!bound) {
                echo.sockets.forEach(UdpSocket::close);
            }
        }
    }

    private DatagramHandler newHandler() {
        ThreadLocal<OutgoingBatch> answers =
                new ThreadLocal<>(); // one batch for each socket, because each has a handler
        return DatagramHandler.ofBatches((socket, batch) -> {
            OutgoingBatch own = answers.get();
            if (own == null) {
                own = socket.newBatch(options.batch(), options.bytesMax());
                answers.set(own);
            }
            answer(batch, own);
        });
    }

    private void answer(DatagramBatch batch, OutgoingBatch answers) {
        for (int i = 0; i < batch.size(); i++) {
            Datagram datagram = batch.get(i);
            work.perform();
            if (!datagram.isTruncated()) {
                answers.reply(datagram, datagram.data());
            }
        }
        answers.send();
    }

    public InetSocketAddress address() {
        return sockets.get(0).localAddress();
    }

    public DatagramCounters counters() {
        DatagramCounters sum = new DatagramCounters(0, 0, 0, 0, 0, 0, 0);
        for (UdpSocket socket : sockets) {
            DatagramCounters own = socket.counters();
            sum = new DatagramCounters(
                    sum.received() + own.received(),
                    sum.sent() + own.sent(),
                    sum.unsent() + own.unsent(),
                    sum.reported() + own.reported(),
                    sum.failed() + own.failed(),
                    sum.truncated() + own.truncated(),
                    sum.dropped() + own.dropped());
        }
        return sum;
    }

    public String totals() {
        DatagramCounters counters = counters();
        return String.format(
                Locale.ROOT,
                "received %,d datagrams, answered %,d, answers refused by the kernel %,d, failed %,d, too long %,d, dropped by"
                        + " the kernel %,d, errors of the network %,d",
                counters.received(),
                counters.sent(),
                counters.unsent(),
                counters.failed(),
                counters.truncated(),
                counters.dropped(),
                counters.reported());
    }

    /** Answers the received datagrams, and closes the sockets. {@code limit} applies to all sockets together. */
    public boolean drain(Duration limit) throws InterruptedException {
        long endNs = System.nanoTime() + limit.toNanos();
        boolean drained = true;
        for (UdpSocket socket : sockets) {
            drained &= socket.drain(Duration.ofNanos(Math.max(0, endNs - System.nanoTime())));
        }
        return drained;
    }
}
