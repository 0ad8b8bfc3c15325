package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options of datagram sockets, connected sockets, and the order of the handler's calls. */
public abstract class DatagramOptionsContract extends DescriptorContract {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final DatagramHandler ECHO = (socket, datagram) -> datagram.reply(datagram.data());
    private static final int BUFFER = 30_000;

    private UdpSocket bind(SocketOptions options) throws IOException {
        return UdpSocket.bind(set, LOOPBACK, DatagramOptions.DEFAULT.withSocketOptions(options), ECHO);
    }

    @Test
    void optionsReadBackAsTheyWereSet() throws Exception {
        UdpSocket socket = bind(SocketOptions.NONE
                .with(SocketOption.SO_RCVBUF, BUFFER)
                .with(SocketOption.SO_BROADCAST, true)
                .with(SocketOption.IP_TOS, 0x28)
                .with(SocketOption.IP_TTL, 7));
        assertEquals(2 * BUFFER, socket.option(SocketOption.SO_RCVBUF));
        assertEquals(true, socket.option(SocketOption.SO_BROADCAST));
        assertEquals(0x28, socket.option(SocketOption.IP_TOS));
        assertEquals(7, socket.option(SocketOption.IP_TTL));
        assertEquals(false, socket.option(SocketOption.IP_MULTICAST_ALL));
        socket.option(SocketOption.IP_TTL, 9);
        assertEquals(9, socket.option(SocketOption.IP_TTL));
    }

    @Test
    void optionThatIsNotForDatagramsIsRefusedAndNothingIsLeft() throws Exception {
        int before = OpenDescriptors.count();
        SocketOptions streamsOnly = SocketOptions.NONE.with(SocketOption.TCP_NODELAY, true);
        String refused = assertThrows(IllegalArgumentException.class, () -> bind(streamsOnly))
                .getMessage();
        assertTrue(refused.startsWith("TCP_NODELAY cannot be set on a datagram socket"), refused);
        SocketOptions ipv6 = SocketOptions.NONE.with(SocketOption.IPV6_MULTICAST_HOPS, 1);
        String unknown = assertThrows(IOException.class, () -> bind(ipv6)).getMessage();
        assertTrue(unknown.contains("the option is for IPv6 sockets"), unknown);
        assertEquals(before, OpenDescriptors.count());
        UdpSocket socket = bind(SocketOptions.NONE);
        assertThrows(IllegalArgumentException.class, () -> socket.option(SocketOption.SO_KEEPALIVE, true));
    }

    @Test
    void receiveBufferThatTheKernelLimitsIsLoggedWithTheRemedyAndUsed() throws Exception {
        long max = Sysctl.number("net.core.rmem_max");
        assumeTrue(max < Integer.MAX_VALUE / 2 - 1, "the kernel grants any size");
        List<String> messages;
        try (LogCapture log = new LogCapture(UdpSocket.class)) {
            UdpSocket socket = bind(SocketOptions.NONE.with(SocketOption.SO_RCVBUF, (int) max + 1));
            assertEquals(2 * max, (long) socket.option(SocketOption.SO_RCVBUF));
            bind(SocketOptions.NONE.with(SocketOption.SO_RCVBUF, BUFFER));
            messages = log.warnings();
        }
        assertEquals(1, messages.size(), messages::toString);
        assertTrue(messages.get(0).contains("net.core.rmem_max=" + (max + 1)), messages::toString);
    }

    @Test
    void socketsShareAPortOnlyIfAllAskForThat() throws Exception {
        DatagramOptions shared = DatagramOptions.DEFAULT.withSharedPort(true);
        UdpSocket one = UdpSocket.bind(set, LOOPBACK, shared, ECHO);
        UdpSocket other = UdpSocket.bind(set, one.localAddress(), shared, ECHO);
        assertEquals(one.localAddress(), other.localAddress());
        assertThrows(IOException.class, () -> UdpSocket.bind(set, one.localAddress(), ECHO));
    }

