package org.cabrank.socket.contract;

import static org.cabrank.socket.contract.VethPair.DEVICE;
import static org.cabrank.socket.contract.VethPair.any;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams over a network that refuses, loses and fragments them: two network namespaces, joined by a veth pair. */
public abstract class DatagramNetworkContract extends DescriptorContract {
    private static final DatagramOptions REPORTED = DatagramOptions.DEFAULT.withErrors(true);
    private static final int BLOCKED_PORT = 7_001;

    /** More than two frames of the pair carry. */
    private static final int FRAGMENTED = 4_000;

    /** Passes 1,000 bytes per second, and the first 1,500 at once. */
    private static final String SLOW = "tc qdisc replace dev " + DEVICE + " root tbf rate 8kbit burst 1500 limit ";

    private static VethPair network;

    private final BlockingQueue<Integer> received = new LinkedBlockingQueue<>();
    private final BlockingQueue<DatagramError> errors = new LinkedBlockingQueue<>();
    private final DatagramHandler recording = new DatagramHandler() {
        @Override
        public void datagram(UdpSocket socket, Datagram datagram) {
            received.add(datagram.data().remaining());
        }

        @Override
        public void error(UdpSocket socket, DatagramError error) {
            errors.add(error);
        }
    };

    @BeforeAll
    static void makeNetwork() throws Exception {
        network = VethPair.open();
    }

    @AfterAll
    static void removeNetwork() {
        if (network != null) { // null: the tests are skipped
            network.close();
            network = null;
        }
    }

    private UdpSocket near(DatagramOptions options) throws Exception {
        return network.near().in(() -> UdpSocket.bind(set, any("::"), options.withOrdered(true), recording));
    }

    private UdpSocket far() throws Exception {
        return network.far()
                .in(() -> UdpSocket.bind(set, any("::"), DatagramOptions.DEFAULT.withOrdered(true), recording));
    }

    private static InetSocketAddress at(String host, UdpSocket socket) {
        return new InetSocketAddress(host, socket.localAddress().getPort());
    }

    private static boolean send(UdpSocket from, InetSocketAddress to, int bytes) {
        return from.send(to, ByteBuffer.allocate(bytes));
    }

