package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers that pause reading stop their peers through TLS, and cost bounded memory until they continue. */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
class TlsBackPressureTest extends StreamContract {
    private static final int PEERS = 4;
    private static final int BLOCK_BYTES = 20_000;
    private static final int BLOCKS = 75;

    /** Answers on another connection during which a peer sends nothing because it is stuck. */
    private static final int STUCK_ANSWERS = 100;

    private static final long UNREAD_MAX = 1 << 20;

    /** Size of the socket buffers, so that little is in the kernel. */
    private static final int KERNEL_BYTES = 16 << 10;

    private static final ListenOptions SMALL_BUFFERS =
            ListenOptions.DEFAULT.withAcceptedOptions(SocketOptions.NONE.with(SocketOption.SO_RCVBUF, KERNEL_BYTES));

    @Parameter
    ReactorMode mode;

    static Stream<ReactorMode> modes() throws Exception {
        return TlsStreamTest.modes();
    }

    @Override
    protected ReactorMode mode() {
        return mode;
    }

    /** Pauses at each call until it is to go on, and keeps what it has read. */
    private static final class Slow implements ConnectionHandler {
        private final int readAtOnce;
        private final ByteArrayOutputStream read = new ByteArrayOutputStream();
        private volatile Connection connection;
        private volatile boolean goesOn;
        private volatile int count;
        private volatile Throwable cause;

        Slow(int readAtOnce) {
            this.readAtOnce = readAtOnce;
        }

        @Override
        public void opened(Connection own) {
            connection = own;
        }

        @Override
        public void data(Connection own, ByteBuffer data) {
            byte[] bytes = new byte[Math.min(data.remaining(), goesOn ? data.remaining() : readAtOnce)];
            data.get(bytes);
            read.writeBytes(bytes);
            count = read.size();
            if (!goesOn) {
                own.pauseReading();
            }
        }

        @Override
        public void closed(Connection own, Throwable thrown) {
            cause = thrown;
        }
    }

    /** Sends its blocks in a thread of its own. */
    private static final class Peer {
        final byte[] bytes;
        final AtomicInteger sent = new AtomicInteger();
        final Thread thread;
        volatile IOException failure;

        Peer(TestClient client, long seed) {
            bytes = randomBytes(BLOCKS * BLOCK_BYTES, seed);
            thread = new Thread(() -> {
                try {
                    for (int at = 0; at < bytes.length; at += BLOCK_BYTES) {
                        client.send(Arrays.copyOfRange(bytes, at, at + BLOCK_BYTES));
                        sent.incrementAndGet();
                    }
                } catch (IOException broken) {
                    failure = broken;
                }
            });
            thread.start();
        }
    }

    /** @param readAtOnce bytes that a handler reads before it pauses; the rest is left unread */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100_000})
    void peersOfHandlersThatPauseAreStopped(int readAtOnce) throws Exception {
        TestReactor reactor = start(StreamReactor.builder()
                .drainTimeout(PATIENT_DRAIN)
                .limits(StreamLimits.DEFAULT.withUnreadMax(UNREAD_MAX)));
        Queue<Slow> handlers = new ConcurrentLinkedQueue<>();
        SocketAddress address = reactor.listen(SMALL_BUFFERS, () -> {
            Slow slow = new Slow(readAtOnce);
            handlers.add(slow);
            return slow;
        });
        TestClient other = client(reactor.listen((connection, data) -> connection.write(data)));
        List<Peer> peers = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            TestClient client = client(address);
            client.channel().setOption(StandardSocketOptions.SO_SNDBUF, KERNEL_BYTES);
            peers.add(new Peer(client, i));
        }
        int before;
        do {
            before = sent(peers);
            for (int i = 0; i < STUCK_ANSWERS; i++) {
                other.send("x").expect("x");
            }
        } while (sent(peers) > before || before == 0);
        assertTrue(sent(peers) < PEERS * BLOCKS, "the peers are stopped");
        long unread = reactor.reactor().use().unreadBytes();
        assertTrue(unread <= UNREAD_MAX * 17 / 16, unread + " bytes");
        assertEquals(PEERS, handlers.size());
        for (Slow each : handlers) {
            each.goesOn = true;
            each.connection.resumeReading();
        }
        for (Peer each : peers) {
            Await.until("all is sent", () -> !each.thread.isAlive());
            assertNull(each.failure);
        }
        Await.until("all is read", () -> handlers.stream().allMatch(each -> each.count == BLOCKS * BLOCK_BYTES));
        for (Slow each : handlers) {
            byte[] read = each.read.toByteArray();
            Peer peer = peers.stream()
                    .filter(candidate -> candidate.bytes[0] == read[0] && candidate.bytes[1] == read[1])
                    .findFirst()
                    .orElseThrow();
            assertArrayEquals(peer.bytes, read);
            assertNull(each.cause);
        }
        assertEquals(0, reactor.failureCount());
    }

    private static int sent(List<Peer> peers) {
        return peers.stream().mapToInt(peer -> peer.sent.get()).sum();
    }
}
