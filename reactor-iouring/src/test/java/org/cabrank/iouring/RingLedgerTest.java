package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.OpenDescriptors;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.TestClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connections come and go so fast that descriptors, slots and buffers are given out again at once, with requests of those who
 * had them before still on their way: nobody receives bytes of another connection, and nothing is kept.
 *
 * <p>{@code cabrank.stress.seconds} (4) as for the stress tests of the pool, {@code cabrank.soak.seconds} before it; a
 * twentieth of it is spent in each test here. {@code cabrank.stress.seed} repeats what clients do.
 */
@Tag("newest") // on an older JDK in a soak only
class RingLedgerTest {
    private static final int CLIENTS = 4;
    private static final int CONNECTIONS_MIN = Modes.isSoak() ? 1_000 : 400;

    /** Far more than a busy machine needs for the least number of connections. */
    private static final Duration PATIENCE = Duration.ofSeconds(Long.getLong("cabrank.patience.seconds", 60));

    private final long seed = Long.getLong("cabrank.stress.seed", System.nanoTime());
    private RingLedger ledger = new RingLedger();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    @Test
    void descriptorsThatAreGivenOutAgainBringNothingOfOthers() throws Exception {
        keepBooks(RingOptions.DEFAULT);
    }

    @Test
    void ringsThatOverflowBringNothingOfOthers() throws Exception {
        keepBooks(FaultyServer.SMALL);
    }

    /** Handlers block at random, and other threads stand in for the ring's. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void threadsThatStandInForTheRingsBringNothingOfOthers(int threads) throws Exception {
        ledger = new RingLedger(40);
        keepBooks(RingOptions.DEFAULT, threads);
    }

    @Test
    void reliefOfRingsThatOverflowBringsNothingOfOthers() throws Exception {
        ledger = new RingLedger(40);
        keepBooks(FaultyServer.SMALL, 3);
    }

    private void keepBooks(RingOptions options) throws Exception {
        keepBooks(options, 1);
    }

    private void keepBooks(RingOptions options, int threads) throws Exception {
        int before = OpenDescriptors.count();
        try (FaultyServer server = FaultyServer.startWithThreads(options, threads)) {
            server.rings().showSubmissions(new Identities(ledger.errors()));
            SocketAddress address = server.listen(ledger);
            int listening = OpenDescriptors.count();
            holdConversations(address);
            // Accepted behind all connections; another thread may still have to register what it has fetched before.
            TestClient.connect(address).endOutput().expectEnd().close();
            Await.until("only the listener has a descriptor", () -> OpenDescriptors.count() <= listening);
            server.reactor().awaitClosed(server.reactor().reactor().counters().opened());
            server.awaitOnlyListeners(1);
            Await.until("all have been told their end", () -> ledger.closedCount() == ledger.openedCount());
            assertEquals(List.of(), List.copyOf(ledger.errors()), this::inWords);
            assertEquals(ledger.openedCount(), ledger.closedCount(), this::inWords);
            assertEquals(server.reactor().reactor().counters().closed(), ledger.closedCount(), this::inWords);
            assertEquals(ledger.thrownCount(), server.reactor().failureCount(), this::inWords);
            assertNull(LeaderFollowersPool.of(server.set()).failure(), this::inWords);
            assertEquals(threads > 1, threads > 1 && server.set().relief().takeovers() > 0, this::inWords);
        }
        Await.until("all descriptors are given back", () -> OpenDescriptors.count() <= before);
        assertTrue(ended.get() >= CONNECTIONS_MIN, this::inWords);
    }

    private void holdConversations(SocketAddress address) throws InterruptedException {
        long seconds = Long.getLong("cabrank.soak.seconds", Long.getLong("cabrank.stress.seconds", 4));
        long startNs = System.nanoTime();
        long durationNs = Duration.ofSeconds(seconds).toNanos() / 20;
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Random random = new Random(seed + i);
            clients.add(new Thread(
                    () -> {
                        while (ledger.errors().isEmpty()
                                && (System.nanoTime() - startNs < durationNs || begun.get() < CONNECTIONS_MIN)) {
                            hold(new LedgerConversation(begun.getAndIncrement(), random), address);
                        }
                    },
                    "client-" + i));
        }
        clients.forEach(Thread::start);
        long untilNs = startNs + durationNs + PATIENCE.toNanos();
        for (Thread client : clients) {
            client.join(Math.max(1, (untilNs - System.nanoTime()) / 1_000_000));
            if (client.isAlive()) {
                ledger.errors().add(client.getName() + " waits at " + List.of(client.getStackTrace()));
                client.interrupt(); // closes its channel
                client.join();
            }
        }
        assertEquals(List.of(), List.copyOf(ledger.errors()), this::inWords);
    }

    private void hold(LedgerConversation conversation, SocketAddress address) {
        try {
            conversation.hold(address);
            ended.incrementAndGet();
        } catch (Throwable failure) {
            ledger.errors().add(failure.toString() + (failure.getCause() == null ? "" : ": " + failure.getCause()));
        }
    }

    private String inWords() {
        return "-Dcabrank.stress.seed=" + seed + ", " + begun + " connections begun, " + ended + " ended, "
                + ledger.openedCount() + " opened, " + ledger.closedCount() + " closed";
    }
}
