package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.contract.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A ring whose owner is kept by a handler: other threads serve its connections without the ring. */
@Timeout(300)
class ReliefTest {
    private final Map<Character, CountDownLatch> gates = new ConcurrentHashMap<>();
    private final Map<Character, CountDownLatch> blocked = new ConcurrentHashMap<>();
    private volatile boolean blocksNextOpened;
    private FaultyServer server;
    private SocketAddress address;

    /** Echoes. A piece of input that is one capital letter blocks its thread until the gate of the letter opens. */
    private final class Blocking implements ConnectionHandler {
        @Override
        public void opened(Connection connection) throws InterruptedException {
            if (blocksNextOpened) {
                blocksNextOpened = false;
                blockHere('O');
            }
        }

        @Override
        public void data(Connection connection, ByteBuffer data) throws InterruptedException {
            char first = (char) data.get(data.position());
            if (data.remaining() == 1 && Character.isUpperCase(first)) {
                blockHere(first);
            }
            connection.write(data);
        }

        private void blockHere(char letter) throws InterruptedException {
            latch(blocked, letter).countDown();
            latch(gates, letter).await();
        }
    }

    private static CountDownLatch latch(Map<Character, CountDownLatch> of, char letter) {
        return of.computeIfAbsent(letter, any -> new CountDownLatch(1));
    }

    @BeforeEach
    void start() throws IOException {
        Ring probe = Rings.openDisabled(TestKernel.any(), Rings.SMALL);
        probe.close();
        assumeTrue(probe.features().deferTaskrun(), "Linux before 6.1");
        server = FaultyServer.startWithThreads(RingOptions.DEFAULT, 3);
        address = server.listen(new Blocking());
    }

    @AfterEach
    void stop() {
        gates.values().forEach(CountDownLatch::countDown);
        server.close();
    }

    /** Keeps the owner. */
    private TestClient block(char letter) throws Exception {
        TestClient client = TestClient.connect(address).send("warm").expect("warm");
        Await.until("the owner leads", () -> !server.set().isRelieved());
        block(client, letter);
        return client;
    }

    private void block(TestClient client, char letter) throws Exception {
        client.send(String.valueOf(letter));
        awaitBlocked(letter);
    }

    private void awaitBlocked(char letter) throws InterruptedException {
        assertTrue(latch(blocked, letter).await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
    }

    private static void exchange(TestClient client, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            client.send("ping " + i).expect("ping " + i);
        }
    }

    private long processed() {
        return server.reactor().reactor().pools().get(0).counters().processed();
    }

    private void open(char letter) {
        latch(gates, letter).countDown();
    }

    @Test
    void knownAndNewConnectionsAreServedWhileTheOwnerIsAway() throws Exception {
        try (TestClient known = TestClient.connect(address);
                TestClient kept = block('A')) {
            exchange(known, 100);
            try (TestClient young = TestClient.connect(address)) {
                exchange(young, 100);
                young.endOutput().expectEnd();
            }
            assertTrue(server.set().isRelieved());
            open('A');
            kept.expect("A");
            exchange(known, 100);
            exchange(kept, 100);
        }
    }

    @Test
    void ownerLeadsAgainThoughNothingIsReady() throws Exception {
        try (TestClient kept = block('A')) {
            open('A');
            kept.expect("A");
            Await.until("the owner is back", () -> !server.set().isRelieved());
        }
    }

