package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.GroupMembership;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;
import org.cabrank.stream.contract.Modes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Multicast groups of datagram sockets, over the loopback interface. No datagram leaves the host. */
public abstract class MulticastContract extends DescriptorContract {
    private static final String GROUP = "239.255.1.1";
    private static final String OTHER_GROUP = "239.255.1.2";
    private static final int JOINS = Modes.isSoak() ? 100_000 : 1_000;

    /** Memory of one batch of datagrams, at most. */
    private static final long BATCH_BYTES_MAX = 1 << 17;

    /** Joins between two datagrams. */
    private static final int LOOK_EACH = 100;

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final DatagramHandler record = (socket, datagram) ->
            received.add(StandardCharsets.US_ASCII.decode(datagram.data()).toString());
    private final DatagramHandler none = (socket, datagram) -> {};
    private NetworkInterface loopback;

    @BeforeEach
    void findLoopback() throws IOException {
        loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
    }

    private static InetAddress address(String text) throws IOException {
        return InetAddress.getByName(text);
    }

    private static InetSocketAddress wildcard(int port) throws IOException {
        return new InetSocketAddress(address("0.0.0.0"), port);
    }

    private UdpSocket receiver(int port) throws IOException {
        return UdpSocket.bind(set, wildcard(port), DatagramOptions.DEFAULT.withSharedAddress(true), record);
    }

    private UdpSocket sender(String from) throws IOException {
        DatagramOptions options = DatagramOptions.DEFAULT
                .withMulticastInterface(loopback)
                .withSocketOptions(SocketOptions.NONE.with(SocketOption.IP_MULTICAST_TTL, 0));
        return UdpSocket.bind(set, new InetSocketAddress(address(from), 0), options, none);
    }