    private void expect(int bytes) throws InterruptedException {
        assertEquals(bytes, received.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
    }

    private DatagramError nextError() throws InterruptedException {
        DatagramError error = errors.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        assertTrue(error != null, "no error has come");
        return error;
    }

    /** Expects one warning with both texts. */
    private static void assertWarned(LogCapture log, String errno, String remedy) {
        assertEquals(1, log.warnings().size(), log.warnings()::toString);
        String warning = log.warnings().get(0);
        assertTrue(warning.contains("was not sent") && warning.contains(errno) && warning.contains(remedy), warning);
    }

    // ---- firewalls ----

    @Test
    void datagramThatTheFirewallDropsIsReportedAndTheNextOnesGo() throws Exception {
        UdpSocket far = far();
        UdpSocket near = near(DatagramOptions.DEFAULT);
        serve();
        String rule = " OUTPUT -p udp --dport " + BLOCKED_PORT + " -j DROP";
        network.near().runIfKnown("iptables -A" + rule);
        try (LogCapture log = new LogCapture(set.getClass())) {
            InetSocketAddress blocked = new InetSocketAddress(VethPair.FAR, BLOCKED_PORT);
            assertFalse(send(near, blocked, 1));
            assertFalse(send(near, blocked, 1));
            assertTrue(send(near, at(VethPair.FAR, far), 2));
            OutgoingBatch batch = near.newBatch(2, 3);
            batch.add(blocked, ByteBuffer.allocate(1));
            batch.add(at(VethPair.FAR, far), ByteBuffer.allocate(3));
            assertEquals(1, batch.send());
            assertWarned(log, "EPERM", "firewall");
        } finally {
            network.near().run("iptables -D" + rule);
        }
        expect(2);
        expect(3);
        assertEquals(3, near.counters().unsent());
        assertEquals(2, near.counters().sent());
    }

    @Test
    void datagramThatTheFirewallOfThePeerRejectsIsReported() throws Exception {
        UdpSocket near = near(REPORTED);
        serve();
        String rule = " INPUT -p udp --dport " + BLOCKED_PORT + " -j REJECT --reject-with icmp-admin-prohibited";
        network.far().runIfKnown("iptables -A" + rule);
        try {
            assertTrue(send(near, new InetSocketAddress(VethPair.FAR, BLOCKED_PORT), 1));
            DatagramError error = nextError();
            assertEquals(Errno.EHOSTUNREACH, error.errno());
            assertEquals("3/13", error.icmpType() + "/" + error.icmpCode());
            assertEquals(InetAddress.getByName(VethPair.FAR), error.reporter().getAddress());
        } finally {
            network.far().run("iptables -D" + rule);
        }
    }

    /** ICMPv6 says "administratively prohibited", which the kernel turns into EACCES. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void routeThatARouterProhibitsClosesNoSocket(boolean reported) throws Exception {
        network.far().run("echo 1 >/proc/sys/net/ipv6/conf/all/forwarding; ip -6 route add prohibit fd79::/64 dev lo");
        network.near().run("ip -6 route add fd79::/64 via " + VethPair.FAR_IPV6);
        try {
            InetSocketAddress prohibited = new InetSocketAddress("fd79::1", BLOCKED_PORT);
            UdpSocket near = near((reported ? REPORTED : DatagramOptions.DEFAULT).withPeer(prohibited));
            serve();
            assertTrue(near.send(ByteBuffer.allocate(1)));
            Await.until(
                    "the report has come",
                    () -> near.counters().reported() == 1 || near.handle().isClosed());
            assertFalse(near.handle().isClosed());
            if (reported) {
                assertEquals(Errno.EACCES, nextError().errno());
            }
            near.close();
        } finally {
            network.near().run("ip -6 route del fd79::/64");
            network.far().run("ip -6 route del prohibit fd79::/64 dev lo");
        }
    }

    // ---- queues ----

    /** The kernel tells only sockets that ask for errors that the queue of the device is full. */
    @Test
    void fullQueueOfTheDeviceIsCountedAndTheSocketGoesOn() throws Exception {
        UdpSocket far = far();
        UdpSocket near = near(REPORTED);
        UdpSocket unaware = near(DatagramOptions.DEFAULT);
        serve();
        network.near().runIfKnown(SLOW + 3_000);
        int count = 20;
        int accepted = 0;
        try (LogCapture log = new LogCapture(set.getClass())) {
            for (int i = 0; i < count; i++) {
                accepted += send(near, at(VethPair.FAR, far), 1_000) ? 1 : 0;
            }
            assertTrue(send(unaware, at(VethPair.FAR, far), 1_000), "lost without a word");
            assertEquals(0, log.warnings().size(), "lack of room is ordinary");
        } finally {
            network.near().run("tc qdisc del dev " + DEVICE + " root");
        }
        assertTrue(accepted > 0 && accepted < count, accepted + " accepted");
        assertEquals(count - accepted, near.counters().unsent());
        received.clear();
        assertTrue(send(near, at(VethPair.FAR, far), 2));
        awaitReceived(2);
    }

    /** Waits for a datagram of this length; earlier ones may come before. */
    private void awaitReceived(int bytes) {
        Await.until("the datagram comes", () -> received.contains(bytes));
    }

    @Test
    void fullSendBufferLosesNoMoreThanItHasNoRoomFor() throws Exception {
        UdpSocket far = far();
        UdpSocket near =
                near(DatagramOptions.DEFAULT.withSocketOptions(SocketOptions.NONE.with(SocketOption.SO_SNDBUF, 1)));
        serve();
        network.near().runIfKnown(SLOW + 1_000_000);
        int count = 20;
        int accepted = 0;
        try {
            for (int i = 0; i < count; i++) {
                accepted += send(near, at(VethPair.FAR, far), 1_000) ? 1 : 0;
            }
        } finally {
            network.near().run("tc qdisc del dev " + DEVICE + " root");
        }
        assertEquals(count - accepted, near.counters().unsent());
        assertTrue(accepted > 0 && accepted < count, accepted + " accepted");
        Await.until("there is room again", () -> send(near, at(VethPair.FAR, far), 2));
        awaitReceived(2);
    }

    // ---- interfaces ----

    @Test
    void interfaceThatIsDownLosesWhatIsSentAndTheSocketGoesOn() throws Exception {
        UdpSocket far = far();
        UdpSocket near = near(REPORTED);
        serve();
        network.near().run("ip link set " + DEVICE + " down");
        try (LogCapture log = new LogCapture(set.getClass())) {
            assertFalse(send(near, at(VethPair.FAR, far), 1));
            assertWarned(log, "ENETUNREACH", "ip route get");
            assertEquals(1, near.counters().unsent());
            assertTrue(send(near, at("127.0.0.1", near), 2), "another interface is up");
            expect(2);
        } finally {
            network.near().run("ip link set " + DEVICE + " up");
        }
        assertTrue(send(near, at(VethPair.FAR, far), 3));
        expect(3);
        assertTrue(errors.isEmpty(), errors::toString);
    }

    @Test
    void interfaceThatIsRemovedAndMadeAgainServesTheSameSockets() throws Exception {
        UdpSocket far = far();
        UdpSocket near = near(DatagramOptions.DEFAULT);
        UdpSocket onDevice = near(DatagramOptions.DEFAULT.withSocketOptions(
                SocketOptions.NONE.with(SocketOption.SO_BINDTODEVICE, DEVICE)));
        serve();
        assertTrue(send(onDevice, at(VethPair.FAR, far), 1));
        expect(1);
        network.far().run("ip link del " + DEVICE);
        try (LogCapture log = new LogCapture(set.getClass())) {
            assertFalse(send(near, at(VethPair.FAR, far), 2));
            assertWarned(log, "ENETUNREACH", "ip route get");
            assertFalse(send(onDevice, at(VethPair.FAR, far), 2));
            assertEquals(1, onDevice.counters().unsent());
        } finally {
            network.connect();
        }
        assertTrue(send(near, at(VethPair.FAR, far), 3));
        expect(3);
        assertTrue(send(far, at(VethPair.NEAR_IPV6, near), 4));
        expect(4);
        assertFalse(onDevice.handle().isClosed());
    }

    // ---- fragments ----

    @Test
    void datagramWithALostFragmentIsNotDeliveredAndTheNextOnesAre() throws Exception {
        UdpSocket far = far();
        UdpSocket near = near(DatagramOptions.DEFAULT);
        serve();
        long fragments = network.far().counter("Ip", "ReasmReqds");
        network.far().runIfKnown("iptables -t raw -A PREROUTING -f -j DROP"); // all fragments but the first
        try {
            assertTrue(send(near, at(VethPair.FAR, far), FRAGMENTED));
            assertTrue(send(near, at(VethPair.FAR, far), 1));
            expect(1);
        } finally {
            network.far().run("iptables -t raw -D PREROUTING -f -j DROP");
        }
        assertEquals(fragments + 1, network.far().counter("Ip", "ReasmReqds"));
        assertTrue(send(near, at(VethPair.FAR, far), FRAGMENTED));
        expect(FRAGMENTED);
        long failures = network.far().counter("Ip", "ReasmFails");
        network.far().run("cd /proc/sys/net/ipv4; echo 0 >ipfrag_low_thresh; echo 0 >ipfrag_high_thresh");
        try {
            assertTrue(send(near, at(VethPair.FAR, far), FRAGMENTED));
            assertTrue(send(near, at(VethPair.FAR, far), 2));
            expect(2);
            assertTrue(network.far().counter("Ip", "ReasmFails") > failures, "no memory for fragments is counted");
        } finally {
            network.far()
                    .run("cd /proc/sys/net/ipv4; echo 4194304 >ipfrag_high_thresh; echo 3145728 >ipfrag_low_thresh");
        }
        assertEquals(0, far.counters().dropped());
        assertFalse(far.handle().isClosed());
    }

    /** A router that joins the far namespace to a network with a smaller MTU. */
    @ParameterizedTest
    @CsvSource({"10.78.0.2, ICMP, 3/4, 28", "fd78::2, ICMPV6, 2/0, 48"})
    void pathMtuThatARouterReportsReachesTheHandler(String host, Origin origin, String message, int headers)
            throws Exception {
        int mtu = 1_300;
        try (NetworkNamespace behind = NetworkNamespace.open()) {
            behind.run("echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad");
            network.far()
                    .run(
                            "echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding\n"
                                    + "ip link add small mtu " + mtu + " type veth peer name veth0 mtu " + mtu
                                    + " netns " + behind.pid()
                                    + "\nip addr add 10.78.0.1/24 dev small; ip addr add fd78::1/64 dev small nodad; ip link set small up");
            behind.run(
                    "ip addr add 10.78.0.2/24 dev veth0; ip addr add fd78::2/64 dev veth0 nodad; ip link set veth0 up\n"
                            + "ip route add default via 10.78.0.1; ip route add default via fd78::1");
            network.near()
                    .run("ip route replace default via " + VethPair.FAR + "; ip route replace default via "
                            + VethPair.FAR_IPV6);
            UdpSocket receiver = behind.in(() -> UdpSocket.bind(set, any("::"), recording));
            UdpSocket near = near(REPORTED.withSocketOptions(
                    SocketOptions.NONE.with(SocketOption.IP_MTU_DISCOVER, 2).with(SocketOption.IPV6_MTU_DISCOVER, 2)));
            serve();
            InetSocketAddress to = at(host, receiver);
            assertTrue(send(near, to, mtu), "the near interface has a larger MTU");
            DatagramError reported = nextError();
            assertEquals(Errno.EMSGSIZE, reported.errno());
            assertEquals(origin, reported.origin());
            assertEquals(message, reported.icmpType() + "/" + reported.icmpCode());
            assertEquals(mtu, reported.pathMtu());
            assertEquals(to, reported.destination());
            try (LogCapture log = new LogCapture(set.getClass())) {
                assertFalse(send(near, to, mtu), "the kernel knows the path MTU now");
                assertWarned(log, "EMSGSIZE", "path MTU");
            }
            DatagramError own = nextError();
            assertEquals(Origin.LOCAL, own.origin());
            assertEquals(mtu, own.pathMtu());
            assertTrue(send(near, to, mtu - headers));
            expect(mtu - headers);
        } finally {
            network.near().run("ip route del default; ip -6 route del default");
            network.far().run("ip link del small");
        }
    }
}