    /** The output waits for room in the socket, and goes on after the owner has come back. */
    @Test
    void muchOutputPassesWhileTheOwnerIsAwayAndAfterwards() throws Exception {
        byte[] much = new byte[6 << 20];
        new Random(1).nextBytes(much);
        try (TestClient bulk = TestClient.connect(address);
                TestClient kept = block('A')) {
            CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> {
                try {
                    bulk.send(much);
                } catch (IOException broken) {
                    throw new IllegalStateException(broken);
                }
            });
            byte[] first = bulk.read(much.length / 2);
            open('A');
            byte[] second = bulk.read(much.length - first.length);
            sender.get();
            assertArrayEquals(
                    much,
                    ByteBuffer.allocate(much.length).put(first).put(second).array());
            kept.expect("A");
        }
    }

    /** A thread that stands in is kept by a handler, too, and still holds its connection when the owner is back. */
    @Test
    void connectionOfAKeptDeputyIsReadInOrder() throws Exception {
        try (TestClient other = TestClient.connect(address);
                TestClient ofDeputy = TestClient.connect(address).send("b").expect("b");
                TestClient kept = block('A')) {
            block(ofDeputy, 'B');
            exchange(other, 20);
            ofDeputy.send("during the relief, ");
            exchange(other, 1);
            open('A');
            kept.expect("A");
            Await.until("the owner is back", () -> !server.set().isRelieved());
            ofDeputy.send("and after it");
            exchange(other, 20);
            open('B');
            ofDeputy.expect("Bduring the relief, and after it");
            exchange(ofDeputy, 20);
        }
    }

    /** The send of a connection that nobody processes has ended: the owner notes that without a dispatch, as it does when it is alone. */
    @Test
    void keptDeputyCostsOtherConnectionsNoDispatch() throws Exception {
        int requests = 200;
        try (TestClient other = TestClient.connect(address);
                TestClient ofDeputy = TestClient.connect(address).send("b").expect("b");
                TestClient kept = block('A')) {
            block(ofDeputy, 'B');
            open('A');
            kept.expect("A");
            Await.until("the owner is back", () -> !server.set().isRelieved());
            exchange(other, 1);
            long before = processed();
            exchange(other, requests);
            long processed = processed() - before;
            assertTrue(processed < requests + requests / 2, processed + " dispatches");
            open('B');
            ofDeputy.expect("B");
        }
    }

    /** They were reported to the first relief, and no receive was armed while the owner led in between. */
    @Test
    void bytesThatWereReportedToAnEarlierReliefAreReadByTheNext() throws Exception {
        try (TestClient other = TestClient.connect(address);
                TestClient kept = TestClient.connect(address)) {
            exchange(other, 200);
            exchange(kept, 200);
            Await.until("the owner leads", () -> !server.set().isRelieved());
            block(kept, 'A');
            blocksNextOpened = true;
            try (TestClient young = TestClient.connect(address)) {
                awaitBlocked('O');
                young.send("reported once");
                exchange(other, 20);
                open('A');
                kept.expect("A");
                Await.until("the owner is back", () -> !server.set().isRelieved());
                exchange(kept, 2);
                block(kept, 'B');
                block(other, 'C'); // nobody follows
                open('B');
                kept.expect("B");
                exchange(kept, 2);
                assertFalse(server.set().isRelieved());
                block(kept, 'D');
                open('O');
                young.expect("reported once");
                assertTrue(server.set().isRelieved());
                open('D');
                kept.expect("D");
                open('C');
                other.expect("C");
            }
        }
    }

    @Test
    void stopWaitsForTheOwner() throws Exception {
        try (TestClient other = TestClient.connect(address);
                TestClient kept = block('A')) {
            exchange(other, 1);
            CompletableFuture<Void> closing =
                    CompletableFuture.runAsync(server.reactor().reactor()::close);
            other.expectEnd();
            other.endOutput();
            open('A');
            kept.expectToEnd("A");
            kept.endOutput(); // the server waits 5 s for a peer that does not end
            closing.get();
        }
    }

    @Test
    void connectionIsMadeWhileTheOwnerIsAway() throws Exception {
        try (TestClient kept = block('A')) {
            CompletableFuture<String> answer = new CompletableFuture<>();
            server.reactor().reactor().connect(address, new ConnectionHandler() {
                @Override
                public void opened(Connection connection) {
                    connection.write(ByteBuffer.wrap("hello".getBytes(StandardCharsets.US_ASCII)));
                }

                @Override
                public void data(Connection connection, ByteBuffer data) {
                    answer.complete(StandardCharsets.US_ASCII.decode(data).toString());
                    connection.close();
                }
            });
            assertEquals("hello", answer.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            open('A');
            kept.expect("A");
        }
    }
}
