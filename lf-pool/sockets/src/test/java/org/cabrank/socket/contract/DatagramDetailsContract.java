package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramDetail;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.GroupMembership;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;
import org.junit.jupiter.api.Test;

/** Details that the kernel gives with a datagram. */
public abstract class DatagramDetailsContract extends DescriptorContract {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final DatagramHandler NONE = (socket, datagram) -> {};

    private final BlockingQueue<Object> seen = new LinkedBlockingQueue<>();

    /** A part of a datagram that a test compares. */
    private interface View {
        Object of(Datagram datagram) throws IOException;
    }

    private UdpSocket receiver(InetSocketAddress address, DatagramOptions options, View view) throws IOException {
        return UdpSocket.bind(set, address, options, (socket, datagram) -> seen.add(view.of(datagram)));
    }

    private void expect(Object value) throws InterruptedException {
        assertEquals(value, seen.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
    }

    private static void send(UdpSocket from, InetAddress to, UdpSocket receiver, int bytes) {
        InetSocketAddress target =
                new InetSocketAddress(to, receiver.localAddress().getPort());
        assertTrue(from.send(target, ByteBuffer.allocate(bytes)));
    }

    @Test
    void destinationGroupOfEachDatagramIsKnown() throws Exception {
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        InetAddress one = InetAddress.getByName("239.255.2.1");
        InetAddress other = InetAddress.getByName("239.255.2.2");
        AtomicReference<GroupMembership> membership = new AtomicReference<>();
        UdpSocket receiver = receiver(
                new InetSocketAddress("0.0.0.0", 0),
                DatagramOptions.DEFAULT.withDetails(DatagramDetail.DESTINATION),
                datagram -> membership.get().includes(datagram) + " "
                        + datagram.destination().getHostAddress() + " " + datagram.interfaceIndex());
        membership.set(receiver.join(one, loopback));
        receiver.join(other, loopback);
        UdpSocket sender =
                UdpSocket.bind(set, LOOPBACK, DatagramOptions.DEFAULT.withMulticastInterface(loopback), NONE);
        serve();
        send(sender, one, receiver, 1);
        expect("true 239.255.2.1 " + loopback.getIndex());
        send(sender, other, receiver, 1);
        expect("false 239.255.2.2 " + loopback.getIndex());
        send(sender, InetAddress.getByName("127.0.0.5"), receiver, 1);
        expect("false 127.0.0.5 " + loopback.getIndex());
    }

    @Test
    void trafficClassIsThatOfTheSender() throws Exception {
        UdpSocket receiver = receiver(
                LOOPBACK,
                DatagramOptions.DEFAULT.withDetails(DatagramDetail.TRAFFIC_CLASS),
                datagram -> datagram.dscp() + " " + datagram.ecn());
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, NONE);
        serve();
        send(sender, LOOPBACK.getAddress(), receiver, 1);
        expect("0 0");
        sender.option(SocketOption.IP_TOS, 46 << 2 | 2);
        send(sender, LOOPBACK.getAddress(), receiver, 1);
        expect("46 2");
    }

    @Test
    void socketForIpv6HasTheDetailsOfBothFamilies() throws Exception {
        UdpSocket receiver = receiver(
                new InetSocketAddress("::", 0),
                DatagramOptions.DEFAULT.withDetails(DatagramDetail.DESTINATION, DatagramDetail.TRAFFIC_CLASS),
                datagram -> datagram.destination() + " " + datagram.trafficClass());
        UdpSocket sender = UdpSocket.bind(
                set,
                new InetSocketAddress("::", 0),
                DatagramOptions.DEFAULT.withSocketOptions(
                        SocketOptions.NONE.with(SocketOption.IP_TOS, 8).with(SocketOption.IPV6_TCLASS, 16)),
                NONE);
        serve();
        send(sender, InetAddress.getByName("127.0.0.1"), receiver, 1);
        expect("/127.0.0.1 8");
        InetAddress ipv6 = InetAddress.getByName("::1");
        send(sender, ipv6, receiver, 1);
        expect(ipv6 + " 16");
    }

    /** The kernel begins to stamp some time after the first socket has asked. */
    @Test
    void receiveTimesAreInRealTimeAndMakeAges() throws Exception {
        LatencyHistogram ages = new LatencyHistogram("ages");
        UdpSocket receiver = receiver(LOOPBACK, DatagramOptions.DEFAULT.withAges(ages), Datagram::receiveTimeNs);
        assertEquals(Set.of(DatagramDetail.RECEIVE_TIME), receiver.details());
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, NONE);
        serve();
        long before = nowNs();
        AtomicReference<Long> stamp = new AtomicReference<>(0L);
        Await.until("a datagram is stamped", () -> {
            send(sender, LOOPBACK.getAddress(), receiver, 1);
            try {
                stamp.set((Long) seen.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
            return stamp.get() != 0;
        });
        assertTrue(stamp.get() >= before && stamp.get() <= nowNs(), before + " " + stamp + " " + nowNs());
        assertEquals(1, ages.read().events());
    }

    private static long nowNs() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000 + now.getNano();
    }

