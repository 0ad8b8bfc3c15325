package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections over TLS while the peers of other connections have used up {@link StreamLimits#outboundMax}. */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
class TlsOutboundLimitTest extends StreamContract {
    private static final int KIB = 1 << 10;

    /** Connections that use up the limit: each holds up to 16 KiB, and some more is in the kernel. */
    private static final int HOARDERS = 20;

    /** Less than a message of TLS. */
    private static final int HOARDED_BYTES = 64;

    /** Enough for a connection to use up the limit. */
    private static final int HOARDED_PIECES = 2_000;

    private static final StreamLimits LIMITS =
            StreamLimits.DEFAULT.withQueue(4 * KIB, 1 << 20, 2 << 20).withOutboundMax(64 * KIB);

    private static final ListenOptions SMALL_BUFFERS =
            ListenOptions.DEFAULT.withAcceptedOptions(SocketOptions.NONE.with(SocketOption.SO_SNDBUF, 4 * KIB));

    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);

    @TempDir
    Path directory;

    @Parameter
    ReactorMode mode;

    static Stream<ReactorMode> modes() throws Exception {
        return TlsStreamTest.modes();
    }

    @Override
    protected ReactorMode mode() {
        return mode;
    }

    private TestReactor startLimited() throws Exception {
        return start(StreamReactor.builder().drainTimeout(PATIENT_DRAIN).limits(LIMITS));
    }

    private static boolean isTaken(Connection connection, int bytes) {
        try {
            connection.write(ByteBuffer.allocate(bytes));
            connection.flush();
            return true;
        } catch (WriteQueueFullException full) {
            return false;
        }
    }

    /** Writes until no byte more is taken, and again whenever there is room. */
    private static final class Hoarder implements ConnectionHandler {
        @Override
        public void opened(Connection connection) {
            writable(connection);
        }

        @Override
        public void writable(Connection connection) {
            for (int left = HOARDED_PIECES; left > 0 && isTaken(connection, HOARDED_BYTES); left--) {
                continue; // a connection that is gone takes, and drops, any number of bytes
            }
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            data.position(data.limit());
        }
    }

    /** Uses up the limit by connections without TLS whose peers do not read. */
    private List<TestClient> useUp(TestReactor reactor) throws Exception {
        long refused = reactor.reactor().use().writesRefused();
        SocketAddress address = reactor.reactor()
                .listen(TestReactor.loopback(0), SMALL_BUFFERS, Hoarder::new)
                .address();
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < HOARDERS; i++) {
            clients.add(closing(TestClient.connectToReadLittle(address)));
        }
        Await.until("all are refused", () -> reactor.reactor().use().writesRefused() >= refused + HOARDERS);
        return clients;
    }

    @Test
    void handshakesSucceed() throws Exception {
        TestReactor reactor = startLimited();
        SocketAddress address = reactor.listen(ECHO);
        List<TestClient> hoarders = useUp(reactor);
        TestClient client = client(address);
        for (TestClient hoarder : hoarders) {
            hoarder.reset();
        }
        Await.until("there is room", () -> reactor.reactor().use().outboundBytes() < LIMITS.outboundMax() / 2);
        client.send("echo").expect("echo");
    }

    @Test
    void connectionsEndWithACloseNotify() throws Exception {
        TestReactor reactor = startLimited();
        Recorder server = new Recorder(ECHO);
        SocketAddress address = reactor.listen(server);
        TestReactor clients = start();
        Tls client = TlsLayer.client();
        Recorder recorder = new Recorder();
        Connection connection = client.connect(clients.reactor(), address, ConnectOptions.DEFAULT, recorder)
                .get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        connection.write(ByteBuffer.allocate(1));
        Await.until("the server has answered", () -> recorder.count("data") > 0);
        useUp(reactor);
        server.connection().close();
        assertNull(recorder.awaitClosed());
        assertEquals(1, recorder.count("inputClosed"), recorder.calls()::toString);
        assertEquals(0, client.counters().truncations());
    }

    /** Reads all, and offloads work that ends when the test wants. */
    private static final class Busy implements ConnectionHandler {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch over = new CountDownLatch(1);

        @Override
        public void data(Connection connection, ByteBuffer data) {
            data.position(data.limit());
            connection.offload(work -> new Thread(work).start(), this::work, (own, result) -> {});
        }

        private boolean work() throws InterruptedException {
            begun.countDown();
            return over.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        }

        void awaitBegun() throws InterruptedException {
            assertTrue(begun.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        }
    }

    /** Another thread's write that was taken is sent, though other connections have used up the limit since. */
    @Test
    void writesOfOtherThreadsThatWereTakenAreSent() throws Exception {
        TestReactor reactor = startLimited();
        Busy busy = new Busy();
        Recorder server = new Recorder(busy);
        TestClient client = client(reactor.listen(server)).send("x");
        busy.awaitBegun();
        byte[] sent = randomBytes(10 * KIB, 1);
        server.connection().write(ByteBuffer.wrap(sent)); // waits for the end of the offloaded work
        useUp(reactor);
        busy.over.countDown();
        assertArrayEquals(sent, client.read(sent.length));
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void writesOfOtherThreadsCount() throws Exception {
        TestReactor reactor = startLimited();
        Busy busy = new Busy();
        Recorder server = new Recorder(busy);
        TestClient client = client(reactor.listen(server)).send("x");
        busy.awaitBegun();
        int written = 0;
        while (isTaken(server.connection(), 10 * KIB)) {
            written += 10 * KIB;
            assertTrue(written <= LIMITS.outboundMax() + 10 * KIB, written + " bytes were taken");
        }
        assertTrue(written >= LIMITS.outboundMax() / 2, written + " bytes were taken");
        busy.over.countDown();
        assertArrayEquals(new byte[written], client.read(written));
        Await.until("there is room", () -> server.connectionNow().isWritable());
        assertEquals(0, reactor.failureCount());
    }

    /** Uses up the limit by writes of another thread, of which no byte leaves before the offloaded work ends. */
    private Busy useUpByKeptWrites(TestReactor reactor) throws Exception {
        Busy busy = new Busy();
        Recorder server = new Recorder(busy);
        client(reactor.listen(server)).send("x");
        busy.awaitBegun();
        for (int bytes : new int[] {10 * KIB, HOARDED_BYTES}) {
            int written = 0;
            while (isTaken(server.connection(), bytes)) {
                written += bytes;
                assertTrue(written <= LIMITS.outboundMax(), written + " bytes were taken");
            }
        }
        return busy;
    }

    /** A file waits for room, and is sent then. */
    @Test
    void filesWaitForRoom() throws Exception {
        byte[] content = randomBytes(300 * KIB, 2);
        Path path = Files.write(directory.resolve("file"), content);
        TestReactor reactor = startLimited();
        ReactorFile file = closing(reactor.reactor().openFile(path));
        Recorder server = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.sendFile(file, 0, content.length);
            connection.close();
        });
        SocketAddress address = reactor.listen(server);
        TestClient client = client(address);
        Busy busy = useUpByKeptWrites(reactor);
        client.send("x");
        Connection connection = server.connection();
        Await.until("the file waits", () -> connection.queuedBytes() > content.length / 2);
        busy.over.countDown();
        assertArrayEquals(content, client.readToEnd());
    }
}
