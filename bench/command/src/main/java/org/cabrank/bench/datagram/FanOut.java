package org.cabrank.bench.datagram;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.cabrank.bench.text.Durations;
import org.cabrank.lf.VirtualHandle;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramBatch;
import org.cabrank.socket.DatagramCounters;
import org.cabrank.socket.DatagramDetail;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.GroupMembership;
import org.cabrank.socket.UdpSocket;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;

/**
 * Passes the datagrams of multicast groups on to TCP subscribers, each datagram in a frame ({@link FrameQueue}). Each subscriber has a
 * bounded queue of its own, and a decided outcome when that is full; no other subscriber waits. Datagrams that were sent to none of the
 * groups are counted and not passed on. Any thread.
 */
public final class FanOut implements DatagramService {
    private static final double MEDIAN = 50;
    private static final double HIGH = 99;

    /** Time after which subscribers that could not be asked to send are asked again. */
    private static final long RETRY_NS = 1_000_000;

    private final SlowPolicy policy;
    private final int queueBytes;
    private final LatencyHistogram ages = new LatencyHistogram("datagram age");
    private final List<UdpSocket> sockets = new ArrayList<>();
    private final CopyOnWriteArrayList<Subscriber> subscribers = new CopyOnWriteArrayList<>();
    private final LongAdder sent = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder disconnected = new LongAdder();
    private final LongAdder foreign = new LongAdder();
    private final AtomicLong largestQueueBytes = new AtomicLong();

    /** Handle whose timer runs while a subscriber must be asked again; null before the first {@link #join}. */
    private VirtualHandle retry;

    /** @param queueBytes size of each subscriber's queue, a power of two */
    public FanOut(SlowPolicy policy, int queueBytes) {
        if (Integer.bitCount(queueBytes) != 1) {
            throw new IllegalArgumentException("a queue has a power of two of bytes, not " + queueBytes);
        }
        this.policy = policy;
        this.queueBytes = queueBytes;
    }

    /** Returns the handler of a new subscriber's connection. */
    public ConnectionHandler newSubscriber() {
        return new Subscriber(this, queueBytes);
    }

    /**
     * Joins the groups, whose datagrams are passed on from now on. The sockets are served by the first shard of the reactor.
     *
     * @param groups groups with their ports; the number in a frame is the place in this list
     * @param via network interface; null: the kernel chooses
     * @param options options of the sockets
     * @throws IOException if a port is unavailable, or the kernel refuses a membership, with cause and remedy; no socket is open then
     */
    public void join(
            StreamReactor reactor, List<InetSocketAddress> groups, NetworkInterface via, DatagramOptions options)
            throws IOException {
        Map<InetSocketAddress, List<Integer>> byWildcard = new LinkedHashMap<>();
        for (int i = 0; i < groups.size(); i++) {
            byWildcard
                    .computeIfAbsent(wildcard(groups.get(i)), any -> new ArrayList<>())
                    .add(i);
        }
        DescriptorSet set = DescriptorSet.of(reactor).get(0);
        if (retry == null) {
            retry = set.registerVirtual("retries of udp-fanout", (own, ready) -> askAll());
        }
        boolean joined = false;
        try {
            for (Map.Entry<InetSocketAddress, List<Integer>> each : byWildcard.entrySet()) {
                GroupSocket handler = new GroupSocket(each.getValue(), options.batch());
                UdpSocket socket = UdpSocket.bind(
                        set,
                        each.getKey(),
                        options.withOrdered(true)
                                .withSharedAddress(true)
                                .withDetails(DatagramDetail.DESTINATION)
                                .withAges(ages),
                        DatagramHandler.ofBatches((own, batch) -> handler.dispatch(batch)));
                sockets.add(socket);
                handler.join(socket, groups, via);
            }
            joined = true;
        } finally {
            if (!joined) {
                sockets.forEach(UdpSocket::close);
            }
        }
    }

    private static InetSocketAddress wildcard(InetSocketAddress group) throws IOException {
        InetAddress any = InetAddress.getByAddress(new byte[group.getAddress() instanceof Inet6Address ? 16 : 4]);
        return new InetSocketAddress(any, group.getPort());
    }

    /** Asks the subscribers that have frames to send. */
    private void askAll() {
        for (Subscriber subscriber : subscribers) {
            subscriber.askIfAnyWait();
        }
    }

    /** The groups of one port. The monitor holds datagrams back while the groups are joined. */
    private final class GroupSocket {
        private static final int NONE = -1;

