package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.calls.SocketOps;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options of sockets, read back by getsockopt(2) on the descriptors of this process. */
public abstract class SocketOptionContract extends StreamContract {
    /** One option with a value that is not the default, and the kernel's value of it. */
    private record Sample<T>(SocketOption<T> option, T value, int level, int name, int expected) {
        SocketOptions addTo(SocketOptions options) {
            return options.with(option, value);
        }
    }

    private static final int DOUBLED = 2;
    private static final int BUFFER = 30_000;

    private static final Sample<Boolean> KEEPALIVE =
            new Sample<>(SocketOption.SO_KEEPALIVE, true, Sockets.SOL_SOCKET, Sockets.SO_KEEPALIVE, 1);

    /** Options of TCP over IPv4 that accepted sockets inherit and that no privilege is needed for. */
    private static final List<Sample<?>> INHERITED = List.of(
            new Sample<>(SocketOption.TCP_NODELAY, false, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 0),
            new Sample<>(SocketOption.TCP_CORK, true, Sockets.IPPROTO_TCP, Sockets.TCP_CORK, 1),
            new Sample<>(
                    SocketOption.TCP_USER_TIMEOUT,
                    Duration.ofMillis(4_321),
                    Sockets.IPPROTO_TCP,
                    Sockets.TCP_USER_TIMEOUT,
                    4_321),
            KEEPALIVE,
            new Sample<>(
                    SocketOption.TCP_KEEPIDLE, Duration.ofSeconds(77), Sockets.IPPROTO_TCP, Sockets.TCP_KEEPIDLE, 77),
            new Sample<>(
                    SocketOption.TCP_KEEPINTVL, Duration.ofSeconds(33), Sockets.IPPROTO_TCP, Sockets.TCP_KEEPINTVL, 33),
            new Sample<>(SocketOption.TCP_KEEPCNT, 4, Sockets.IPPROTO_TCP, Sockets.TCP_KEEPCNT, 4),
            new Sample<>(
                    SocketOption.TCP_NOTSENT_LOWAT, 16_384, Sockets.IPPROTO_TCP, Sockets.TCP_NOTSENT_LOWAT, 16_384),
            new Sample<>(SocketOption.SO_RCVBUF, BUFFER, Sockets.SOL_SOCKET, Sockets.SO_RCVBUF, DOUBLED * BUFFER),
            new Sample<>(SocketOption.SO_SNDBUF, BUFFER, Sockets.SOL_SOCKET, Sockets.SO_SNDBUF, DOUBLED * BUFFER),
            new Sample<>(SocketOption.SO_BUSY_POLL, Duration.ZERO, Sockets.SOL_SOCKET, Sockets.SO_BUSY_POLL, 0),
            new Sample<>(SocketOption.IP_TOS, 0x28, Sockets.IPPROTO_IP, Sockets.IP_TOS, 0x28));

    private static final Sample<Duration> DEFER_ACCEPT = new Sample<>(
            SocketOption.TCP_DEFER_ACCEPT, Duration.ofSeconds(1), Sockets.IPPROTO_TCP, Sockets.TCP_DEFER_ACCEPT, 1);
    private static final Sample<Integer> FASTOPEN =
            new Sample<>(SocketOption.TCP_FASTOPEN, 16, Sockets.IPPROTO_TCP, Sockets.TCP_FASTOPEN, 16);
    private static final Sample<Integer> INCOMING_CPU =
            new Sample<>(SocketOption.SO_INCOMING_CPU, 0, Sockets.SOL_SOCKET, Sockets.SO_INCOMING_CPU, 0);
    private static final Sample<Integer> PRIORITY =
            new Sample<>(SocketOption.SO_PRIORITY, 5, Sockets.SOL_SOCKET, Sockets.SO_PRIORITY, 5);

    private static final String NO_ALGORITHM = "no-such-thing";

    private final Kernel kernel = TestKernel.any();
    private final SocketOps sockets = new SocketOps(kernel);