    private static void send(UdpSocket from, String group, UdpSocket to, String text) throws IOException {
        InetSocketAddress target =
                new InetSocketAddress(address(group), to.localAddress().getPort());
        assertTrue(from.send(target, ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII))));
    }

    private void expect(String text) throws InterruptedException {
        assertEquals(text, received.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
    }

    /** Loopback delivers at once and in order, so that a datagram that is not for the socket would come before the next. */
    @Test
    void memberGetsDatagramsOfTheGroupUntilItLeaves() throws Exception {
        UdpSocket receiver = receiver(0);
        UdpSocket sender = sender("127.0.0.1");
        serve();
        send(sender, GROUP, receiver, "before");
        GroupMembership membership = receiver.join(address(GROUP), loopback);
        receiver.join(address(OTHER_GROUP), loopback);
        send(sender, GROUP, receiver, "member");
        expect("member");
        membership.close();
        membership.close();
        send(sender, GROUP, receiver, "after");
        send(sender, OTHER_GROUP, receiver, "of the other group");
        expect("of the other group");
        assertEquals(GROUP + " on lo", membership.toString());
        assertEquals(0, set.failures().count());
    }

    @Test
    void memberForOneSourceGetsNothingOfOthers() throws Exception {
        UdpSocket receiver = receiver(0);
        UdpSocket wanted = sender("127.0.0.1");
        UdpSocket unwanted = sender("127.0.0.2");
        serve();
        GroupMembership membership = receiver.join(address(GROUP), loopback, address("127.0.0.1"));
        send(unwanted, GROUP, receiver, "unwanted");
        send(wanted, GROUP, receiver, "wanted");
        expect("wanted");
        receiver.join(address(GROUP), loopback, address("127.0.0.2"));
        membership.close();
        send(wanted, GROUP, receiver, "not wanted any more");
        send(unwanted, GROUP, receiver, "wanted now");
        expect("wanted now");
    }

    @Test
    void socketsThatShareAPortGetTheirOwnGroupsOnly() throws Exception {
        UdpSocket receiver = receiver(0);
        UdpSocket other = UdpSocket.bind(
                set,
                wildcard(receiver.localAddress().getPort()),
                DatagramOptions.DEFAULT.withSharedAddress(true),
                (socket, datagram) -> received.add("other"));
        UdpSocket sender = sender("127.0.0.1");
        serve();
        receiver.join(address(GROUP), loopback);
        other.join(address(OTHER_GROUP), loopback);
        send(sender, GROUP, receiver, "one");
        expect("one");
        send(sender, OTHER_GROUP, receiver, "x");
        expect("other");
        other.join(address(GROUP), loopback);
        send(sender, GROUP, receiver, "both");
        List<String> both = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            both.add(received.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        }
        assertTrue(both.contains("both") && both.contains("other"), both::toString);
        assertTrue(received.isEmpty(), received::toString);
    }

    @Test
    void tooManyMembershipsAreRefusedWithTheSysctl() throws Exception {
        int max = (int) Sysctl.number("net.ipv4.igmp_max_memberships");
        assumeTrue(max <= 1_000, "as many memberships as this take long");
        UdpSocket receiver = receiver(0);
        for (int i = 0; i < max; i++) {
            receiver.join(address("239.254." + i / 250 + "." + i % 250), loopback);
        }
        IOException refused = assertThrows(IOException.class, () -> receiver.join(address(GROUP), loopback));
        assertTrue(refused.getMessage().contains("net.ipv4.igmp_max_memberships"), refused::getMessage);
        assertTrue(refused.getMessage().contains("joining multicast group " + GROUP + " on lo"), refused::getMessage);
    }

    @ParameterizedTest
    @CsvSource({
        Errno.ENOMEM + ", net.core.optmem_max",
        Errno.ENODEV + ", ip link",
        Errno.EADDRINUSE + ", a member already",
        Errno.EINVAL + ", name another interface",
        Errno.ENOPROTOOPT + ", bind the socket to an IPv6 address",
        Errno.EPERM + ", EPERM"
    })
    void refusalNamesTheRemedy(int errno, String remedy) throws Exception {
        UdpSocket receiver = receiver(0);
        kernel.plan("setsockopt", Plan.first(-errno));
        IOException refused = assertThrows(IOException.class, () -> receiver.join(address(GROUP), loopback));
        assertTrue(refused.getMessage().contains(remedy), refused::getMessage);
        receiver.join(address(GROUP), loopback);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EADDRNOTAVAIL, Errno.ENODEV, Errno.EIO})
    void leavingAGroupThatTheKernelHasLeftIsNoFailure(int errno) throws Exception {
        UdpSocket receiver = receiver(0);
        GroupMembership membership = receiver.join(address(GROUP), loopback);
        kernel.plan("setsockopt", Plan.first(-errno));
        try (LogCapture log = new LogCapture(set.getClass())) {
            membership.close();
            assertEquals(errno == Errno.EIO ? 1 : 0, log.warnings().size());
        }
        assertEquals(errno == Errno.EIO ? 1 : 0, set.failures().count());
    }

    @Test
    void wrongArgumentsAreRefused() throws Exception {
        UdpSocket receiver = receiver(0);
        assertThrows(IllegalArgumentException.class, () -> receiver.join(address("127.0.0.1"), loopback));
        assertThrows(NullPointerException.class, () -> receiver.join(address(GROUP), loopback, null));
        receiver.join(address(GROUP), loopback);
        IOException twice = assertThrows(IOException.class, () -> receiver.join(address(GROUP), loopback));
        assertTrue(twice.getMessage().contains("a member already"), twice::getMessage);
    }

    @Test
    void closedSocketJoinsNothingAndHasLeft() throws Exception {
        AwaitedClose closing = new AwaitedClose();
        UdpSocket receiver = UdpSocket.bind(set, wildcard(0), closing);
        serve();
        GroupMembership membership = receiver.join(address(GROUP), loopback);
        closing.close(receiver);
        assertThrows(ClosedChannelException.class, () -> receiver.option(SocketOption.SO_RCVBUF));
        assertThrows(ClosedChannelException.class, () -> receiver.join(address(GROUP), loopback));
        membership.close();
        assertEquals(0, set.failures().count());
    }

    /**
     * As many memberships as these are more than the kernel permits at a time. The socket receives during the joins and leaves, and after
     * them.
     */
    @Test
    void manyJoinsAndLeavesLeaveNothingBehind() throws Exception {
        UdpSocket receiver = receiver(0);
        UdpSocket sender = sender("127.0.0.1");
        serve();
        receiveAsMember(receiver, sender, "before");
        int descriptors = OpenDescriptors.count();
        long memory = 0;
        for (int i = 0; i < JOINS; i += 2) {
            try (GroupMembership any = receiver.join(address(GROUP), loopback);
                    GroupMembership one = receiver.join(address(OTHER_GROUP), loopback, address("127.0.0.1"))) {
                assertEquals(any.networkInterface(), one.networkInterface());
            }
            if (i % LOOK_EACH == 0) {
                receiveAsMember(receiver, sender, "join " + i);
            }
            memory = i == 0 ? DirectMemory.bytes() : memory;
        }
        receiveAsMember(receiver, sender, "after");
        assertEquals(descriptors, OpenDescriptors.count());
        long growth = DirectMemory.bytes() - memory;
        long batches =
                (mode.threads() - 1) * BATCH_BYTES_MAX; // each thread may have received at the same time as others
        assertTrue(growth < (1 << 16) + batches, () -> growth + " bytes of direct memory");
        assertEquals(0, set.failures().count());
    }

    private void receiveAsMember(UdpSocket receiver, UdpSocket sender, String text) throws Exception {
        try (GroupMembership member = receiver.join(address(GROUP), loopback)) {
            send(sender, GROUP, receiver, text);
            expect(text);
            assertEquals(loopback, member.networkInterface());
        }
    }
}