        private final List<Integer> numbers;
        private final List<GroupMembership> memberships = new ArrayList<>();
        private final int[] groupOf;

        GroupSocket(List<Integer> numbers, int batch) {
            this.numbers = numbers;
            this.groupOf = new int[batch];
        }

        synchronized void join(UdpSocket socket, List<InetSocketAddress> groups, NetworkInterface via)
                throws IOException {
            for (int number : numbers) {
                memberships.add(socket.join(groups.get(number).getAddress(), via));
            }
        }

        /** Gives each subscriber all frames of the batch, and has it send them together. */
        synchronized void dispatch(DatagramBatch batch) {
            for (int i = 0; i < batch.size(); i++) {
                groupOf[i] = group(batch.get(i));
            }
            for (Subscriber subscriber : subscribers) {
                for (int i = 0; i < batch.size(); i++) {
                    if (groupOf[i] != NONE) {
                        subscriber.offer(groupOf[i], batch.get(i).data(), policy);
                    }
                }
                subscriber.askIfAnyWait();
            }
        }

        /** Returns the number of the group that the datagram was sent to; {@link #NONE}: a unicast datagram, which is counted. */
        private int group(Datagram datagram) {
            for (int i = 0; i < memberships.size(); i++) {
                if (memberships.get(i).includes(datagram)) {
                    return numbers.get(i);
                }
            }
            foreign.increment();
            return NONE;
        }
    }

    /** Passes on what the sockets have received, and closes the sockets. Subscribers get the rest when the reactor is closed. */
    @Override
    public boolean drain(Duration limit) throws InterruptedException {
        long endNs = System.nanoTime() + limit.toNanos();
        boolean drained = true;
        for (UdpSocket socket : sockets) {
            drained &= socket.drain(Duration.ofNanos(Math.max(0, endNs - System.nanoTime())));
        }
        return drained;
    }

    /** Returns the counters. */
    public FanOutCounters counters() {
        long received = 0;
        long kernelDropped = 0;
        for (UdpSocket socket : sockets) {
            DatagramCounters own = socket.counters();
            received += own.received();
            kernelDropped += own.dropped();
        }
        long largest = subscribers.stream()
                .mapToLong(Subscriber::largestQueueBytes)
                .reduce(largestQueueBytes.get(), Math::max);
        LatencyCounters age = ages.read();
        return new FanOutCounters(
                received,
                foreign.sum(),
                kernelDropped,
                sent.sum(),
                dropped.sum(),
                disconnected.sum(),
                subscribers.size(),
                largest,
                age.events() == 0 ? 0 : age.percentileNs(MEDIAN),
                age.events() == 0 ? 0 : age.percentileNs(HIGH));
    }

    @Override
    public String totals() {
        FanOutCounters counters = counters();
        return String.format(
                Locale.ROOT,
                "received %,d datagrams, sent to none of the groups %,d, dropped by the kernel %,d, passed on %,d frames, dropped from queues (%s) %,d,"
                        + " subscribers disconnected %,d, largest queue %,d bytes, age of a datagram at its dispatch p50 %s p99"
                        + " %s",
                counters.received(),
                counters.foreign(),
                counters.kernelDropped(),
                counters.sent(),
                policy,
                counters.dropped(),
                counters.disconnected(),
                counters.largestQueueBytes(),
                Durations.format(counters.ageP50Ns()),
                Durations.format(counters.ageP99Ns()));
    }

    // ---- for subscribers ----

    void add(Subscriber subscriber) {
        subscribers.add(subscriber);
    }

    void remove(Subscriber subscriber, long itsLargestQueueBytes) {
        subscribers.remove(subscriber);
        largestQueueBytes.accumulateAndGet(itsLargestQueueBytes, Math::max);
    }

    void sent(int frames) {
        sent.add(frames);
    }

    void dropped(int frames) {
        dropped.add(frames);
    }

    void disconnected() {
        disconnected.increment();
    }

    /** A subscriber could not be asked to send: the subscribers that have frames are asked again after {@link #RETRY_NS}. */
    void askLater(Subscriber subscriber, Throwable refusal) {
        retry.scheduleTimer(retry.handleSet().nanoTime() + RETRY_NS);
        if (!(refusal instanceof RejectedExecutionException)) {
            retry.handleSet().failures().log("%s could not be asked to send, and is asked again", subscriber, refusal);
        }
    }
}
