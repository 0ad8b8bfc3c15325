package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.DatagramDetail;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.UdpSocket;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Options that the kernel refuses: one message with cause and remedy, and the socket goes on without the option where that is safe. */
public abstract class DatagramRefusalContract extends DescriptorContract {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** The first option of each socket, IP_MULTICAST_ALL, is set as usual. */
    private static final int FIRST = Plan.ASK;

    private static final Map<String, SocketOptions> HINTS = Map.of(
            "SO_BUSY_POLL", SocketOptions.NONE.with(SocketOption.SO_BUSY_POLL, Duration.ofMillis(1)),
            "SO_PREFER_BUSY_POLL", SocketOptions.NONE.with(SocketOption.SO_PREFER_BUSY_POLL, true),
            "SO_BUSY_POLL_BUDGET", SocketOptions.NONE.with(SocketOption.SO_BUSY_POLL_BUDGET, 64),
            "SO_INCOMING_CPU", SocketOptions.NONE.with(SocketOption.SO_INCOMING_CPU, 0),
            "SO_PRIORITY", SocketOptions.NONE.with(SocketOption.SO_PRIORITY, 7));

    private final BlockingQueue<Integer> received = new LinkedBlockingQueue<>();
    private final DatagramHandler record =
            (socket, datagram) -> received.add(datagram.data().remaining());

    private UdpSocket bind(DatagramOptions options) throws IOException {
        return UdpSocket.bind(set, LOOPBACK, options, record);
    }

