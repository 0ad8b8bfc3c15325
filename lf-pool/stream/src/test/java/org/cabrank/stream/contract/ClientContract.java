package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.IdleTimeoutException;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that this side makes. */
public abstract class ClientContract extends StreamContract {

    private static Connection made(CompletableFuture<Connection> connecting) throws Exception {
        return connecting.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
    }

    private static Throwable refused(CompletableFuture<Connection> connecting) {
        return assertThrows(ExecutionException.class, () -> made(connecting)).getCause();
    }

    @Test
    void connectionThatIsMadeIsOpenedAndServedLikeOneThatIsAccepted() throws Exception {
        try (ServerSocket server =
                new ServerSocket(0, 1, TestReactor.loopback(0).getAddress())) {
            TestReactor reactor = start();
            Recorder recorder = new Recorder((connection, data) -> connection.write(data));
            Connection connection = made(reactor.reactor().connect(server.getLocalSocketAddress(), recorder));
            assertSame(connection, recorder.connection());
            assertEquals(server.getLocalSocketAddress(), connection.remoteAddress());
            try (Socket peer = server.accept()) {
                assertEquals(peer.getRemoteSocketAddress(), connection.localAddress());
                peer.getOutputStream().write("ping".getBytes());
                assertEquals("ping", new String(peer.getInputStream().readNBytes(4)));
                peer.shutdownOutput();
                assertEquals(-1, peer.getInputStream().read());
            }
            assertNull(recorder.awaitClosed());
            assertEquals(List.of("opened", "data", "inputClosed", "closed"), recorder.calls());
        }
    }

    @Test
    void handlerOfARefusedConnectionIsNeverCalled() throws Exception {
        try (Socket nobody = new Socket()) {
            nobody.bind(TestReactor.loopback(0)); // and does not listen: the port is nobody else's meanwhile
            TestReactor reactor = start();
            Recorder recorder = new Recorder();
            Throwable reason = refused(reactor.reactor().connect(nobody.getLocalSocketAddress(), recorder));
            assertInstanceOf(IOException.class, reason);
            assertTrue(reason.getMessage().contains("ECONNREFUSED"), reason::getMessage);
            Await.until("it is forgotten", () -> reactor.handleCount() == 0);
            assertEquals(List.of(), recorder.calls());
            assertEquals(0, reactor.reactor().counters().opened());
        }
    }

    @Test
    void missingSocketFileRefusesTheConnection(@TempDir Path directory) throws Exception {
        TestReactor reactor = start();
        SocketAddress nobody = UnixDomainSocketAddress.of(directory.resolve("nobody"));
        Throwable reason = refused(reactor.reactor().connect(nobody, new Recorder()));
        assertInstanceOf(IOException.class, reason);
        assertTrue(reason.getMessage().contains("ENOENT"), reason::getMessage);
    }

    /** A listener whose queue is full does not answer (listen(2)): as unreachable as a peer on loopback can be. */
    @Test
    void connectionThatIsNotMadeInTimeIsGivenUp() throws Exception {
        try (ServerSocket server =
                new ServerSocket(0, 1, TestReactor.loopback(0).getAddress())) {
            List<Socket> waiting = fillQueue(server);
            TestReactor reactor =
                    start(StreamReactor.builder().timeouts(StreamTimeouts.DEFAULT.withConnect(Duration.ofMillis(60))));
            Recorder recorder = new Recorder();
            Throwable reason = refused(reactor.reactor().connect(server.getLocalSocketAddress(), recorder));
            assertInstanceOf(IOException.class, reason);
            assertTrue(reason.getMessage().contains("took longer than PT0.06S"), reason::getMessage);
            assertEquals(1, reactor.reactor().counters().connectsTimedOut());
            Await.until("it is forgotten", () -> reactor.handleCount() == 0);
            assertEquals(List.of(), recorder.calls());
            for (Socket socket : waiting) {
                socket.close();
            }
        }
    }

