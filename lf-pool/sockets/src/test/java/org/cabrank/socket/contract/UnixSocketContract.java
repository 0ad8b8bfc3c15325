package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.AbstractUnixAddress;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.PeerCredentials;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Unix sockets: the process at the other end, and names without a file. */
public abstract class UnixSocketContract extends StreamContract {
    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);

    private final Kernel kernel = TestKernel.any();

    static AbstractUnixAddress ownName(String purpose) {
        return new AbstractUnixAddress(
                "cabrank-" + purpose + "-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
    }

    private Connection connect(TestReactor reactor, SocketAddress address, ConnectOptions options) throws Exception {
        return reactor.reactor().connect(address, options, new Recorder()).get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
    }

    private static List<Long> ids(String field) throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(each -> each.startsWith(field + ":"))
                .findFirst()
                .orElseThrow();
        return Arrays.stream(line.substring(field.length() + 1).trim().split("\\s+"))
                .filter(id -> !id.isEmpty())
                .map(Long::valueOf)
                .sorted()
                .toList();
    }

    @Test
    void bothSidesHaveThePeersCredentials() throws Exception {
        TestReactor reactor = start();
        Recorder accepted = new Recorder(ECHO);
        SocketAddress address = reactor.listen(ownName("peer"), AcceptMode.EXCLUSIVE, () -> accepted);
        Connection made = connect(reactor, address, ConnectOptions.DEFAULT);
        for (Connection connection : List.of(made, accepted.connection())) {
            PeerCredentials peer = connection.unixSocket().peerCredentials();
            assertEquals(ProcessHandle.current().pid(), peer.pid());
            assertTrue(ids("Uid").contains(peer.uid()), peer::toString);
            assertTrue(ids("Gid").contains(peer.gid()), peer::toString);
            assertEquals(ids("Groups"), peer.groups().stream().sorted().toList());
        }
    }

    @Test
    void pidfdOfThePeerIsANewDescriptorOfTheCaller() throws Exception {
        TestReactor reactor = start();
        Recorder accepted = new Recorder(ECHO);
        SocketAddress address = reactor.listen(ownName("pidfd"), AcceptMode.EXCLUSIVE, () -> accepted);
        Connection made = connect(reactor, address, ConnectOptions.DEFAULT);
        int pidfd;
        try {
            pidfd = made.unixSocket().peerPidfd();
        } catch (IOException old) {
            assertTrue(
                    old.getMessage().contains("ENOPROTOOPT") && old.getMessage().contains("6.5"), old::getMessage);
            assumeTrue(false, old.getMessage());
            return;
        }
        String about = Files.readString(Path.of("/proc/self/fdinfo/" + pidfd));
        assertTrue(about.contains("Pid:\t" + ProcessHandle.current().pid()), about);
        assertEquals(FileFlags.FD_CLOEXEC, kernel.fcntl(pidfd, FileFlags.F_GETFD, 0));
        Errno.check("close", kernel.close(pidfd));
        made.close();
        accepted.awaitClosed();
        assertThrows(ClosedChannelException.class, accepted.connection().unixSocket()::peerPidfd);
        assertThrows(ClosedChannelException.class, accepted.connection().unixSocket()::peerCredentials);
    }

    @Test
    void tcpHasNoPeerCredentials() throws Exception {
        Recorder recorder = new Recorder(ECHO);
        client(serve(recorder)).send("x").expect("x");
        Connection connection = recorder.connection();
        for (Executable question :
                List.<Executable>of(connection.unixSocket()::peerCredentials, connection.unixSocket()::peerPidfd)) {
            UnsupportedOperationException refused = assertThrows(UnsupportedOperationException.class, question);
            assertTrue(refused.getMessage().contains("not a Unix socket"), refused::getMessage);
        }
    }

    @Test
    void abstractNamesAreKnownOnBothSides() throws Exception {
        TestReactor reactor = start();
        Recorder accepted = new Recorder(ECHO);
        AbstractUnixAddress name = ownName("server");
        AbstractUnixAddress own = ownName("client");
        assertEquals(name, reactor.listen(name, AcceptMode.EXCLUSIVE, () -> accepted));
        Connection made = connect(reactor, name, ConnectOptions.DEFAULT.withLocalAddress(own));
        assertEquals(name, made.remoteAddress());
        assertEquals(own, made.localAddress());
        assertEquals(name, accepted.connection().localAddress());
        assertEquals(own, accepted.connection().remoteAddress());
        assertTrue(made.toString().endsWith("with @" + name.name()), made::toString);
    }

    @Test
    void abstractNameIsFreeWhenItsListenerIsClosed() throws Exception {
        TestReactor reactor = start();
        AbstractUnixAddress name = ownName("again");
        Listener first = reactor.reactor().listen(name, ListenOptions.DEFAULT, () -> ECHO);
        assertEquals(name, first.address());
        IOException taken = assertThrows(
                IOException.class, () -> reactor.reactor().listen(name, ListenOptions.DEFAULT, () -> ECHO));
        assertTrue(taken.getMessage().contains("EADDRINUSE"), taken::getMessage);
        first.close();
        first.closed().get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        reactor.reactor().listen(name, ListenOptions.DEFAULT, () -> ECHO);
        connect(reactor, name, ConnectOptions.DEFAULT).close();
        assertFalse(Files.exists(Path.of("@" + name.name())));
    }

    @Test
    void connectToAnUnusedAbstractNameFails() throws Exception {
        TestReactor reactor = start();
        Exception refused =
                assertThrows(Exception.class, () -> connect(reactor, ownName("nobody"), ConnectOptions.DEFAULT));
        assertTrue(refused.getMessage().contains("ECONNREFUSED"), refused::getMessage);
    }

    @Test
    void namedPeerIsKnownByItsFile(@TempDir Path directory) throws Exception {
        TestReactor reactor = start();
        Recorder accepted = new Recorder(ECHO);
        SocketAddress address = UnixDomainSocketAddress.of(directory.resolve("server"));
        SocketAddress own = UnixDomainSocketAddress.of(directory.resolve("client"));
        reactor.listen(address, AcceptMode.EXCLUSIVE, () -> accepted);
        Connection made = connect(reactor, address, ConnectOptions.DEFAULT.withLocalAddress(own));
        assertEquals(address, made.remoteAddress());
        assertEquals(own, accepted.connection().remoteAddress());
    }
}
