package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.OpenDescriptors;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.TestClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A ring that can be used no more takes nothing with it: what was left to it to close and to send is given back all the same. */
@Timeout(300)
class GoneRingTest {
    private static final int MUCH = 3 << 20;
    private static final int CLIENTS = 4;

    private final FaultyRings rings = new FaultyRings(TestKernel.any());
    private final AtomicReference<Connection> opened = new AtomicReference<>();

    /** Action of a handler at the first byte of a connection. */
    private interface Act {
        void on(Connection connection) throws Exception;
    }

    private FaultyServer start() throws IOException {
        return start(FaultyServer.SMALL);
    }

    private FaultyServer start(RingOptions options) throws IOException {
        StreamReactor.Builder readsOn = StreamReactor.builder() // though much is queued
                .limits(StreamLimits.DEFAULT.withQueue(MUCH, 2 * MUCH, 2 * MUCH))
                .drainTimeout(Duration.ofMillis(100));
        return FaultyServer.start(rings, options, readsOn);
    }

    /** Writes much when it is opened, if wanted. */
    private ConnectionHandler handler(boolean writes, Act act) {
        byte[] much = new byte[MUCH];
        return new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                if (writes) {
                    connection.write(ByteBuffer.wrap(much));
                }
                opened.set(connection);
            }

            @Override
            public void data(Connection connection, ByteBuffer data) throws Exception {
                data.position(data.limit());
                act.on(connection);
            }
        };
    }

    /** No call of io_uring_enter(2) is taken from now on. */
    private void loseRing() {
        rings.refuseEnter(Errno.EBADF, Integer.MAX_VALUE);
    }

    private static void awaitPoolsEnd(FaultyServer server) {
        LeaderFollowersPool served = LeaderFollowersPool.of(server.set());
        Await.until("the pool has stopped by itself", () -> {
            server.set().wakeup();
            return served.isTerminated();
        });
        assertTrue(served.failure() instanceof IOException, () -> "ended with " + served.failure());
    }

    private static StreamRequests stream(FaultyServer server) {
        return server.set().table().all().stream()
                .filter(StreamRequests.class::isInstance)
                .map(StreamRequests.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private void awaitSendInFlight(FaultyServer server) {
        Await.until("it is opened", () -> opened.get() != null);
        Await.until(
                "a send waits for room",
                () -> opened.get().queuedBytes() > 0 && stream(server).isSending());
    }

    private static void awaitNothingKept(int before) {
        Await.until("all descriptors are given back", () -> OpenDescriptors.count() <= before);
    }

    @Test
    void descriptorsWhoseCloseIsQueuedAreClosed() throws Exception {
        int before = OpenDescriptors.count();
        try (FaultyServer server = start()) {
            SocketAddress address = server.listen(handler(false, connection -> {
                loseRing();
                connection.abort();
            }));
            TestClient client = TestClient.connect(address).send("x");
            awaitPoolsEnd(server);
            server.reactor().close();
            client.expectReset();
            client.close();
        }
        awaitNothingKept(before);
    }

    /** More than the queue has room for: what is behind it is closed as well. */
    @Test
    void descriptorsWhoseCloseFoundNoRoomAreClosed() throws Exception {
        int before = OpenDescriptors.count();
        try (FaultyServer server = start(RingOptions.DEFAULT.withEntries(2, 64).withReceiveBuffers(8, 1 << 10))) {
            SocketAddress address = server.listen(handler(false, connection -> {
                loseRing();
                connection.abort();
            }));
            TestClient[] clients = new TestClient[CLIENTS];
            for (int i = 0; i < CLIENTS; i++) {
                clients[i] = TestClient.connect(address);
            }
            Await.until(
                    "all are open", () -> server.reactor().reactor().counters().opened() == CLIENTS);
            for (TestClient client : clients) {
                client.send("x");
            }
            awaitPoolsEnd(server);
            server.reactor().close();
            for (TestClient client : clients) {
                client.readAndForget();
                client.close();
            }
        }
        awaitNothingKept(before);
    }

    @Test
    void connectionsThatWereSendingAreClosed() throws Exception {
        int before = OpenDescriptors.count();
        try (FaultyServer server = start()) {
            SocketAddress address = server.listen(handler(true, connection -> {}));
            TestClient client = TestClient.connectToReadLittle(address);
            awaitSendInFlight(server);
            loseRing();
            awaitPoolsEnd(server);
            server.reactor().close();
            client.readAndForget();
            client.close();
        }
        awaitNothingKept(before);
    }

    @Test
    void connectionsThatWereClosedWhileTheySentAreClosed() throws Exception {
        int before = OpenDescriptors.count();
        try (FaultyServer server = start()) {
            SocketAddress address = server.listen(handler(true, connection -> {
                loseRing();
                throw new IOException("thrown by a handler on purpose");
            }));
            TestClient client = TestClient.connectToReadLittle(address).send("x");
            awaitPoolsEnd(server);
            server.reactor().close();
            client.readAndForget();
            client.close();
        }
        awaitNothingKept(before);
    }

    @Test
    void nothingIsKeptWhenSomebodyElseClosesTheRing() throws Exception {
        int before = OpenDescriptors.count();
        try (FaultyServer server = start()) {
            server.assumeNoticesThatTheRingIsClosed();
            SocketAddress address = server.listen(handler(true, connection -> {}));
            TestClient client = TestClient.connectToReadLittle(address);
            awaitSendInFlight(server);
            rings.closeRing();
            awaitPoolsEnd(server);
            server.reactor().close();
            assertEquals(List.of(), server.set().table().all());
            client.readAndForget();
            client.close();
        }
        awaitNothingKept(before);
    }
}
