package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.TestClient;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A send that the ring has ended, and not the socket, is no reason to drop what was written. */
@Timeout(60)
class CancelledSendTest {
    private static final int MUCH = 3 << 20;

    /** Named bound: looks at a connection that must not move any more. */
    private static final int LOOKS = 20;

    static Stream<FaultyServer.Pool> poolsOfSeveral() {
        return FaultyServer.Pool.all().filter(pool -> pool.threads() > 1);
    }

    /** Writes much, and fails when the peer has said something and the test lets it. */
    private static final class Failing implements ConnectionHandler {
        private final byte[] much = new byte[MUCH];
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private volatile Connection connection;

        @Override
        public void opened(Connection opened) {
            new Random(3).nextBytes(much);
            opened.write(ByteBuffer.wrap(much));
            connection = opened;
        }

        @Override
        public void data(Connection ofIt, ByteBuffer data) throws Exception {
            entered.countDown();
            released.await();
            throw new IOException("thrown by a handler on purpose");
        }
    }

    private static StreamRequests only(FaultyServer server) {
        return server.set().table().all().stream()
                .filter(StreamRequests.class::isInstance)
                .map(StreamRequests.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static void awaitRest(Connection connection) {
        long[] before = {-1};
        int[] looks = {0};
        Await.until("the socket takes no more", () -> {
            long queued = connection.queuedBytes();
            looks[0] = queued == before[0] && queued > 0 ? looks[0] + 1 : 0;
            before[0] = queued;
            return looks[0] >= LOOKS;
        });
    }

    @ParameterizedTest
    @MethodSource("poolsOfSeveral")
    void whatWasWrittenBeforeAFailureGoesOnBehindACancelledSend(FaultyServer.Pool pool) throws Exception {
        StreamReactor.Builder readsOn = StreamReactor.builder() // though much is queued
                .limits(StreamLimits.DEFAULT.withQueue(MUCH, 2 * MUCH, 2 * MUCH));
        try (FaultyServer server = FaultyServer.start(pool, FaultyServer.SMALL, readsOn)) {
            Failing handler = new Failing();
            SocketAddress address = server.listen(handler);
            TestClient client = TestClient.connectToReadLittle(address);
            Await.until("it has written", () -> handler.connection != null);
            awaitRest(handler.connection);
            client.send("x");
            handler.entered.await();
            StreamRequests requests = only(server);
            server.rings().cancelAll();
            Await.until("its send has ended, and nobody has looked at it", () -> !requests.isSending());
            int taken = MUCH - (int) handler.connection.queuedBytes();
            byte[] first = client.read(taken);
            handler.released.countDown();
            byte[] rest = client.readToEnd();
            assertTrue(rest.length > 0, "what the socket had not taken is lost");
            assertArrayEquals(Arrays.copyOf(handler.much, taken), first);
            assertArrayEquals(Arrays.copyOfRange(handler.much, taken, taken + rest.length), rest);
            client.close();
            server.awaitOnlyListeners(1);
        }
    }
}
