package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramError;
import org.cabrank.socket.DatagramError.Origin;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.OutgoingBatch;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Network errors about datagrams that were sent, reported to the handler. */
public abstract class DatagramErrorContract extends DescriptorContract {
    private static final DatagramOptions REPORTED = DatagramOptions.DEFAULT.withErrors(true);

    private final BlockingQueue<DatagramError> errors = new LinkedBlockingQueue<>();
    private final BlockingQueue<Integer> received = new LinkedBlockingQueue<>();

    private final class Recording implements DatagramHandler {
        @Override
        public void datagram(UdpSocket socket, Datagram datagram) {
            received.add(datagram.data().remaining());
        }

        @Override
        public void error(UdpSocket socket, DatagramError error) throws IOException {
            errors.add(error);
            if (error.destination().getPort() % 2 == 0 && error.errno() != Errno.EMSGSIZE) {
                throw new IOException("on purpose");
            }
        }
    }

    private static InetSocketAddress any(String host) {
        return new InetSocketAddress(host, 0);
    }

    /** An address at which no socket receives; the handler fails for even ports. */
    private static InetSocketAddress closedPort(String host, int parity) throws IOException {
        for (; ; ) {
            try (DatagramSocket closed = new DatagramSocket(any(host))) {
                if (closed.getLocalPort() % 2 == parity) {
                    return new InetSocketAddress(InetAddress.getByName(host), closed.getLocalPort());
                }
            }
        }
    }

