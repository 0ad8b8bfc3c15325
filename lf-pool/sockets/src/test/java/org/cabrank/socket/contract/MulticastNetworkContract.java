package org.cabrank.socket.contract;

import static org.cabrank.socket.contract.VethPair.DEVICE;
import static org.cabrank.socket.contract.VethPair.any;
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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramDetail;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.GroupMembership;
import org.cabrank.socket.UdpSocket;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Multicast from one host to another: two network namespaces, joined by a veth pair. */
public abstract class MulticastNetworkContract extends DescriptorContract {
    private static final String GROUP = "239.255.7.1";
    private static final String GROUP_IPV6 = "ff15::7:1";
    private static final DatagramOptions DETAILED =
            DatagramOptions.DEFAULT.withDetails(DatagramDetail.DESTINATION).withOrdered(true);

    private static VethPair network;

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final DatagramHandler recording = (socket, datagram) -> received.add(text(datagram));
    private final DatagramHandler none = (socket, datagram) -> {};

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

    /** Returns the text of a datagram with its destination. */
    private static String text(Datagram datagram) {
        return StandardCharsets.US_ASCII.decode(datagram.data()) + " to "
                + datagram.destination().getHostAddress();
    }

    private static InetAddress address(String text) throws IOException {
        return InetAddress.getByName(text);
    }

    private UdpSocket receiver() throws Exception {
        return network.far().in(() -> UdpSocket.bind(set, any("::"), DETAILED, recording));
    }

    /** Opens a sender for groups of both families. */
    private UdpSocket sender() throws Exception {
        NetworkInterface via = network.nearDevice();
        return network.near()
                .in(() -> UdpSocket.bind(set, any("::"), DatagramOptions.DEFAULT.withMulticastInterface(via), none));
    }