    private static SocketOptions all(List<Sample<?>> samples) {
        SocketOptions options = SocketOptions.NONE;
        for (Sample<?> sample : samples) {
            options = sample.addTo(options);
        }
        return options;
    }

    /** Sockets of this process with this local address; of a listener if {@code peer} is null. */
    private List<Integer> descriptors(SocketAddress local, SocketAddress peer) throws IOException {
        List<Integer> found = new ArrayList<>();
        for (String name : new File("/proc/self/fd").list()) {
            int fd = Integer.parseInt(name);
            if (local.equals(sockets.localOrNull(fd))
                    && (peer == null ? isListening(fd) : peer.equals(sockets.peerOrNull(fd)))) {
                found.add(fd);
            }
        }
        return found;
    }

    private boolean isListening(int fd) throws IOException {
        return sockets.intOption(fd, Sockets.SOL_SOCKET, Sockets.SO_ACCEPTCONN, "SO_ACCEPTCONN") == 1;
    }

    private int value(int fd, Sample<?> sample) throws IOException {
        return sockets.intOption(fd, sample.level, sample.name, sample.option.name());
    }

    private void assertSet(List<Sample<?>> samples, List<Integer> descriptors) throws IOException {
        assertTrue(!descriptors.isEmpty());
        for (int fd : descriptors) {
            for (Sample<?> sample : samples) {
                assertEquals(sample.expected, value(fd, sample), sample.option.name());
            }
        }
    }

    private List<Integer> acceptedFrom(TestClient client) throws IOException {
        return descriptors(client.channel().getRemoteAddress(), client.channel().getLocalAddress());
    }

    private TestClient served(Listener listener) throws IOException {
        return client(listener.address()).send("x").expect("x");
    }

    private Listener listener(ListenOptions options) throws IOException {
        return start().listener(options, () -> (connection, data) -> connection.write(data));
    }

    @Test
    void optionsOfAListenerAreInherited() throws Exception {
        SocketOptions wanted = all(INHERITED).without(SocketOption.TCP_CORK);
        Listener listener = listener(ListenOptions.DEFAULT.withSocketOptions(wanted));
        List<Sample<?>> expected = INHERITED.stream()
                .filter(each -> each.option != SocketOption.TCP_CORK)
                .toList();
        assertSet(expected, descriptors(listener.address(), null));
        assertSet(expected, acceptedFrom(served(listener)));
        assertEquals(wanted, listener.options().socketOptions());
    }

    @Test
    void optionsOfAcceptedSocketsAreInheritedWhereThatIsPossible() throws Exception {
        List<Sample<?>> wanted = new ArrayList<>(INHERITED);
        wanted.removeIf(each -> each.option == SocketOption.TCP_CORK);
        Listener listener = listener(ListenOptions.DEFAULT.withAcceptedOptions(PRIORITY.addTo(all(wanted))));
        assertSet(wanted, descriptors(listener.address(), null));
        wanted.add(PRIORITY);
        assertSet(wanted, acceptedFrom(served(listener)));
    }

    /** With the privilege the option is set; without, the message names the capability. */
    private void isSetOrTakesAPrivilege(Sample<?> sample) throws IOException {
        ListenOptions options = ListenOptions.DEFAULT.withSocketOptions(sample.addTo(SocketOptions.NONE));
        try {
            Listener listener = listener(options);
            assertSet(List.of(sample), descriptors(listener.address(), null));
            assertSet(List.of(sample), acceptedFrom(served(listener)));
        } catch (IOException refused) {
            assertSays(refused, sample.option.name(), "EPERM", "CAP_NET_", "leave the option out");
        }
    }

    @Test
    void optionsThatTakeAPrivilegeAreSetOrRefused() throws Exception {
        isSetOrTakesAPrivilege(new Sample<>(
                SocketOption.SO_PREFER_BUSY_POLL, true, Sockets.SOL_SOCKET, Sockets.SO_PREFER_BUSY_POLL, 1));
        isSetOrTakesAPrivilege(new Sample<>(
                SocketOption.SO_BUSY_POLL, Duration.ofNanos(50_000), Sockets.SOL_SOCKET, Sockets.SO_BUSY_POLL, 50));
        isSetOrTakesAPrivilege(new Sample<>(SocketOption.SO_MARK, 7, Sockets.SOL_SOCKET, Sockets.SO_MARK, 7));
    }

