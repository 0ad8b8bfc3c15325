package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.IoUring;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.OpenDescriptors;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.contract.TestClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of a shared ring go on when threads leave for good that have asked for what is under way. */
@ParameterizedClass(name = "{0}")
@MethodSource("promotions")
@Timeout(120)
@Tag("newest") // on an older JDK in a soak only
class LeavingThreadsTest {
    private static final int ROUNDS = 6;

    /** More than sockets have room for. */
    private static final int MUCH = 4 << 20;

    private static final int CLIENTS = 4;

    /** Number of times that threads leave while conversations are held, and of conversations that end between two leaves. */
    private static final int LEAVES = 30;

    private static final int CONVERSATIONS_EACH = 8;

    /** Named bound: looks at a connection that must not move any more. */
    private static final int LOOKS = 20;

    @Parameter
    Promotion promotion;

    static Stream<Promotion> promotions() {
        return Stream.of(Promotion.eager(), Promotion.deferred());
    }

    private static byte[] random(int count, long seed) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** No letter: that is a command. */
    private static byte[] digits(int count, long seed) {
        byte[] bytes = random(count, seed);
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) ('0' + Math.floorMod(bytes[i], 10));
        }
        return bytes;
    }

    /** Echoes, and writes much to whoever begins with {@code m}. */
    private static final class Handler implements ConnectionHandler {
        private final byte[] much = random(MUCH, 5);
        private final AtomicReference<Connection> greedy = new AtomicReference<>();

        @Override
        public void data(Connection connection, ByteBuffer data) {
            if (data.get(data.position()) == 'm') {
                data.position(data.limit());
                connection.write(ByteBuffer.wrap(much));
                greedy.set(connection);
            } else {
                connection.write(data);
            }
        }

        /** A client for whom much is written and who reads little: a send is with the kernel and waits for room. */
        TestClient connectGreedy(SocketAddress address) throws IOException {
            greedy.set(null);
            TestClient client = TestClient.connectToReadLittle(address).send("m");
            long[] before = {-1};
            int[] looks = {0};
            Await.until("the socket takes no more", () -> {
                long queued = greedy.get() == null ? 0 : greedy.get().queuedBytes();
                looks[0] = queued == before[0] && queued > 0 ? looks[0] + 1 : 0;
                before[0] = queued;
                return looks[0] >= LOOKS;
            });
            return client;
        }
    }

    /** One thread at a time, so whatever is under way when it has ended was its own. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatALeftThreadHasAskedForIsAskedForByTheNext(boolean registeredFiles) throws Exception {
        StreamLimits readsOn = StreamLimits.DEFAULT.withQueue(MUCH, 2 * MUCH, 2 * MUCH); // though much is queued
        RingOptions options = FaultyServer.SMALL.withRegisteredFiles(registeredFiles);
        try (PassingThreads passing = PassingThreads.open(promotion, options, readsOn)) {
            Handler handler = new Handler();
            SocketAddress address = passing.listen(handler);
            passing.enter();
            TestClient steady = TestClient.connect(address).send("x").expect("x");
            for (int round = 0; round < ROUNDS; round++) {
                TestClient greedy = handler.connectGreedy(address);
                passing.leaveOldest();
                assertEquals(List.of(), passing.pool().threads(), "nobody serves");
                byte[] message = digits(3_000, round);
                steady.send(message);
                TestClient newcomer = TestClient.connect(address).send("new " + round);
                long accepts = passing.submitted(IoUring.IORING_OP_ACCEPT);
                long receives = passing.submitted(IoUring.IORING_OP_RECV);
                passing.enter();
                assertArrayEquals(message, steady.read(message.length));
                newcomer.expect("new " + round).endOutput().expectEnd().close();
                assertTrue(passing.submitted(IoUring.IORING_OP_ACCEPT) > accepts, "its accept serves on");
                assertTrue(passing.submitted(IoUring.IORING_OP_RECV) > receives + 1, "its receive serves on");
                assertArrayEquals(handler.much, greedy.read(MUCH));
                greedy.endOutput().expectEnd().close();
            }
            steady.endOutput().expectEnd().close();
            passing.awaitOnlyListeners(1);
        }
    }

    /** Others are there, and serve at that moment. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void conversationsGoOnWhileThreadsComeAndGo(boolean registeredFiles) throws Exception {
        RingLedger ledger = new RingLedger();
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        long seed = Long.getLong("cabrank.stress.seed", System.nanoTime());
        String inWords = "-Dcabrank.stress.seed=" + seed;
        RingOptions options = FaultyServer.SMALL.withRegisteredFiles(registeredFiles);
        try (PassingThreads passing = PassingThreads.open(promotion, options, StreamLimits.DEFAULT)) {
            SocketAddress address = passing.listen(ledger);
            int listening = OpenDescriptors.count();
            passing.enter();
            passing.enter();
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Random random = new Random(seed + i);
                clients.add(new Thread(() -> {
                    while (ledger.errors().isEmpty() && ended.get() < LEAVES * CONVERSATIONS_EACH) {
                        hold(new LedgerConversation(begun.getAndIncrement(), random), address, ledger);
                        ended.incrementAndGet();
                    }
                }));
            }
            clients.forEach(Thread::start);
            for (int left = 0; left < LEAVES; left++) {
                int enough = left * CONVERSATIONS_EACH;
                Await.until(
                        "conversations have come to their end",
                        () -> ended.get() >= enough || !ledger.errors().isEmpty());
                passing.enter();
                passing.leaveOldest();
            }
            for (Thread client : clients) {
                client.join();
            }
            TestClient.connect(address).endOutput().expectEnd().close(); // accepted behind all other connections
            Await.until("only the listener has a descriptor", () -> OpenDescriptors.count() <= listening);
            Await.until("all are closed", () -> passing.closedCount() == ledger.openedCount());
            Await.until("all have been told their end", () -> ledger.closedCount() == ledger.openedCount());
            passing.awaitOnlyListeners(1);
            assertEquals(List.of(), List.copyOf(ledger.errors()), inWords);
            assertEquals(ledger.openedCount(), ledger.closedCount(), inWords);
            assertEquals(ledger.thrownCount(), passing.set().failures().count(), inWords);
        }
    }

    private static void hold(LedgerConversation conversation, SocketAddress address, RingLedger ledger) {
        try {
            conversation.hold(address);
        } catch (IOException | AssertionError failure) {
            ledger.errors().add(failure + (failure.getCause() == null ? "" : ": " + failure.getCause()));
        }
    }
}