    /** The attempt would last: neither the peer nor a time-out ends it. */
    private void attemptEndsWithItsFuture(Consumer<CompletableFuture<Connection>> end) throws Exception {
        try (ServerSocket server =
                new ServerSocket(0, 1, TestReactor.loopback(0).getAddress())) {
            List<Socket> waiting = fillQueue(server);
            TestReactor reactor =
                    start(StreamReactor.builder().timeouts(StreamTimeouts.DEFAULT.withConnect(StreamTimeouts.NEVER)));
            Recorder recorder = new Recorder();
            CompletableFuture<Connection> connecting =
                    reactor.reactor().connect(server.getLocalSocketAddress(), recorder);
            end.accept(connecting);
            Await.until("the descriptor is closed", () -> reactor.streamCount() == 0);
            assertEquals(List.of(), recorder.calls());
            for (Socket socket : waiting) {
                socket.close();
            }
        }
    }

    /** The thread that makes the connection finds the future cancelled, and runs the actions that the cancelling thread has not run yet. */
    @Test
    void connectThatIsCancelledLateIsNeitherOpenedNorClosed() throws Exception {
        assumeTrue(mode().threads() == 1 && mode().shards() == 1, "another thread would make the connection");
        ServerSocket peer =
                closing(new ServerSocket(0, 1, TestReactor.loopback(0).getAddress()));
        TestReactor reactor = start();
        Recorder late = new Recorder((connection, data) -> {});
        CountDownLatch cancelled = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        SocketAddress address = reactor.listen((connection, data) -> {
            data.position(data.limit());
            CompletableFuture<Connection> connecting = reactor.reactor().connect(peer.getLocalSocketAddress(), late);
            connecting.whenComplete((none, failure) -> { // runs before the actions of the reactor
                cancelled.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            new Thread(() -> connecting.cancel(false)).start();
            cancelled.await();
        });
        try {
            client(address).send("x");
            cancelled.await();
            Await.until("the connection is given up", () -> reactor.streamCount() == 2);
            assertEquals(List.of(), late.calls());
            assertEquals(1, reactor.reactor().counters().opened());
            assertEquals(0, reactor.reactor().counters().closed());
        } finally {
            release.countDown();
        }
    }

    /** Each connect is cancelled by another thread, sooner or later: 300 of them, and 10,000 in a soak. */
    @Test
    void connectThatIsCancelledAtAnyTimeIsClosedIfItWasOpened() throws Exception {
        int count = Modes.isSoak() ? 10_000 : 300;
        TestReactor reactor = start();
        SocketAddress address = reactor.listen((connection, data) -> data.position(data.limit()));
        List<String> violations = new CopyOnWriteArrayList<>();
        Random random = new Random(1);
        for (int i = 0; i < count; i++) {
            boolean[] open = {false};
            CompletableFuture<Connection> connecting = reactor.reactor().connect(address, new ConnectionHandler() {
                @Override
                public void opened(Connection connection) {
                    open[0] = true;
                }

                @Override
                public void data(Connection connection, ByteBuffer data) {
                    data.position(data.limit());
                }

                @Override
                public void closed(Connection connection, Throwable cause) {
                    if (!open[0]) {
                        violations.add("closed without opened: " + cause);
                    }
                }
            });
            LockSupport.parkNanos(random.nextInt(100_000));
            if (!connecting.cancel(false)) {
                connecting.get().close();
            }
        }
        closeWhatWasOpened(); // and as many connections were closed as were opened
        assertEquals(List.of(), violations);
    }

    @Test
    void cancelledConnectIsGivenUp() throws Exception {
        attemptEndsWithItsFuture(connecting -> assertTrue(connecting.cancel(false)));
    }

    @Test
    void connectWhoseFutureTimedOutIsGivenUp() throws Exception {
        attemptEndsWithItsFuture(connecting -> connecting.orTimeout(1, TimeUnit.MILLISECONDS));
    }

    @Test
    void unresolvedAddressFailsTheFuture() throws Exception {
        TestReactor reactor = start();
        SocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 7);
        assertInstanceOf(UnknownHostException.class, refused(reactor.reactor().connect(unresolved, new Recorder())));
        SocketAddress tooLong = UnixDomainSocketAddress.of("/" + "x".repeat(200));
        assertInstanceOf(IOException.class, refused(reactor.reactor().connect(tooLong, new Recorder())));
    }

    @Test
    void connectionComesFromTheLocalAddressAskedFor() throws Exception {
        InetAddress local = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            TestReactor reactor = start();
            Connection connection = made(reactor.reactor()
                    .connect(
                            server.getLocalSocketAddress(),
                            ConnectOptions.DEFAULT.withLocalAddress(new InetSocketAddress(local, 0)),
                            new Recorder()));
            try (Socket peer = server.accept()) {
                assertEquals(local, peer.getInetAddress());
                assertEquals(peer.getRemoteSocketAddress(), connection.localAddress());
            }
        }
    }

