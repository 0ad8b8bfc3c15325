package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Receive buffers are few, and the shard has little memory for the bytes that wait for connections whose reading is paused. Each
 * handler gets the sent numbers without a gap, and an orderly end only behind all numbers.
 */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class LostPiecesTest {
    private static final int FEW_BUFFERS_BYTES = 1 << 10;
    private static final RingOptions FEW_BUFFERS =
            RingOptions.DEFAULT.withReceiveBuffers(16, FEW_BUFFERS_BYTES).withBundles(false);

    private static final int PIECES = 8;
    /** Four pieces at least. */
    private static final String SENT = "0123456789".repeat(400);

    private static final int PIECE_BYTES = 64;
    private static final int NUMBERS = 16 << 10;
    private static final int CLIENTS = 4;
    private static final int HOLDING = 2;
    private static final int ROUNDS = 5;

    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    /** Clients that still send. */
    private CountDownLatch sent = new CountDownLatch(CLIENTS);

    /** Connections whose reading is to be resumed when all clients have sent. */
    private final Queue<Connection> paused = new ConcurrentLinkedQueue<>();

    private final Queue<Throwable> causes = new ConcurrentLinkedQueue<>();

    /** Checks the numbers of one connection, which may take no more than its first numbers until all clients have sent or were refused. */
    private final class Counted implements ConnectionHandler {
        private final boolean holds;
        private final Executor executor;
        private int expected;

        /** @param executor null: the handler pauses reading; else the handler offloads work until the clients have sent */
        Counted(boolean holds, Executor executor) {
            this.holds = holds;
            this.executor = executor;
        }

        @Override
        public void data(Connection connection, ByteBuffer data) throws Exception {
            while (data.remaining() >= Integer.BYTES) {
                int number = data.getInt();
                if (number != expected++) {
                    faults.add("expected number " + (expected - 1) + ", got " + number);
                    connection.abort();
                    return;
                }
            }
            if (holds && sent.getCount() > 0) {
                hold(connection);
            }
        }

        private void hold(Connection connection) {
            if (executor == null) {
                connection.pauseReading();
                paused.add(connection);
            } else {
                connection.offload(
                        executor,
                        () -> {
                            sent.await();
                            return null;
                        },
                        (own, nothing) -> {});
            }
        }

        @Override
        public void inputClosed(Connection connection, ByteBuffer rest) {
            if (expected != NUMBERS) {
                faults.add("an orderly end after " + expected + " of " + NUMBERS + " numbers");
            }
            connection.close();
        }

        @Override
        public void closed(Connection connection, Throwable cause) {
            causes.add(cause == null ? new Throwable("an orderly end") : cause);
        }
    }

    private FaultyServer start() throws IOException {
        return FaultyServer.start(
                FEW_BUFFERS,
                StreamReactor.builder()
                        .drainTimeout(Duration.ofMillis(100))
                        .limits(StreamLimits.DEFAULT.withShardMemory(64 << 10)));
    }

    private void sendAll(SocketAddress address) throws IOException {
        ByteBuffer numbers = ByteBuffer.allocate(NUMBERS * Integer.BYTES);
        for (int number = 0; number < NUMBERS; number++) {
            numbers.putInt(number);
        }
        InetSocketAddress server = (InetSocketAddress) address;
        try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
            try {
                socket.getOutputStream().write(numbers.array());
                socket.shutdownOutput();
                sent.countDown();
                while (socket.getInputStream().read() >= 0) {
                    // the server answers nothing
                }
            } catch (IOException reset) {
                sent.countDown(); // the server has ended the connection
            }
        }
    }

    private void assertNoGaps(int connections) {
        Await.until("all are closed", () -> causes.size() == connections);
        assertEquals(List.of(), List.copyOf(faults));
        for (Throwable cause : causes) {
            if (cause instanceof IOException) {
                assertInstanceOf(ShardMemoryException.class, cause);
            }
        }
    }

    @Test
    void connectionsThatPauseGetNoNumberBehindAGap() throws Exception {
        assertNoNumberBehindAGap(null);
    }

    @Test
    void connectionsWhoseWorkIsOffloadedGetNoNumberBehindAGap() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(HOLDING);
        try {
            assertNoNumberBehindAGap(executor);
        } finally {
            executor.shutdown();
        }
    }

    private void assertNoNumberBehindAGap(Executor executor) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            causes.clear();
            sent = new CountDownLatch(CLIENTS);
            AtomicInteger opened = new AtomicInteger();
            try (FaultyServer server = start()) {
                SocketAddress address =
                        server.reactor().listen(() -> new Counted(opened.getAndIncrement() < HOLDING, executor));
                List<TestThread> clients = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    clients.add(TestThread.start("client " + i, () -> sendAll(address)));
                }
                sent.await();
                Await.until("all that paused go on", () -> {
                    for (Connection each = paused.poll(); each != null; each = paused.poll()) {
                        each.resumeReading();
                    }
                    return causes.size() == CLIENTS;
                });
                for (TestThread client : clients) {
                    client.join();
                }
                assertNoGaps(CLIENTS);
                server.awaitOnlyListeners(1);
            }
        }
    }

    /** The reset arrives when the kernel has put all bytes into buffers of the ring, and one of the completions was taken. */
    @Test
    void resetOvertakesNoBytesThatTheRingHasReceived() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        AtomicReference<TestClient> peer = new AtomicReference<>();
        StringBuffer received = new StringBuffer();
        Recorder recorder = new Recorder((connection, data) -> {
            if (calls.incrementAndGet() > 2) {
                received.append(Recorder.text(data));
                return;
            }
            connection.pauseReading();
            connection.resumeReading();
            if (calls.get() == 2) {
                peer.get().reset(); // the reactor looks for more bytes next, because two calls have read nothing
            }
        });
        RingOptions options = RingOptions.DEFAULT
                .withReceiveBuffers(2 * PIECES, PIECE_BYTES)
                .withBundles(false)
                .withIncremental(false);
        try (FaultyServer server = FaultyServer.start(options)) {
            TestClient kept = TestClient.connect(server.listen((connection, data) -> {
                data.position(data.limit());
                blocked.countDown();
                goOn.await();
            }));
            peer.set(TestClient.connect(server.listen(recorder)));
            recorder.connection();
            kept.send("x");
            blocked.await();
            peer.get().send("a".repeat(PIECES * PIECE_BYTES));
            goOn.countDown();
            assertInstanceOf(IOException.class, recorder.awaitClosed());
            assertEquals(PIECES * PIECE_BYTES, received.length());
            kept.close();
        }
    }

    /** Each receive of a connection that passes descriptors brings one piece. */
    @Test
    void resetOvertakesNoBytesThatASingleReceiveHasLeftInTheSocket(@TempDir Path directory) throws Exception {
        assertAllBytesComeBeforeTheReset(UnixDomainSocketAddress.of(directory.resolve("socket")), FEW_BUFFERS);
    }

    @Test
    void resetThatWasReportedInFrontOfBytesEndsAConnectionThatIsPausedAtThem(@TempDir Path directory) throws Exception {
        receivedBeforeTheReset(
                UnixDomainSocketAddress.of(directory.resolve("socket")), FEW_BUFFERS, Connection::pauseReading);
    }

    @Test
    void resetThatWasReportedInFrontOfBytesEndsAConnectionThatOffloadsAtThem(@TempDir Path directory) throws Exception {
        receivedBeforeTheReset(
                UnixDomainSocketAddress.of(directory.resolve("socket")),
                FEW_BUFFERS,
                connection -> connection.offload(neverRun -> {}, () -> "", (own, result) -> {}));
    }

    @Test
    void resetOvertakesNoBytesThatFoundNoBuffer() throws Exception {
        RingOptions options = RingOptions.DEFAULT
                .withReceiveBuffers(PIECES, PIECE_BYTES)
                .withBundles(false)
                .withIncremental(false);
        assertAllBytesComeBeforeTheReset(TestReactor.loopback(0), options);
    }

    private void assertAllBytesComeBeforeTheReset(SocketAddress address, RingOptions options) throws Exception {
        assertEquals("p" + SENT, receivedBeforeTheReset(address, options, connection -> {}));
    }

    /**
     * The connection was paused once, so that the end of a receive dispatches it as if an error were reported.
     *
     * @param afterTwoPieces called once the handler has got two of the pieces that the peer sends before the reset
     */
    private String receivedBeforeTheReset(
            SocketAddress address, RingOptions options, Consumer<Connection> afterTwoPieces) throws Exception {
        Semaphore blocked = new Semaphore(0);
        Semaphore goOn = new Semaphore(0);
        StringBuffer received = new StringBuffer();
        Recorder recorder = new Recorder((connection, data) -> {
            if (received.isEmpty()) {
                connection.write(Recorder.bytes("answer"));
                connection.pauseReading();
            }
            received.append(Recorder.text(data));
            if (received.length() > 1 + FEW_BUFFERS_BYTES) {
                afterTwoPieces.accept(connection);
            }
        });
        try (FaultyServer server = FaultyServer.start(options)) {
            int descriptors = address instanceof UnixDomainSocketAddress ? 1 : 0;
            SocketAddress bound = server.reactor()
                    .reactor()
                    .listen(address, ListenOptions.DEFAULT.withDescriptorsMax(descriptors), () -> recorder)
                    .address();
            TestClient kept = TestClient.connect(server.listen((connection, data) -> {
                data.position(data.limit());
                blocked.release();
                goOn.acquire();
            }));
            TestClient peer = TestClient.connect(bound).send("p").expect("a");
            Connection connection = recorder.connection();
            awaitTask(connection);
            kept.send("x");
            blocked.acquire();
            goOn.release();
            connection.resumeReading();
            awaitTask(connection);
            kept.send("x");
            blocked.acquire();
            peer.send(SENT).close(); // a reset, because the rest of the answer is unread
            goOn.release();
            assertInstanceOf(IOException.class, recorder.awaitClosed());
            kept.close();
            return received.toString();
        }
    }

    private static void awaitTask(Connection connection) throws InterruptedException {
        CountDownLatch run = new CountDownLatch(1);
        connection.execute(run::countDown);
        run.await();
    }
}