    @Test
    void droppedDatagramsAreCountedAndReportedWithTheNextOnes() throws Exception {
        AwaitedClose closing = new AwaitedClose();
        DatagramOptions options = DatagramOptions.DEFAULT
                .withSocketOptions(SocketOptions.NONE.with(SocketOption.SO_RCVBUF, 2_000))
                .withDetails(DatagramDetail.DROPS);
        UdpSocket receiver = UdpSocket.bind(set, LOOPBACK, options, new DatagramHandler() {
            @Override
            public void datagram(UdpSocket socket, Datagram datagram) {
                seen.add(datagram.drops());
            }

            @Override
            public void closed(UdpSocket socket, Throwable cause) {
                closing.closed(socket, cause);
            }
        });
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, NONE);
        int sent = 100;
        for (int i = 0; i < sent; i++) {
            send(sender, LOOPBACK.getAddress(), receiver, 100);
        }
        long dropped = receiver.counters().dropped();
        assertTrue(dropped > 0, "the buffer has room for all");
        serve();
        Await.until("the rest is received", () -> receiver.counters().received() == sent - dropped);
        Await.until("the handler has run", () -> seen.size() == sent - dropped);
        seen.clear();
        send(sender, LOOPBACK.getAddress(), receiver, 1);
        expect(dropped);
        closing.close(receiver);
        assertEquals(dropped, receiver.counters().dropped(), "kept after the close");
    }

    @Test
    void endThatIsCutOffIsReported() throws Exception {
        UdpSocket receiver = receiver(
                LOOPBACK,
                DatagramOptions.DEFAULT.withBytesMax(4),
                datagram -> datagram.isTruncated() + " " + datagram.data().remaining() + " of " + datagram.sentBytes());
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, NONE);
        serve();
        send(sender, LOOPBACK.getAddress(), receiver, 5);
        expect("true 4 of 5");
        send(sender, LOOPBACK.getAddress(), receiver, 4);
        expect("false 4 of 4");
        send(sender, LOOPBACK.getAddress(), receiver, 0);
        expect("false 0 of 0");
        Await.until("it is counted", () -> receiver.counters().truncated() == 1);
    }

    @Test
    void detailsThatWereNotAskedForAreUnknown() throws Exception {
        UdpSocket receiver = receiver(LOOPBACK, DatagramOptions.DEFAULT, datagram -> {
            assertNull(datagram.destination());
            return datagram.interfaceIndex() + " " + datagram.trafficClass() + " " + datagram.ecn() + " "
                    + datagram.receiveTimeNs() + " " + datagram.hardwareTimeNs() + " " + datagram.drops() + " "
                    + datagram.segmentBytes();
        });
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, NONE);
        serve();
        send(sender, LOOPBACK.getAddress(), receiver, 1);
        expect("0 -1 -1 0 0 -1 0");
    }

    @Test
    void detailThatTheKernelRefusesIsLoggedAndTheSocketGoesOnWithoutIt() throws Exception {
        kernel.plan("setsockopt", Plan.first(Plan.ASK, -Errno.ENOPROTOOPT));
        UdpSocket receiver;
        try (LogCapture log = new LogCapture(UdpSocket.class)) {
            receiver = receiver(LOOPBACK, DatagramOptions.DEFAULT.withDetails(DatagramDetail.DROPS), Datagram::drops);
            assertEquals(1, log.warnings().size());
            assertTrue(
                    log.warnings().get(0).contains("come without DROPS: setsockopt ENOPROTOOPT"),
                    log.warnings()::toString);
        }
        assertEquals(Set.of(), receiver.details());
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, NONE);
        serve();
        send(sender, LOOPBACK.getAddress(), receiver, 1);
        expect(-1L);
    }

    @Test
    void allDetailsFitTogether() throws Exception {
        DatagramDetail[] all = DatagramDetail.values();
        UdpSocket receiver = receiver(
                new InetSocketAddress("::1", 0),
                DatagramOptions.DEFAULT.withDetails(all),
                datagram -> datagram.destination().isLoopbackAddress() + " " + datagram.trafficClass());
        assertEquals(EnumSet.allOf(DatagramDetail.class), EnumSet.copyOf(receiver.details()));
        UdpSocket sender = UdpSocket.bind(set, new InetSocketAddress("::1", 0), NONE);
        sender.option(SocketOption.IPV6_TCLASS, 12);
        serve();
        send(sender, InetAddress.getByName("::1"), receiver, 1);
        expect("true 12");
        assertThrows(
                IllegalArgumentException.class,
                () -> DatagramOptions.DEFAULT.withBytesMax(1_500).withDetails(DatagramDetail.SEGMENTS));
        assertFalse(receiver.handle().isClosed());
    }
}