    private DatagramError next() throws InterruptedException {
        DatagramError error = errors.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        assertTrue(error != null, "no error has come");
        return error;
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void closedPortIsReportedWithItsAddress(String host) throws Exception {
        UdpSocket socket = UdpSocket.bind(set, any(host), REPORTED, new Recording());
        serve();
        InetSocketAddress to = closedPort(host, 1);
        assertTrue(socket.send(to, ByteBuffer.allocate(1)));
        DatagramError error = next();
        assertEquals(to, error.destination());
        assertEquals(Errno.ECONNREFUSED, error.errno());
        boolean ipv4 = to.getAddress() instanceof Inet4Address;
        assertEquals(ipv4 ? Origin.ICMP : Origin.ICMPV6, error.origin());
        assertEquals(ipv4 ? "3/3" : "1/4", error.icmpType() + "/" + error.icmpCode());
        assertEquals(to.getAddress(), error.reporter().getAddress());
        assertEquals(0, error.pathMtu());
        assertEquals(1, socket.counters().reported());
        assertEquals(0, socket.counters().unsent());
    }

    /** The kernel returns an error of an earlier datagram to the next send, which it does not carry out. */
    @Test
    void errorOfOneDestinationLosesNoDatagramToAnother() throws Exception {
        UdpSocket socket = UdpSocket.bind(set, any("127.0.0.1"), REPORTED, new Recording());
        UdpSocket receiver = UdpSocket.bind(set, any("127.0.0.1"), new Recording());
        InetSocketAddress closed = closedPort("127.0.0.1", 1);
        int count = 20;
        for (int i = 0; i < count; i++) {
            assertTrue(socket.send(closed, ByteBuffer.allocate(1)));
            assertTrue(socket.send(receiver.localAddress(), ByteBuffer.allocate(2)));
        }
        serve();
        for (int i = 0; i < count; i++) {
            assertEquals(2, received.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            assertEquals(closed, next().destination());
        }
        assertEquals(count, socket.counters().reported());
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.ECONNREFUSED, Errno.EACCES, Errno.ENONET, Errno.EOPNOTSUPP})
    void errorThatAnIcmpMessageHasLeftLosesNoDatagram(int errno) throws Exception {
        UdpSocket socket = UdpSocket.bind(set, any("127.0.0.1"), REPORTED.withOrdered(true), new Recording());
        serve();
        kernel.plan("sendto", Plan.first(-errno));
        assertTrue(socket.send(socket.localAddress(), ByteBuffer.allocate(1)));
        kernel.plan("sendmmsg", Plan.first(-errno));
        OutgoingBatch batch = socket.newBatch(1, 2);
        batch.add(socket.localAddress(), ByteBuffer.allocate(2));
        assertEquals(1, batch.send());
        assertEquals(1, received.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        assertEquals(2, received.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        assertEquals(0, socket.counters().unsent());
    }

    @Test
    void connectedSocketReportsItsPeer() throws Exception {
        InetSocketAddress closed = closedPort("127.0.0.1", 1);
        UdpSocket socket = UdpSocket.bind(set, any("127.0.0.1"), REPORTED.withPeer(closed), new Recording());
        serve();
        assertTrue(socket.send(ByteBuffer.allocate(1)));
        assertEquals(closed, next().destination());
        assertFalse(socket.handle().isClosed());
    }

    private static NetworkInterface multicastInterface() throws IOException {
        return NetworkInterface.networkInterfaces()
                .filter(each -> each.inetAddresses().anyMatch(Inet4Address.class::isInstance))
                .filter(each -> {
                    try {
                        return each.isUp() && each.supportsMulticast() && !each.isLoopback();
                    } catch (IOException unknown) {
                        return false;
                    }
                })
                .findFirst()
                .orElse(null);
    }

    @Test
    void datagramAboveThePathMtuIsReportedWithTheMtu() throws Exception {
        NetworkInterface via = multicastInterface();
        assumeTrue(
                via != null && via.getMTU() < 20_000,
                "this host has no multicast interface with a small MTU: give it one, for instance of the type dummy");
        UdpSocket socket = UdpSocket.bind(
                set,
                any("0.0.0.0"),
                REPORTED.withMulticastInterface(via)
                        .withSocketOptions(SocketOptions.NONE
                                .with(SocketOption.IP_MULTICAST_TTL, 0)
                                .with(SocketOption.IP_MTU_DISCOVER, 2)),
                new Recording());
        serve();
        InetSocketAddress group = new InetSocketAddress("239.255.6.6", 9);
        try (LogCapture log = new LogCapture(set.getClass())) {
            assertFalse(socket.send(group, ByteBuffer.allocate(30_000)));
            assertEquals(1, log.warnings().size());
        }
        DatagramError error = next();
        assertEquals(Errno.EMSGSIZE, error.errno());
        assertEquals(Origin.LOCAL, error.origin());
        assertEquals(via.getMTU(), error.pathMtu());
        assertEquals(1, socket.counters().unsent());
    }

    /** The kernel ends a call at the datagram that it refuses, and returns the error only to the next call. */
    @Test
    void datagramOfABatchThatIsTooLongIsReportedOnce() throws Exception {
        UdpSocket socket = UdpSocket.bind(set, any("127.0.0.1"), REPORTED.withOrdered(true), new Recording());
        OutgoingBatch batch = socket.newBatch(3, UdpSocket.BYTES_MAX);
        for (int bytes : new int[] {1, 65_508, 2}) {
            batch.add(socket.localAddress(), ByteBuffer.allocate(bytes));
        }
        try (LogCapture log = new LogCapture(set.getClass())) {
            assertEquals(2, batch.send());
            assertEquals(1, log.warnings().size());
        }
        serve();
        assertEquals(1, received.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        assertEquals(2, received.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        assertEquals(Errno.EMSGSIZE, next().errno());
        InetSocketAddress closed = closedPort("127.0.0.1", 1);
        assertTrue(socket.send(closed, ByteBuffer.allocate(1)));
        assertEquals(closed, next().destination());
        assertEquals(1, socket.counters().unsent());
    }

    @Test
    void handlerThatFailsIsCountedAndTheSocketGoesOn() throws Exception {
        UdpSocket socket = UdpSocket.bind(set, any("127.0.0.1"), REPORTED, new Recording());
        try (LogCapture log = new LogCapture(set.getClass())) {
            serve();
            assertTrue(socket.send(closedPort("127.0.0.1", 0), ByteBuffer.allocate(1)));
            next();
            Await.until(
                    "the failure is counted",
                    () -> socket.counters().failed() == 1 && log.warnings().size() == 1);
        }
        InetSocketAddress odd = closedPort("127.0.0.1", 1);
        assertTrue(socket.send(odd, ByteBuffer.allocate(1)));
        assertEquals(odd, next().destination());
        assertTrue(socket.send(socket.localAddress(), ByteBuffer.allocate(3)));
        assertEquals(3, received.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
    }

    @Test
    void sendTimesComeWithTheNumbersOfTheDatagrams() throws Exception {
        BlockingQueue<long[]> times = new LinkedBlockingQueue<>();
        UdpSocket socket = UdpSocket.bind(
                set, any("127.0.0.1"), DatagramOptions.DEFAULT.withSendTimes(true), new DatagramHandler() {
                    @Override
                    public void datagram(UdpSocket own, Datagram datagram) {}

                    @Override
                    public void sent(UdpSocket own, long number, long timeNs) {
                        times.add(new long[] {number, timeNs});
                    }
                });
        serve();
        long before = System.currentTimeMillis();
        for (int i = 0; i < 3; i++) {
            assertTrue(socket.send(socket.localAddress(), ByteBuffer.allocate(1)));
            long[] time = times.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
            assertEquals(i, time[0]);
            long atMs = TimeUnit.NANOSECONDS.toMillis(time[1]);
            assertTrue(atMs >= before && atMs <= System.currentTimeMillis(), () -> before + " " + atMs);
        }
        assertEquals(0, socket.counters().reported());
    }

    @Test
    void failedReadOfTheErrorQueueIsRepeated() throws Exception {
        kernel.plan("recvmsg", Plan.first(-Errno.EINTR, -Errno.ENOMEM));
        UdpSocket socket = UdpSocket.bind(set, any("127.0.0.1"), REPORTED, new Recording());
        serve();
        InetSocketAddress to = closedPort("127.0.0.1", 1);
        assertTrue(socket.send(to, ByteBuffer.allocate(1)));
        assertEquals(to, next().destination());
    }

    @Test
    void socketWithoutTheOptionGetsNoErrorReports() throws Exception {
        UdpSocket socket = UdpSocket.bind(set, any("127.0.0.1"), new Recording());
        serve();
        assertTrue(socket.send(closedPort("127.0.0.1", 1), ByteBuffer.allocate(1)));
        assertTrue(socket.send(socket.localAddress(), ByteBuffer.allocate(4)));
        assertEquals(4, received.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        assertTrue(errors.isEmpty());
    }
}