    @Test
    void optionsThatAreNamesAreSet() throws Exception {
        SocketOptions names =
                SocketOptions.NONE.with(SocketOption.SO_BINDTODEVICE, "lo").with(SocketOption.TCP_CONGESTION, "reno");
        Recorder recorder = new Recorder((connection, data) -> connection.write(data));
        served(start().listener(ListenOptions.DEFAULT.withSocketOptions(names), () -> recorder));
        assertEquals("lo", recorder.connection().option(SocketOption.SO_BINDTODEVICE));
        assertEquals("reno", recorder.connection().option(SocketOption.TCP_CONGESTION));
    }

    @Test
    void optionsOfIpv6AreSet() throws Exception {
        InetSocketAddress loopback = new InetSocketAddress(InetAddress.getByName("::1"), 0);
        int probe = sockets.streamSocket(loopback);
        assumeTrue(probe >= 0 && sockets.bind(probe, loopback) == 0, "this machine has no IPv6");
        kernel.close(probe);
        List<Sample<?>> samples = List.of(
                new Sample<>(SocketOption.IPV6_V6ONLY, true, Sockets.IPPROTO_IPV6, Sockets.IPV6_V6ONLY, 1),
                new Sample<>(SocketOption.IPV6_TCLASS, 0x28, Sockets.IPPROTO_IPV6, Sockets.IPV6_TCLASS, 0x28),
                new Sample<>(SocketOption.IP_TOS, 0x48, Sockets.IPPROTO_IP, Sockets.IP_TOS, 0x48));
        Recorder recorder = new Recorder((connection, data) -> connection.write(data));
        Listener listener = start().reactor()
                .listen(loopback, ListenOptions.DEFAULT.withSocketOptions(all(samples)), () -> recorder);
        assertSet(samples, descriptors(listener.address(), null));
        assertSet(samples, acceptedFrom(served(listener)));
    }

    @Test
    void listenerMayHaveAnotherValueThanAcceptedSockets() throws Exception {
        Listener listener = listener(ListenOptions.DEFAULT
                .withSocketOptions(SocketOptions.NONE.with(SocketOption.SO_KEEPALIVE, false))
                .withAcceptedOptions(KEEPALIVE.addTo(SocketOptions.NONE)));
        for (int fd : descriptors(listener.address(), null)) {
            assertEquals(0, value(fd, KEEPALIVE));
        }
        assertSet(List.of(KEEPALIVE), acceptedFrom(served(listener)));
    }

    @Test
    void optionsOfListenersAloneAreSet() throws Exception {
        List<Sample<?>> samples = List.of(DEFER_ACCEPT, FASTOPEN, INCOMING_CPU);
        Listener listener = listener(ListenOptions.DEFAULT.withSocketOptions(all(samples)));
        assertSet(samples, descriptors(listener.address(), null));
        served(listener);
    }

    @Test
    void optionsByNumberAreSetAndRead() throws Exception {
        SocketOption<Integer> lowat = SocketOption.ofInt(Sockets.SOL_SOCKET, Sockets.SO_RCVLOWAT);
        SocketOption<byte[]> linger = SocketOption.ofBytes(Sockets.SOL_SOCKET, Sockets.SO_LINGER);
        byte[] none = new byte[8];
        Listener listener = listener(ListenOptions.DEFAULT
                .withSocketOptions(SocketOptions.NONE.with(linger, none))
                .withAcceptedOptions(SocketOptions.NONE.with(lowat, 1)));
        Recorder recorder = new Recorder();
        Connection connection = connect(listener.address(), SocketOptions.NONE, recorder);
        connection.option(SocketOption.ofInt(Sockets.SOL_SOCKET, Sockets.SO_PRIORITY), 3);
        assertEquals(3, connection.option(SocketOption.SO_PRIORITY));
        assertEquals(8, connection.option(linger).length);
        served(listener);
    }

