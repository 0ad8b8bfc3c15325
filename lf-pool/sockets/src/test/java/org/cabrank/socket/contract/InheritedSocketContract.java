package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.socket.calls.SocketOps;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Listeners over sockets that another program has opened; here the test opens them, blocking and without close-on-exec. */
public abstract class InheritedSocketContract extends StreamContract {
    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);

    private final Kernel kernel = TestKernel.any();
    private final SocketOps sockets = new SocketOps(kernel);

    private int bound(SocketAddress address) throws IOException {
        int fd = Errno.check("socket", kernel.socket(SocketAddresses.domain(address), Sockets.SOCK_STREAM, 0));
        Errno.check("bind", sockets.bind(fd, address));
        return fd;
    }

    private int listening(SocketAddress address) throws IOException {
        int fd = bound(address);
        Errno.check("listen", kernel.listen(fd, 1));
        return fd;
    }

    private int flags(int fd, int command) throws IOException {
        return Errno.check("fcntl", kernel.fcntl(fd, command, 0));
    }

    private Listener served(int fd) throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(2));
        Listener listener = reactor.reactor().listen(fd, ListenOptions.DEFAULT, () -> ECHO);
        assertEquals(sockets.localAddress(fd), listener.address());
        for (int i = 0; i < 4; i++) {
            client(listener.address()).send("x").expect("x");
        }
        return listener;
    }

    private static void close(Listener listener) throws Exception {
        listener.close();
        listener.closed().get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        assertThrows(ConnectException.class, () -> SocketChannel.open(listener.address()));
    }

    @Test
    void socketThatListensIsServedAndClosedWithItsListener() throws Exception {
        int fd = listening(TestReactor.loopback(0));
        Listener listener = served(fd);
        assertEquals(FileFlags.O_NONBLOCK, flags(fd, FileFlags.F_GETFL) & FileFlags.O_NONBLOCK);
        assertEquals(FileFlags.FD_CLOEXEC, flags(fd, FileFlags.F_GETFD));
        close(listener);
    }

    @Test
    void socketThatIsOnlyBoundBeginsToListen() throws Exception {
        close(served(bound(TestReactor.loopback(0))));
    }

    @Test
    void fileOfAnInheritedUnixSocketStays(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("echo");
        close(served(listening(UnixDomainSocketAddress.of(file))));
        assertTrue(Files.exists(file));
    }

    /** The message has these words, and the descriptor is the caller's as before. */
    private void refused(int fd, String... words) throws Exception {
        TestReactor reactor = start();
        IOException refused =
                assertThrows(IOException.class, () -> reactor.reactor().listen(fd, ListenOptions.DEFAULT, () -> ECHO));
        for (String word : words) {
            assertTrue(refused.getMessage().contains(word), refused::getMessage);
        }
        assertTrue(refused.getMessage().contains("descriptor " + fd), refused::getMessage);
        if (fd >= 0) {
            flags(fd, FileFlags.F_GETFD);
            Errno.check("close", kernel.close(fd));
        }
    }

    @Test
    void unfitDescriptorIsRefusedAndStaysOpen() throws Exception {
        refused(-1, "EBADF", "LISTEN_FDS");
        refused(kernel.eventfd(0, 0), "ENOTSOCK", "pass the descriptor of a bound stream socket");
        refused(kernel.socket(Sockets.AF_INET, Sockets.SOCK_DGRAM, 0), "type 2", "pass a stream socket");
        Listener listener = start().listener(ListenOptions.DEFAULT, () -> ECHO);
        int connected = Errno.check("socket", sockets.streamSocket(listener.address()));
        sockets.connect(connected, listener.address());
        refused(connected, "EINVAL", "pass a socket that is bound");
    }

    @Test
    void modesWithASocketForEachShardRefuseADescriptor() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(2));
        int fd = listening(TestReactor.loopback(0));
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> reactor.reactor()
                        .listen(fd, ListenOptions.DEFAULT.withAcceptMode(AcceptMode.REUSEPORT), () -> ECHO));
        assertTrue(refused.getMessage().contains("use EXCLUSIVE or DISPATCH"), refused::getMessage);
        Errno.check("close", kernel.close(fd));
    }

    /** As in a restart: the second reactor has the sockets before the first ends, and the clients notice nothing. */
    @Test
    void sharedSocketIsServedByAnotherReactorWhileTheFirstEnds() throws Exception {
        int rounds = 5;
        ConnectionHandler answering = (connection, data) -> {
            connection.write(data);
            connection.close();
        };
        TestReactor first = start(StreamReactor.builder().shards(2).drainGrace(Duration.ofSeconds(1)));
        Listener listener = first.reactor().listen(TestReactor.loopback(0), ListenOptions.DEFAULT, () -> answering);
        SocketAddress address = listener.address();
        AtomicBoolean enough = new AtomicBoolean();
        AtomicLong answered = new AtomicLong();
        TestThread clients = TestThread.start("clients", () -> {
            while (!enough.get()) {
                client(address).send("x").expectToEnd("x").close();
                answered.incrementAndGet();
            }
        });
        for (int round = 0; round < rounds; round++) {
            long before = answered.get();
            Await.until("clients are answered", () -> answered.get() > before + 10 || !clients.isAlive());
            int[] shared = listener.share();
            assertEquals(1, shared.length);
            TestReactor second = start(StreamReactor.builder().shards(2).drainGrace(Duration.ofSeconds(1)));
            listener = second.reactor().listen(shared[0], ListenOptions.DEFAULT, () -> answering);
            assertEquals(address, listener.address());
            first.close();
            first = second;
        }
        enough.set(true);
        clients.join();
    }

    @Test
    void listenerWhoseSocketNobodyTookEndsAsBefore(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("echo");
        TestReactor reactor = start();
        Listener listener =
                reactor.reactor().listen(UnixDomainSocketAddress.of(file), ListenOptions.DEFAULT, () -> ECHO);
        for (int fd : listener.share()) {
            kernel.close(fd);
        }
        listener.unshare();
        listener.close();
        listener.closed().get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        assertFalse(Files.exists(file));
        assertTrue(assertThrows(IOException.class, listener::share).getMessage().contains("is closed"));
    }

    @Test
    void fileOfASharedUnixSocketStays(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("echo");
        TestReactor reactor = start();
        Listener listener =
                reactor.reactor().listen(UnixDomainSocketAddress.of(file), ListenOptions.DEFAULT, () -> ECHO);
        int[] shared = listener.share();
        listener.close();
        listener.closed().get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        assertTrue(Files.exists(file));
        Listener next = start().reactor().listen(shared[0], ListenOptions.DEFAULT, () -> ECHO);
        client(next.address()).send("x").expect("x");
    }

    @Test
    void eachSocketOfShardsThatListenSeparatelyIsShared() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(3));
        Listener listener = reactor.reactor()
                .listen(
                        TestReactor.loopback(0),
                        ListenOptions.DEFAULT.withAcceptMode(AcceptMode.REUSEPORT),
                        () -> ECHO);
        int[] shared = listener.share();
        assertEquals(reactor.reactor().shardCounters().size(), shared.length);
        for (int fd : shared) {
            assertEquals(listener.address(), sockets.localAddress(fd));
            kernel.close(fd);
        }
    }
}