    @Test
    void connectionIsServedByTheShardAskedFor() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(2));
        SocketAddress address = reactor.listen((connection, data) -> connection.write(data));
        for (int shard = 1; shard >= 0; shard--) {
            ConnectOptions options = ConnectOptions.DEFAULT.withShard(shard);
            assertEquals(
                    shard,
                    made(reactor.reactor().connect(address, options, new Recorder()))
                            .shard());
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> reactor.reactor().connect(address, ConnectOptions.DEFAULT.withShard(2), new Recorder()));
    }

    @Test
    void outgoingConnectionHasTheTimeoutsOfItsOwnOptionsAndNoIdleTimeoutOfTheServer() throws Exception {
        StreamTimeouts idle = StreamTimeouts.DEFAULT.withIdle(idleTime(30));
        TestReactor reactor = start(StreamReactor.builder().timeouts(idle));
        SocketAddress address = reactor.listen(
                ListenOptions.DEFAULT.withTimeouts(StreamTimeouts.DEFAULT),
                () -> (connection, data) -> connection.write(data));
        Recorder lasting = new Recorder();
        made(reactor.reactor().connect(address, lasting));
        for (int i = 0; i < 2; i++) {
            Recorder brief = new Recorder();
            made(reactor.reactor().connect(address, ConnectOptions.DEFAULT.withTimeouts(idle), brief));
            assertInstanceOf(IdleTimeoutException.class, brief.awaitClosed());
        }
        assertFalse(lasting.isClosed());
    }

    private static List<Socket> fillQueue(ServerSocket server) throws IOException {
        List<Socket> waiting = new ArrayList<>();
        for (int i = 0; i < 2; i++) { // one more than the backlog (listen(2))
            waiting.add(new Socket(server.getInetAddress(), server.getLocalPort()));
        }
        return waiting;
    }

    @Test
    void reactorThatIsClosedGivesUpWhatItWasConnectingTo() throws Exception {
        try (ServerSocket server =
                new ServerSocket(0, 1, TestReactor.loopback(0).getAddress())) {
            List<Socket> waiting = fillQueue(server);
            TestReactor reactor = start();
            CompletableFuture<Connection> connecting =
                    reactor.reactor().connect(server.getLocalSocketAddress(), new Recorder());
            reactor.close();
            assertInstanceOf(IOException.class, refused(connecting));
            for (Socket socket : waiting) {
                socket.close();
            }
        }
    }

    /** Sends, collects the echo, and ends when it is complete. */
    private static final class Caller implements ConnectionHandler {
        final ByteArrayOutputStream answer = new ByteArrayOutputStream();
        private final byte[] request;

        Caller(byte[] request) {
            this.request = request;
        }

        @Override
        public void opened(Connection connection) {
            connection.write(ByteBuffer.wrap(request));
            connection.shutdownOutput();
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            answer.writeBytes(bytes);
        }
    }

    private void talksToItself(TestReactor reactor, SocketAddress address) throws Exception {
        List<Recorder> recorders = new ArrayList<>();
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Caller caller = new Caller(randomBytes(300_000, i));
            callers.add(caller);
            recorders.add(new Recorder(caller));
            reactor.reactor().connect(address, recorders.get(i));
        }
        for (int i = 0; i < callers.size(); i++) {
            assertNull(recorders.get(i).awaitClosed());
            assertArrayEquals(callers.get(i).request, callers.get(i).answer.toByteArray());
        }
        reactor.awaitClosed(2L * callers.size());
    }

    @Test
    void reactorTalksToItself() throws Exception {
        TestReactor reactor = start();
        talksToItself(reactor, reactor.listen((connection, data) -> connection.write(data)));
    }

    @Test
    void reactorTalksToItselfOverAUnixSocket(@TempDir Path directory) throws Exception {
        TestReactor reactor = start();
        SocketAddress address = UnixDomainSocketAddress.of(directory.resolve("echo"));
        ConnectionHandler echo = (connection, data) -> connection.write(data);
        talksToItself(reactor, reactor.listen(address, AcceptMode.EXCLUSIVE, () -> echo));
    }

    /** A handler connects onwards, which must not wait for the thread that it runs in. */
    @Test
    void handlerMayConnect() throws Exception {
        TestReactor reactor = start();
        SocketAddress echo = reactor.listen((connection, data) -> connection.write(data));
        SocketAddress relay = reactor.listen((outside, data) -> {
            byte[] request = new byte[data.remaining()];
            data.get(request);
            reactor.reactor().connect(echo, new ConnectionHandler() {
                @Override
                public void opened(Connection inside) {
                    inside.write(ByteBuffer.wrap(request));
                }

                @Override
                public void data(Connection inside, ByteBuffer answer) {
                    outside.write(answer);
                    inside.close();
                }
            });
        });
        client(relay).send("through").expect("through");
    }

    /** The event with the reply is one of the connection itself, whose handler is first called with opened. */
    @Test
    void actionsAfterTheConnectMaySendARequestAndAwaitItsAnswer() throws Exception {
        TestReactor reactor = start();
        SocketAddress address = reactor.listen((connection, data) -> connection.write(data));
        CompletableFuture<Reply<String>> asked = new CompletableFuture<>();
        Recorder recorder = new Recorder((connection, data) -> asked.join().complete(Recorder.text(data)));
        CompletableFuture<Connection> connecting = reactor.reactor().connect(address, recorder);
        CompletableFuture<String> answer = connecting.thenApply(connection -> {
            Reply<String> reply = connection.newReply();
            asked.complete(reply);
            connection.write(Recorder.bytes("question"));
            try {
                return reply.await(Duration.ofNanos(Await.PATIENCE_NS / 2));
            } catch (ExecutionException | TimeoutException failed) {
                throw new CompletionException(failed);
            }
        });
        assertEquals("question", answer.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        assertEquals(List.of("opened", "data"), recorder.calls());
        made(connecting).close();
        assertNull(recorder.awaitClosed());
        assertEquals(0, recorder.overlaps());
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void actionAfterTheConnectMayHandAwayWorkAndOpenedWaits() throws Exception {
        LaterExecutor later = new LaterExecutor();
        TestReactor reactor = start();
        SocketAddress address = reactor.listen((connection, data) -> connection.write(data));
        Recorder recorder = offloadAfterConnect(reactor, address, later, new AtomicReference<>());
        client(address).send("served meanwhile").expect("served meanwhile");
        assertEquals(List.of(), recorder.calls());
        later.doNext();
        recorder.connection().close();
        assertNull(recorder.awaitClosed());
        assertEquals(List.of("opened", "closed"), recorder.calls());
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void onlyClosedIsCalledIfTheConnectionEndsDuringWorkOfAnActionAfterTheConnect() throws Exception {
        LaterExecutor later = new LaterExecutor();
        TestReactor reactor = start();
        SocketAddress address = reactor.listen((connection, data) -> connection.write(data));
        AtomicReference<Connection> made = new AtomicReference<>();
        Recorder recorder = offloadAfterConnect(reactor, address, later, made);
        made.get().abort();
        assertNull(recorder.awaitClosed());
        later.doNext();
        assertEquals(List.of("closed"), recorder.calls());
    }

    /** A dependent action runs on the pool thread only if it is there before the connect has succeeded. */
    private static Recorder offloadAfterConnect(
            TestReactor reactor, SocketAddress address, LaterExecutor later, AtomicReference<Connection> made)
            throws Exception {
        Recorder recorder;
        boolean handedAway;
        do {
            recorder = new Recorder();
            handedAway = reactor.reactor()
                    .connect(address, recorder)
                    .thenApply(connection -> {
                        made.set(connection);
                        boolean inCallback = connection.isInCallback();
                        if (inCallback) {
                            connection.offload(later, () -> "", (own, nothing) -> {});
                        } else {
                            connection.abort();
                        }
                        return inCallback;
                    })
                    .get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        } while (!handedAway);
        return recorder;
    }
}