    /** Binds a socket that the kernel refuses something, and expects one warning and a socket that works. */
    private UdpSocket goesOn(DatagramOptions options, String... words) throws Exception {
        UdpSocket socket;
        try (LogCapture log = new LogCapture(UdpSocket.class)) {
            socket = bind(options);
            assertEquals(1, log.warnings().size(), log.warnings()::toString);
            for (String each : words) {
                assertTrue(log.warnings().get(0).contains(each), log.warnings()::toString);
            }
        }
        kernel.forget();
        serve();
        assertTrue(socket.send(socket.localAddress(), ByteBuffer.allocate(3)));
        assertEquals(3, received.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        return socket;
    }

    private void fails(DatagramOptions options, String... words) {
        int before = OpenDescriptors.count();
        String message = assertThrows(IOException.class, () -> bind(options)).getMessage();
        for (String each : words) {
            assertTrue(message.contains(each), message);
        }
        assertEquals(before, OpenDescriptors.count());
    }

    // ---- options that a socket can go without ----

    @ParameterizedTest
    @CsvSource({
        "SO_BUSY_POLL, 1, CAP_NET_ADMIN",
        "SO_PREFER_BUSY_POLL, 1, CAP_NET_ADMIN",
        "SO_BUSY_POLL_BUDGET, 1, CAP_NET_ADMIN",
        "SO_PRIORITY, 1, CAP_NET_ADMIN",
        "SO_PREFER_BUSY_POLL, 92, this kernel does not know the option",
        "SO_INCOMING_CPU, 92, this kernel does not know the option",
        "SO_BUSY_POLL, 22, the kernel does not take this value"
    })
    void optionThatOnlyAffectsSpeedIsLeftOut(String option, int errno, String remedy) throws Exception {
        kernel.plan("setsockopt", Plan.first(FIRST, -errno));
        goesOn(
                DatagramOptions.DEFAULT.withSocketOptions(HINTS.get(option)),
                "go without " + option,
                Errno.name(errno),
                remedy);
    }

    @ParameterizedTest
    @EnumSource(DatagramDetail.class)
    void detailIsLeftOut(DatagramDetail detail) throws Exception {
        kernel.plan("setsockopt", Plan.first(FIRST, -Errno.ENOPROTOOPT));
        UdpSocket socket = goesOn(
                DatagramOptions.DEFAULT.withDetails(detail),
                "come without " + detail,
                "ENOPROTOOPT",
                "use a newer kernel");
        assertEquals(Set.of(), socket.details());
    }

    @Test
    void reportsOfErrorsAreLeftOut() throws Exception {
        kernel.plan("setsockopt", Plan.first(FIRST, -Errno.ENOPROTOOPT));
        goesOn(
                DatagramOptions.DEFAULT.withErrors(true),
                "without reports of network errors",
                "ENOPROTOOPT",
                "leave it out");
    }

    @Test
    void timesOfSentDatagramsAreLeftOut() throws Exception {
        kernel.plan("setsockopt", Plan.first(FIRST, -Errno.EINVAL));
        goesOn(DatagramOptions.DEFAULT.withSendTimes(true), "without times", "EINVAL", "leave it out");
    }

    @Test
    void foreignGroupsThatAnOldKernelDeliversAreMentioned() throws Exception {
        kernel.plan("setsockopt", Plan.first(-Errno.ENOPROTOOPT));
        goesOn(DatagramOptions.DEFAULT, "groups that other sockets have joined", "ENOPROTOOPT", "DESTINATION");
    }

    // ---- options on which the meaning of the socket depends ----

    @ParameterizedTest
    @CsvSource({"SO_MARK, 1, CAP_NET_ADMIN", "SO_BINDTODEVICE, 1, CAP_NET_RAW", "SO_BINDTODEVICE, 19, ip link lists"})
    void optionThatRoutesDatagramsFailsTheBind(String option, int errno, String remedy) {
        SocketOptions options = option.equals("SO_MARK")
                ? SocketOptions.NONE.with(SocketOption.SO_MARK, 5)
                : SocketOptions.NONE.with(SocketOption.SO_BINDTODEVICE, "lo");
        kernel.plan("setsockopt", Plan.first(FIRST, -errno));
        fails(DatagramOptions.DEFAULT.withSocketOptions(options), option, Errno.name(errno), remedy);
    }

    @Test
    void interfaceThatIsUnknownToTheKernelFailsTheBind() {
        fails(
                DatagramOptions.DEFAULT.withSocketOptions(
                        SocketOptions.NONE.with(SocketOption.SO_BINDTODEVICE, "no-such-device")),
                "SO_BINDTODEVICE",
                "ENODEV",
                "ip link lists");
    }

    @ParameterizedTest
    @CsvSource({"SO_REUSEADDR", "SO_REUSEPORT"})
    void sharingThatIsRefusedFailsTheBind(String option) {
        UnaryOperator<DatagramOptions> share = option.equals("SO_REUSEADDR")
                ? options -> options.withSharedAddress(true)
                : options -> options.withSharedPort(true);
        kernel.plan("setsockopt", Plan.first(-Errno.ENOPROTOOPT));
        fails(share.apply(DatagramOptions.DEFAULT), option, "ENOPROTOOPT", "does not know the option");
    }

    @ParameterizedTest
    @CsvSource({
        "socket, 97, enable IPv6",
        "socket, 24, ulimit -n",
        "bind, 98, ss -lunp",
        "bind, 99, ip addr",
        "bind, 13, CAP_NET_BIND_SERVICE",
        "bind, 19, ip link",
        "connect, 101, ip route get"
    })
    void refusedCallNamesTheRemedy(String call, int errno, String remedy) {
        kernel.plan(call, Plan.first(-errno));
        DatagramOptions options = call.equals("connect")
                ? DatagramOptions.DEFAULT.withPeer(new InetSocketAddress("127.0.0.1", 9))
                : DatagramOptions.DEFAULT;
        fails(options, call.equals("socket") ? "socket for datagrams" : call, Errno.name(errno), remedy);
    }

    // ---- sending ----

    @ParameterizedTest
    @CsvSource({
        "1, firewall",
        "13, SO_BROADCAST",
        "101, ip route get",
        "100, ip link set",
        "19, ip link lists",
        "90, path MTU",
        "97, address family",
        "22, its port is 0",
        "5, EIO"
    })
    void refusedDatagramIsLoggedOncePerErrno(int errno, String remedy) throws Exception {
        UdpSocket socket = bind(DatagramOptions.DEFAULT);
        kernel.plan("sendto", call -> call == 1 ? -Errno.EBADF : -errno); // an EMSGSIZE is tried again
        try (LogCapture log = new LogCapture(set.getClass())) {
            for (int i = 0; i < 3; i++) {
                assertEquals(false, socket.send(socket.localAddress(), ByteBuffer.allocate(1)));
            }
            assertEquals(2, log.warnings().size(), log.warnings()::toString);
            String message = log.warnings().get(1);
            assertTrue(message.contains("was not sent: sendto: " + Errno.name(errno)), message);
            assertTrue(message.contains(remedy), message);
        }
        assertEquals(3, socket.counters().unsent());
    }

    /** The kernel of this machine refuses these. */
    @Test
    void broadcastAndPortZeroAndTooManyBytesAreRefusedWithTheRemedy() throws Exception {
        UdpSocket socket = bind(DatagramOptions.DEFAULT);
        try (LogCapture log = new LogCapture(set.getClass())) {
            socket.send(new InetSocketAddress("127.255.255.255", 9), ByteBuffer.allocate(1));
            socket.send(new InetSocketAddress("127.0.0.1", 0), ByteBuffer.allocate(1));
            socket.send(socket.localAddress(), ByteBuffer.allocate(65_508));
            assertEquals(3, log.warnings().size(), log.warnings()::toString);
            assertTrue(log.warnings().get(0).contains("SO_BROADCAST"), log.warnings()::toString);
            assertTrue(log.warnings().get(1).contains("its port is 0"), log.warnings()::toString);
            assertTrue(log.warnings().get(2).contains("65,507"), log.warnings()::toString);
        }
        assertEquals(3, socket.counters().unsent());
    }
}