    private Connection connect(SocketAddress address, SocketOptions options, Recorder recorder) throws Exception {
        return start().reactor()
                .connect(address, ConnectOptions.DEFAULT.withSocketOptions(options), recorder)
                .get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
    }

    @Test
    void optionsOfAConnectingSocketAreSetBeforeItConnects() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Connection connection = connect(server.getLocalSocketAddress(), all(INHERITED), new Recorder());
            assertSet(INHERITED, descriptors(connection.localAddress(), connection.remoteAddress()));
            Connection plain = connect(server.getLocalSocketAddress(), SocketOptions.NONE, new Recorder());
            assertEquals(true, plain.option(SocketOption.TCP_NODELAY));
        }
    }

    @Test
    void optionsOfAnOpenConnectionAreSetAndRead() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> {
            connection.option(SocketOption.TCP_QUICKACK, false);
            connection.option(SocketOption.TCP_KEEPCNT, 7);
            connection.write(data);
        });
        Listener listener = start().listener(ListenOptions.DEFAULT, () -> recorder);
        TestClient client = served(listener);
        Connection connection = recorder.connection();
        assertEquals(7, connection.option(SocketOption.TCP_KEEPCNT));
        assertEquals(true, connection.option(SocketOption.TCP_NODELAY));
        for (Sample<?> sample : INHERITED) {
            set(connection, sample);
        }
        assertSet(INHERITED, acceptedFrom(client));
        assertTrue(connection.option(SocketOption.SO_INCOMING_CPU) >= 0);
        connection.option(SocketOption.TCP_CONGESTION, "reno");
        assertEquals("reno", connection.option(SocketOption.TCP_CONGESTION));
        assertEquals("", connection.option(SocketOption.SO_BINDTODEVICE));
        client.endOutput().expectEnd();
        recorder.awaitClosed();
        assertThrows(IOException.class, () -> connection.option(SocketOption.TCP_KEEPCNT, 3));
        assertThrows(IOException.class, () -> connection.option(SocketOption.TCP_KEEPCNT));
    }

    private static <T> void set(Connection connection, Sample<T> sample) throws IOException {
        connection.option(sample.option, sample.value);
    }

    private static void assertSays(Throwable refused, String... words) {
        for (String word : words) {
            assertTrue(refused.getMessage().contains(word), refused::toString);
        }
    }

    @Test
    void optionThatTheKernelRefusesIsReportedAndNothingLeaks() throws Exception {
        TestReactor reactor = start();
        SocketAddress server = reactor.listen((connection, data) -> connection.write(data));
        int before;
        int after = OpenDescriptors.count();
        do { // again if there are fewer: one of an earlier test was still being closed
            before = after;
            assertRefused(reactor, server);
            after = OpenDescriptors.count();
        } while (after < before);
        assertEquals(before, after);
        assertEquals(0, reactor.failureCount());
    }

    private static void assertRefused(TestReactor reactor, SocketAddress server) {
        SocketOptions unknown = SocketOptions.NONE.with(SocketOption.TCP_CONGESTION, NO_ALGORITHM);
        SocketOptions device = SocketOptions.NONE.with(SocketOption.SO_BINDTODEVICE, NO_ALGORITHM);
        SocketOption<Integer> none = SocketOption.ofInt(Sockets.SOL_SOCKET, 0x7777);
        assertSays(
                assertThrows(
                        IOException.class,
                        () -> reactor.listener(ListenOptions.DEFAULT.withSocketOptions(unknown), Recorder::new)),
                "cannot listen at",
                "TCP_CONGESTION (" + NO_ALGORITHM + ")",
                "ENOENT",
                "tcp_available_congestion_control");
        assertSays(
                assertThrows(
                        IOException.class,
                        () -> reactor.listener(ListenOptions.DEFAULT.withAcceptedOptions(device), Recorder::new)),
                "SO_BINDTODEVICE",
                "ENODEV",
                "ip link");
        assertSays(
                assertThrows(
                        IOException.class,
                        () -> reactor.listener(
                                ListenOptions.DEFAULT.withSocketOptions(SocketOptions.NONE.with(none, 1)),
                                Recorder::new)),
                "option 30583 of level 1",
                "ENOPROTOOPT");
        Throwable refused = assertThrows(
                        ExecutionException.class,
                        () -> reactor.reactor()
                                .connect(server, ConnectOptions.DEFAULT.withSocketOptions(unknown), new Recorder())
                                .get())
                .getCause();
        assertInstanceOf(IOException.class, refused);
        assertSays(refused, "connect to", "TCP_CONGESTION", "ENOENT");
    }

    @Test
    void connectionWhoseOptionIsRefusedIsClosedAndCounted() throws Exception {
        SocketOption<Integer> none = SocketOption.ofInt(Sockets.SOL_SOCKET, 0x7777);
        Listener listener = listener(ListenOptions.DEFAULT.withAcceptedOptions(SocketOptions.NONE.with(none, 1)));
        client(listener.address()).expectEnd();
        Await.until("it is counted", () -> listener.counters().refused() == 1);
        assertEquals(1, listener.counters().accepted());
    }

    @Test
    void unixSocketsRefuseOptionsOfTcp(@TempDir Path directory) throws Exception {
        SocketAddress address = UnixDomainSocketAddress.of(directory.resolve("echo"));
        SocketOptions noDelay = SocketOptions.NONE.with(SocketOption.TCP_NODELAY, true);
        SocketOptions sendBuffer = SocketOptions.NONE.with(SocketOption.SO_SNDBUF, BUFFER);
        TestReactor reactor = start();
        for (ListenOptions options : List.of(
                ListenOptions.DEFAULT.withSocketOptions(noDelay), ListenOptions.DEFAULT.withAcceptedOptions(noDelay))) {
            assertSays(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> reactor.reactor().listen(address, options, Recorder::new)),
                    "TCP_NODELAY has no effect on a Unix socket",
                    "leave the option out");
        }
        Recorder recorder = new Recorder((connection, data) -> connection.write(data));
        reactor.reactor().listen(address, ListenOptions.DEFAULT.withAcceptedOptions(sendBuffer), () -> recorder);
        CompletableFuture<Connection> refused =
                reactor.reactor().connect(address, ConnectOptions.DEFAULT.withSocketOptions(noDelay), new Recorder());
        assertSays(assertThrows(ExecutionException.class, refused::get).getCause(), "has no effect on a Unix socket");
        client(address).send("x").expect("x");
        Connection connection = recorder.connection();
        assertEquals(DOUBLED * BUFFER, connection.option(SocketOption.SO_SNDBUF));
        assertThrows(IllegalArgumentException.class, () -> connection.option(SocketOption.TCP_NODELAY, true));
    }

    @Test
    void optionsAreRefusedWhereTheyHaveNoEffect() throws Exception {
        SocketOptions fastOpen = FASTOPEN.addTo(SocketOptions.NONE);
        TestReactor reactor = start();
        assertSays(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> reactor.listener(ListenOptions.DEFAULT.withAcceptedOptions(fastOpen), Recorder::new)),
                "TCP_FASTOPEN cannot be set on an accepted socket: set it on a listener");
        SocketOptions ipv6 = SocketOptions.NONE.with(SocketOption.IPV6_TCLASS, 8);
        InetSocketAddress ipv4 = new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0);
        assertSays(
                assertThrows(
                        IOException.class,
                        () -> reactor.reactor()
                                .listen(ipv4, ListenOptions.DEFAULT.withSocketOptions(ipv6), Recorder::new)),
                "IPV6_TCLASS (8)",
                "ENOPROTOOPT",
                "IPv6");
    }
}