    @Test
    void connectedSocketHearsItsPeerOnly() throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        UdpSocket peer = UdpSocket.bind(set, LOOPBACK, ECHO);
        UdpSocket stranger = UdpSocket.bind(set, LOOPBACK, ECHO);
        UdpSocket socket = UdpSocket.bind(
                set,
                LOOPBACK,
                DatagramOptions.DEFAULT.withPeer(peer.localAddress()),
                (own, datagram) ->
                        heard.add(datagram.sender() + " " + datagram.data().remaining()));
        serve();
        assertTrue(stranger.send(socket.localAddress(), ByteBuffer.allocate(1)));
        assertTrue(socket.send(ByteBuffer.allocate(2)));
        Await.until("the answer has come", () -> !heard.isEmpty());
        assertEquals(List.of(peer.localAddress() + " 2"), heard);
        assertThrows(IllegalStateException.class, () -> peer.send(ByteBuffer.allocate(1)));
    }

    /** The kernel returns the ICMP message about a datagram to the next send or receive on the connected socket. */
    @Test
    void peerThatIsGoneIsReported() throws Exception {
        AwaitedClose closing = new AwaitedClose();
        UdpSocket gone = UdpSocket.bind(set, LOOPBACK, closing);
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, DatagramOptions.DEFAULT.withPeer(gone.localAddress()), ECHO);
        serve();
        closing.close(gone);
        // A ring may hold the file of the closed socket until the poll is cancelled.
        Await.until("the error is counted", () -> {
            socket.send(ByteBuffer.allocate(1));
            return socket.counters().reported() > 0;
        });
        assertEquals(0, socket.counters().unsent(), "no datagram is lost by the error of an earlier one");
        assertFalse(socket.handle().isClosed());
    }

    @Test
    void orderedHandlerRunsForOneDatagramAfterTheOther() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Integer> seen = new CopyOnWriteArrayList<>();
        UdpSocket socket = UdpSocket.bind(set, LOOPBACK, DatagramOptions.DEFAULT.withOrdered(true), (own, datagram) -> {
            int together = inside.incrementAndGet();
            Thread.yield();
            seen.add(together == 1 ? datagram.data().getInt() : -1);
            inside.decrementAndGet();
        });
        assertFalse(socket.handle().isConcurrent());
        serve();
        int count = 200;
        UdpSocket sender = UdpSocket.bind(set, LOOPBACK, ECHO);
        ByteBuffer number = ByteBuffer.allocate(Integer.BYTES);
        for (int i = 0; i < count; i++) {
            assertTrue(
                    sender.send(socket.localAddress(), number.clear().putInt(i).flip()));
        }
        Await.until("all have come", () -> seen.size() == count);
        for (int i = 0; i < count; i++) {
            assertEquals(i, seen.get(i));
        }
    }

    @Test
    void refusedConnectLeavesNothing() {
        int before = OpenDescriptors.count();
        kernel.plan("connect", Plan.first(-Errno.ENETUNREACH));
        DatagramOptions connected = DatagramOptions.DEFAULT.withPeer(new InetSocketAddress("127.0.0.1", 9));
        assertThrows(IOException.class, () -> UdpSocket.bind(set, LOOPBACK, connected, ECHO));
        assertEquals(before, OpenDescriptors.count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void pathMtuIsThatOfTheInterface(String host) throws Exception {
        InetSocketAddress peer = new InetSocketAddress(host, 9);
        InetSocketAddress any = new InetSocketAddress(host, 0);
        AwaitedClose closing = new AwaitedClose();
        UdpSocket socket = UdpSocket.bind(set, any, DatagramOptions.DEFAULT.withPeer(peer), closing);
        int mtu = NetworkInterface.getByInetAddress(peer.getAddress()).getMTU();
        assertEquals(host.contains(":") ? mtu : Math.min(mtu, 65_535), socket.pathMtu()); // no IPv4 packet is longer
        assertThrows(IllegalStateException.class, bind(SocketOptions.NONE)::pathMtu);
        serve();
        closing.close(socket);
        assertThrows(ClosedChannelException.class, socket::pathMtu);
    }

    /** Sets what takes no privilege, and what takes one only if the test has it; reads back what the kernel tells. */
    @Test
    void busyPollingIsSetOrRefused() throws Exception {
        UdpSocket socket = bind(SocketOptions.NONE
                .with(SocketOption.SO_BUSY_POLL, Duration.ZERO)
                .with(SocketOption.SO_PREFER_BUSY_POLL, false)
                .with(SocketOption.SO_BUSY_POLL_BUDGET, 8));
        assertEquals(Duration.ZERO, socket.option(SocketOption.SO_BUSY_POLL));
        assertEquals(false, socket.option(SocketOption.SO_PREFER_BUSY_POLL));
        try {
            socket.option(SocketOption.SO_PREFER_BUSY_POLL, true);
            socket.option(SocketOption.SO_BUSY_POLL_BUDGET, 64);
            assertEquals(true, socket.option(SocketOption.SO_PREFER_BUSY_POLL));
        } catch (IOException refused) {
            assertTrue(refused.getMessage().contains("CAP_NET_ADMIN"), refused.getMessage());
        }
    }
}