    private static boolean send(UdpSocket from, String group, UdpSocket to, String text) throws IOException {
        InetSocketAddress target =
                new InetSocketAddress(address(group), to.localAddress().getPort());
        return from.send(target, ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private void expect(String text, String group) throws Exception {
        assertEquals(
                text + " to " + address(group).getHostAddress(),
                received.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
    }

    /** Sends until a datagram of this text arrives: an interface that has come up may not be ready at once. */
    private void awaitDelivery(UdpSocket from, String group, UdpSocket to, String text) throws Exception {
        String expected = text + " to " + address(group).getHostAddress();
        try (LogCapture log = new LogCapture(set.getClass())) {
            Await.until("a datagram of " + group + " comes", () -> {
                try {
                    send(from, group, to, text);
                } catch (IOException unknown) {
                    throw new AssertionError(unknown);
                }
                return received.contains(expected);
            });
            assertTrue(log.warnings().size() <= 1, log.warnings()::toString);
        }
    }

    /** The pair delivers in order, so that a datagram that is not for the socket would come before the next. */
    @ParameterizedTest
    @CsvSource({"239.255.7.1, 239.255.7.2, 239.255.7.3", "ff15::7:1, ff15::7:2, ff15::7:3"})
    void groupsOfAnotherHostAreDistinguishedUntilTheyAreLeft(String one, String other, String foreign)
            throws Exception {
        UdpSocket receiver = receiver();
        UdpSocket sender = sender();
        serve();
        NetworkInterface via = network.farDevice();
        GroupMembership membership = receiver.join(address(one), via);
        receiver.join(address(other), via);
        assertTrue(send(sender, foreign, receiver, "foreign"));
        assertTrue(send(sender, one, receiver, "a"));
        assertTrue(send(sender, other, receiver, "b"));
        expect("a", one);
        expect("b", other);
        membership.close();
        assertTrue(send(sender, one, receiver, "left"));
        assertTrue(send(sender, other, receiver, "c"));
        expect("c", other);
        assertEquals(0, set.failures().count());
    }

    @ParameterizedTest
    @CsvSource({"239.255.7.1, 10.77.0.1, 10.77.0.9", "ff15::7:1, fd77::1, fd77::9"})
    void groupOfOneSourceOfAnotherHost(String group, String wanted, String unwanted) throws Exception {
        UdpSocket receiver = receiver();
        NetworkInterface near = network.nearDevice();
        DatagramOptions options = DatagramOptions.DEFAULT.withMulticastInterface(near);
        String second = unwanted + (unwanted.contains(":") ? "/64" : "/24") + " dev " + DEVICE;
        network.near().run("ip addr add " + second + (unwanted.contains(":") ? " nodad" : ""));
        try {
            UdpSocket right = network.near().in(() -> UdpSocket.bind(set, any(wanted), options, none));
            UdpSocket wrong = network.near().in(() -> UdpSocket.bind(set, any(unwanted), options, none));
            serve();
            NetworkInterface via = network.farDevice();
            GroupMembership membership = receiver.join(address(group), via, address(wanted));
            assertTrue(send(wrong, group, receiver, "wrong"));
            assertTrue(send(right, group, receiver, "right"));
            expect("right", group);
            receiver.join(address(group), via, address(unwanted));
            membership.close();
            assertTrue(send(right, group, receiver, "left"));
            assertTrue(send(wrong, group, receiver, "wanted now"));
            expect("wanted now", group);
        } finally {
            network.near().run("ip addr del " + second);
        }
    }

    /** With a TTL of 0 the datagrams stay on the host. */
    @Test
    void senderWithoutLoopbackReachesNoMemberOfItsHost() throws Exception {
        NetworkInterface via = network.nearDevice();
        UdpSocket member = network.near().in(() -> UdpSocket.bind(set, any("0.0.0.0"), DETAILED, recording));
        UdpSocket sender = network.near()
                .in(() -> UdpSocket.bind(
                        set,
                        any("0.0.0.0"),
                        DatagramOptions.DEFAULT
                                .withMulticastInterface(via)
                                .withSocketOptions(SocketOptions.NONE.with(SocketOption.IP_MULTICAST_TTL, 0)),
                        none));
        serve();
        member.join(address(GROUP), via);
        sender.option(SocketOption.IP_MULTICAST_LOOP, false);
        assertTrue(send(sender, GROUP, member, "quiet"));
        sender.option(SocketOption.IP_MULTICAST_LOOP, true);
        assertTrue(send(sender, GROUP, member, "loud"));
        expect("loud", GROUP);
    }

    @Test
    void membershipOnOneInterfaceGetsNothingOfAnother() throws Exception {
        UdpSocket receiver = receiver();
        UdpSocket sender = sender();
        NetworkInterface loopback = network.far().in(() -> NetworkInterface.getByName("lo"));
        UdpSocket local = network.far()
                .in(() -> UdpSocket.bind(
                        set, any("127.0.0.1"), DatagramOptions.DEFAULT.withMulticastInterface(loopback), none));
        serve();
        GroupMembership onLoopback = receiver.join(address(GROUP), loopback);
        assertTrue(send(sender, GROUP, receiver, "by veth"));
        assertTrue(send(local, GROUP, receiver, "by lo"));
        expect("by lo", GROUP);
        receiver.join(address(GROUP), network.farDevice());
        onLoopback.close();
        assertTrue(send(local, GROUP, receiver, "by lo"));
        awaitDelivery(sender, GROUP, receiver, "by veth");
    }

    // ---- interfaces that go ----

    @ParameterizedTest
    @CsvSource({GROUP, GROUP_IPV6})
    void membershipOutlivesAnInterfaceThatIsDown(String group) throws Exception {
        UdpSocket receiver = receiver();
        UdpSocket sender = sender();
        serve();
        GroupMembership membership = receiver.join(address(group), network.farDevice());
        awaitDelivery(sender, group, receiver, "before");
        network.far().run("ip link set " + DEVICE + " down");
        try (LogCapture log = new LogCapture(set.getClass())) {
            send(sender, group, receiver, "down");
            assertTrue(log.warnings().size() <= 1, log.warnings()::toString);
        } finally {
            network.far()
                    .run("ip link set " + DEVICE + " up; ip addr replace " + VethPair.FAR_IPV6 + "/64 dev " + DEVICE
                            + " nodad");
        }
        awaitDelivery(sender, group, receiver, "after");
        membership.close();
        assertFalse(receiver.handle().isClosed());
    }

    @Test
    void interfaceThatIsRemovedEndsMembershipsWithoutAFailure() throws Exception {
        UdpSocket receiver = receiver();
        UdpSocket sender = sender();
        serve();
        NetworkInterface removed = network.farDevice();
        GroupMembership ipv4 = receiver.join(address(GROUP), removed);
        GroupMembership ipv6 = receiver.join(address(GROUP_IPV6), removed);
        awaitDelivery(sender, GROUP, receiver, "before");
        network.far().run("ip link del " + DEVICE);
        try (LogCapture log = new LogCapture(set.getClass())) {
            assertFalse(send(sender, GROUP, receiver, "x"));
            String warning = log.warnings().get(0);
            assertTrue(warning.contains("ENODEV") || warning.contains("ENETUNREACH"), warning);
        } finally {
            network.connect();
        }
        IOException refused = assertThrows(IOException.class, () -> receiver.join(address("239.255.7.9"), removed));
        assertTrue(refused.getMessage().contains("name an interface that ip link lists"), refused::getMessage);
        NetworkInterface made = network.farDevice();
        receiver.join(address(GROUP), made);
        receiver.join(address(GROUP_IPV6), made);
        long failures = set.failures().count();
        ipv4.close();
        ipv6.close();
        assertEquals(failures, set.failures().count());
        UdpSocket again = sender();
        awaitDelivery(again, GROUP, receiver, "IPv4");
        awaitDelivery(again, GROUP_IPV6, receiver, "IPv6");
    }

    // ---- limits ----

    /** The remedy that the message names helps. */
    @ParameterizedTest
    @CsvSource({"net.ipv4.igmp_max_memberships, 239.255.8., false", "net.ipv4.igmp_max_msf, 232.1.1.1, true"})
    void limitOfMembershipsIsReportedWithTheSysctlThatRaisesIt(String sysctl, String group, boolean bySource)
            throws Exception {
        int max = 3;
        UdpSocket receiver = receiver();
        NetworkInterface via = network.farDevice();
        String file = "/proc/sys/" + sysctl.replace('.', '/');
        String before = network.far().run("cat " + file).strip();
        network.far().run("echo " + max + " >" + file);
        List<GroupMembership> joined = new ArrayList<>();
        try {
            for (int i = 0; i < max; i++) {
                joined.add(join(receiver, group, via, bySource, i));
            }
            IOException refused = assertThrows(IOException.class, () -> join(receiver, group, via, bySource, max));
            assertTrue(refused.getMessage().contains(sysctl), refused::getMessage);
            network.far().run("echo " + (max + 1) + " >" + file);
            joined.add(join(receiver, group, via, bySource, max));
            joined.get(0).close();
            join(receiver, group, via, bySource, max + 1);
        } finally {
            network.far().run("echo " + before + " >" + file);
        }
        assertEquals(0, set.failures().count());
    }

    private static GroupMembership join(UdpSocket receiver, String group, NetworkInterface via, boolean source, int n)
            throws IOException {
        return source
                ? receiver.join(address(group), via, address("10.77.0.5" + n))
                : receiver.join(address(group + (n + 1)), via);
    }

    /** The limit is one of the host, not of the namespace, so the test leaves it alone. */
    @Test
    void limitOfSourcesOverIpv6IsReportedWithItsSysctl() throws Exception {
        long max = Sysctl.number("net.ipv6.mld_max_msf");
        assumeTrue(max <= 1_000, "net.ipv6.mld_max_msf is " + max + ": so many joins take long");
        UdpSocket receiver = receiver();
        NetworkInterface via = network.farDevice();
        IOException refused = assertThrows(IOException.class, () -> {
            for (int i = 0; i <= max; i++) {
                receiver.join(address("ff35::8:1"), via, address("fd77::a:" + Integer.toHexString(i)));
            }
        });
        assertTrue(refused.getMessage().contains("net.ipv6.mld_max_msf"), refused::getMessage);
    }

    /** An IPv6 membership is limited by memory alone. */
    @Test
    void memoryForMembershipsIsReportedWithTheSysctlThatRaisesIt() throws Exception {
        UdpSocket receiver = receiver();
        NetworkInterface via = network.farDevice();
        network.far().runIfKnown("echo 4096 >/proc/sys/net/core/optmem_max");
        try {
            IOException refused = assertThrows(IOException.class, () -> {
                for (int i = 1; i <= 4_096; i++) {
                    receiver.join(address("ff15::9:" + Integer.toHexString(i)), via);
                }
            });
            assertTrue(refused.getMessage().contains("net.core.optmem_max"), refused::getMessage);
        } finally {
            network.far().run("echo 131072 >/proc/sys/net/core/optmem_max");
        }
        receiver.join(address("ff15::9:ffff"), via);
    }
}
