package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.cabrank.kernel.AbstractUnixAddress;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.FaultyKernel;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.cabrank.socket.contract.OpenDescriptors;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Starting, listening and connecting when the kernel refuses: what is said, and that nothing is left. */
class StartFaultTest extends StreamContract {
    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);
    private static final int SHARDS = 3;

    private final FaultyKernel kernel = new FaultyKernel(TestKernel.any());
    private int descriptors;

    @Override
    protected ReactorMode mode() {
        return EpollModes.plain(kernel);
    }

    @BeforeEach
    void countDescriptors() {
        descriptors = OpenDescriptors.count();
    }

    @AfterEach
    void nothingIsLeftAndNothingClosedTwice() throws Exception {
        closeWhatWasOpened();
        assertEquals(descriptors, OpenDescriptors.count());
        assertEquals(0, kernel.closedTwice());
    }

    @ParameterizedTest
    @CsvSource({
        "epoll_create1, 1",
        "epoll_create1, 3",
        "eventfd, 1",
        "eventfd, 3",
        "epoll_ctl add, 1",
        "epoll_ctl add, 3"
    })
    void shardThatCannotBeMadeLeavesNoneBehind(String call, int nth) {
        kernel.plan(call, Plan.from(nth, 1, -Errno.EMFILE));
        IOException refused = assertThrows(
                IOException.class, () -> start(StreamReactor.builder().shards(SHARDS)));
        assertTrue(refused.getMessage().contains("EMFILE"), refused::getMessage);
        assertTrue(refused.getMessage().contains(call.replace(" add", "")), refused::getMessage);
    }

    private IOException refused(TestReactor reactor, SocketAddress address, AcceptMode mode) {
        return assertThrows(IOException.class, () -> reactor.listen(address, mode, () -> ECHO));
    }

    @ParameterizedTest
    @CsvSource({
        "socket, EMFILE, ulimit -n",
        "socket, EAFNOSUPPORT, does not speak this family",
        "setsockopt, ENOPROTOOPT, SO_REUSEADDR",
        "bind, EADDRINUSE, another socket has this port",
        "bind, EACCES, choose a higher port",
        "bind, EADDRNOTAVAIL, not one of this host's",
        "listen, EADDRINUSE, another socket has this port",
        "getsockname, ENOBUFS, getsockname",
        "epoll_ctl add, ENOSPC, epoll_ctl"
    })
    void addressThatIsRefusedIsNamedWithCauseAndRemedy(String call, String errno, String remedy) throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(SHARDS));
        kernel.plan(call, Plan.first(-errno(errno)));
        IOException refused = refused(reactor, TestReactor.loopback(0), AcceptMode.EXCLUSIVE);
        assertTrue(refused.getMessage().contains(errno), refused::getMessage);
        assertTrue(refused.getMessage().contains(remedy), refused::getMessage);
        assertEquals(0, reactor.handleCount());
        assertEquals(0, reactor.streamCount());
    }

    private static int errno(String name) {
        for (int errno = 1; errno < Errno.MAX_ERRNO; errno++) {
            if (Errno.name(errno).equals(name)) {
                return errno;
            }
        }
        throw new AssertionError(name);
    }

    /** The shards that listen already stop again: half a listener would only be found when it is slow. */
    @ParameterizedTest
    @CsvSource({
        "EXCLUSIVE, epoll_ctl add, 3",
        "REUSEPORT, epoll_ctl add, 3",
        "REUSEPORT, socket, 3",
        "REUSEPORT, bind, 2"
    })
    void shardThatCannotListenKeepsTheOthersFromIt(AcceptMode mode, String call, int nth) throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(SHARDS));
        kernel.plan(call, Plan.from(nth, 1, -Errno.ENOMEM));
        refused(reactor, TestReactor.loopback(0), mode);
        Await.until("the others are closed", () -> reactor.streamCount() == 0);
        assertEquals(0, reactor.handleCount());
        reactor.listen(TestReactor.loopback(0), mode, () -> ECHO);
    }

    @Test
    void addressOfAnotherHostIsRefused() throws Exception {
        IOException refused = refused(start(), new InetSocketAddress("192.0.2.1", 0), AcceptMode.EXCLUSIVE);
        assertTrue(
                refused.getMessage().startsWith("cannot listen at 192.0.2.1:0: bind: EADDRNOTAVAIL"),
                refused::getMessage);
        assertTrue(refused.getMessage().contains("ip addr"), refused::getMessage);
    }

    @Test
    void socketFileThatExistsIsNamed(@TempDir Path directory) throws Exception {
        Path file = Files.createFile(directory.resolve("taken"));
        IOException refused = refused(start(), UnixDomainSocketAddress.of(file), AcceptMode.EXCLUSIVE);
        assertTrue(refused.getMessage().contains("EADDRINUSE"), refused::getMessage);
        assertTrue(refused.getMessage().contains("remove it"), refused::getMessage);
        assertTrue(Files.exists(file), "it may be somebody else's");
    }

    @Test
    void missingDirectoryIsNamed(@TempDir Path directory) throws Exception {
        IOException refused = refused(
                start(), UnixDomainSocketAddress.of(directory.resolve("no").resolve("where")), AcceptMode.EXCLUSIVE);
        assertTrue(refused.getMessage().contains("the directory does not exist"), refused::getMessage);
    }

    @Test
    void abstractNameInUseIsNamed() throws Exception {
        AbstractUnixAddress address = new AbstractUnixAddress("cabrank-test-" + System.nanoTime());
        TestReactor reactor = start();
        reactor.listen(address, AcceptMode.EXCLUSIVE, () -> ECHO);
        IOException refused = refused(reactor, address, AcceptMode.EXCLUSIVE);
        assertTrue(refused.getMessage().contains("another socket has this name"), refused::getMessage);
    }

    @Test
    void socketFileOfAListenerThatFailsIsRemovedAgain(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("server");
        kernel.plan("listen", Plan.first(-Errno.ENOBUFS));
        refused(start(), UnixDomainSocketAddress.of(file), AcceptMode.EXCLUSIVE);
        assertFalse(Files.exists(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"socket", "setsockopt", "connect", "epoll_ctl add"})
    void connectThatIsRefusedLeavesNothing(String call) throws Exception {
        TestReactor reactor = start();
        Recorder recorder = new Recorder();
        try (ServerSocket server =
                new ServerSocket(0, 1, TestReactor.loopback(0).getAddress())) {
            kernel.plan(call, Plan.first(-Errno.ENOBUFS));
            CompletableFuture<Connection> connecting =
                    reactor.reactor().connect(server.getLocalSocketAddress(), recorder);
            Throwable reason =
                    assertThrows(ExecutionException.class, connecting::get).getCause();
            assertTrue(reason instanceof IOException && reason.getMessage().contains("ENOBUFS"), reason::toString);
        }
        assertEquals(0, reactor.handleCount());
        assertEquals(0, recorder.calls().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"socket", "setsockopt", "connect", "epoll_ctl add"})
    void connectThatFindsNoMemoryLeavesNothing(String call) throws Exception {
        TestReactor reactor = start();
        Recorder recorder = new Recorder();
        try (ServerSocket server =
                new ServerSocket(0, 1, TestReactor.loopback(0).getAddress())) {
            kernel.plan(call, nth -> {
                throw new OutOfMemoryError("on purpose");
            });
            CompletableFuture<Connection> connecting =
                    reactor.reactor().connect(server.getLocalSocketAddress(), recorder);
            kernel.forget();
            assertInstanceOf(
                    OutOfMemoryError.class,
                    assertThrows(ExecutionException.class, connecting::get).getCause());
        }
        assertEquals(0, reactor.handleCount());
        assertEquals(0, reactor.streamCount());
        assertEquals(0, recorder.calls().size());
    }

    @ParameterizedTest
    @CsvSource({
        "EXCLUSIVE, setsockopt, 1",
        "EXCLUSIVE, bind, 1",
        "EXCLUSIVE, listen, 1",
        "EXCLUSIVE, getsockname, 1",
        "EXCLUSIVE, epoll_ctl add, 1",
        "EXCLUSIVE, epoll_ctl add, 3",
        "REUSEPORT, listen, 2",
        "REUSEPORT, epoll_ctl add, 3"
    })
    void listenerThatFindsNoMemoryLeavesNothing(AcceptMode mode, String call, int nth) throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(SHARDS));
        kernel.plan(call, failingAt(nth));
        assertThrows(OutOfMemoryError.class, () -> reactor.listen(TestReactor.loopback(0), mode, () -> ECHO));
        kernel.forget();
        Await.until("the others are closed", () -> reactor.streamCount() == 0);
        assertEquals(0, reactor.handleCount());
        reactor.listen(TestReactor.loopback(0), mode, () -> ECHO);
    }

    private static Plan failingAt(int nth) {
        return call -> {
            if (call == nth) {
                throw new OutOfMemoryError("on purpose");
            }
            return Plan.ASK;
        };
    }
}
