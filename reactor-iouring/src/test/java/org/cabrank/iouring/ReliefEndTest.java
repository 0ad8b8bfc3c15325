package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a connection, and urgent data, as a relief finds them. */
@Timeout(300)
class ReliefEndTest {
    private static final int WARM_UP = 200;
    private static final int URGENT_BYTES = 20;
    private static final int BULK_BYTES = 4 << 20;

    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch isHeld = new CountDownLatch(1);
    private final CountDownLatch isReset = new CountDownLatch(1);
    private final StringBuffer received = new StringBuffer();

    /** The next wait of the owner that ends is held until {@link #isReset}. */
    private volatile boolean holdsOwner;

    private FaultyServer server;

    /** A piece of input that is "!" keeps its thread. */
    private final Recorder recorder = new Recorder(new ConnectionHandler() {
        @Override
        public void data(Connection connection, ByteBuffer data) throws Exception {
            String text = Recorder.text(data);
            if (text.equals("!")) {
                blocked.countDown();
                goOn.await();
            } else {
                received.append(text);
            }
        }
    });

    @BeforeEach
    void start() throws IOException {
        Ring probe = Rings.openDisabled(TestKernel.any(), Rings.SMALL);
        probe.close();
        assumeTrue(probe.features().deferTaskrun(), "Linux before 6.1");
        server = FaultyServer.startWithThreads(
                new ForwardingKernel(TestKernel.any()) {
                    @Override
                    public int ioUringEnter(int fd, int toSubmit, int wanted, int flags, long arg, long argBytes) {
                        int result = next().ioUringEnter(fd, toSubmit, wanted, flags, arg, argBytes);
                        if (wanted > 0 && holdsOwner) {
                            holdsOwner = false;
                            isHeld.countDown();
                            assertTrue(await(isReset));
                        }
                        return result;
                    }
                },
                RingOptions.DEFAULT,
                3);
    }

    @AfterEach
    void stop() {
        isReset.countDown();
        goOn.countDown();
        server.close();
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    /** Returns a client with an echo, when the owner leads. */
    private TestClient echoed() throws IOException {
        TestClient client = TestClient.connect(server.listen((connection, data) -> connection.write(data)));
        for (int i = 0; i < WARM_UP; i++) {
            client.send("warm").expect("warm");
        }
        Await.until("the owner leads", () -> !server.set().isRelieved());
        return client;
    }

    /** The owner has looked for an end behind the first bytes, and the kernel reports a reset only once. */
    @Test
    void resetThatTheOwnerHasFoundIsNoOrderlyEnd() throws Exception {
        TestClient client = TestClient.connect(server.listen(recorder));
        recorder.connection();
        try (TestClient other = echoed()) {
            holdsOwner = true;
            client.send("!");
            assertTrue(await(isHeld));
            client.reset();
            isReset.countDown();
            assertTrue(await(blocked));
            other.send("by the relief").expect("by the relief");
            goOn.countDown();
            assertInstanceOf(IOException.class, recorder.awaitClosed());
        }
    }

    @Test
    void bytesBehindUrgentDataAreReadByTheRelief() throws Exception {
        try (TestClient other = echoed();
                TestClient kept = TestClient.connect(server.listen(recorder));
                TestClient client =
                        TestClient.connect(server.listen((connection, data) -> received.append(Recorder.text(data))))) {
            client.send("a");
            Await.until("the first byte", () -> "a".contentEquals(received));
            Await.until("the owner leads", () -> !server.set().isRelieved());
            kept.send("!");
            assertTrue(await(blocked));
            other.send("by the relief").expect("by the relief");
            for (int i = 1; i <= URGENT_BYTES; i++) {
                int expected = 1 + 4 * i;
                client.send("bc");
                client.channel().socket().sendUrgentData('!');
                client.send("de");
                Await.until("bytes on both sides of the urgent byte", () -> received.length() == expected);
            }
            assertEquals("a" + "bcde".repeat(URGENT_BYTES), received.toString());
            assertTrue(server.set().isRelieved());
        }
    }

    private StreamRequests requestsOf(Connection connection) {
        return (StreamRequests) server.set().table().all().stream()
                .filter(each -> each.handle().handler() == connection)
                .findFirst()
                .orElseThrow();
    }

    private boolean ownerLeads(StreamRequests requests, int pieces, boolean receiving) {
        server.set().enter();
        try {
            return !server.set().isRelieved()
                    && requests.inbound().size() == pieces
                    && requests.isReceiving() == receiving;
        } finally {
            server.set().leave();
        }
    }

    private static void awaitIdle(Connection connection) {
        CountDownLatch idle = new CountDownLatch(1);
        connection.execute(idle::countDown);
        assertTrue(await(idle));
    }

    /** The rest in front of the end is short, and the kernel reports the end only once. */
    @Test
    void endBehindBulkInputThatWasPausedIsFoundByTheRelief() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        Recorder bulk = new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                received.append(Recorder.text(data));
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer rest) {
                ended.countDown();
            }
        });
        try (TestClient other = echoed();
                TestClient kept = TestClient.connect(server.listen(recorder));
                TestClient client = TestClient.connect(server.listen(bulk))) {
            client.send(new byte[BULK_BYTES]);
            Await.until("bulk input", () -> received.length() == BULK_BYTES);
            Connection connection = bulk.connection();
            StreamRequests requests = requestsOf(connection);
            awaitIdle(connection);
            Await.until("the owner leads", () -> ownerLeads(requests, 0, true));
            client.send("a"); // behind it, a receive is armed that no relief has ended
            Await.until("a small piece", () -> received.length() == BULK_BYTES + 1);
            awaitIdle(connection);
            Await.until("the owner leads", () -> ownerLeads(requests, 0, true));
            connection.pauseReading();
            awaitIdle(connection);
            client.send("b");
            Await.until("the receive has ended", () -> ownerLeads(requests, 1, false));
            kept.send("!");
            assertTrue(await(blocked));
            other.send("by the relief").expect("by the relief");
            client.send("c").endOutput();
            Await.until("the end is reported", () -> requests.reported);
            other.send("again").expect("again");
            awaitIdle(connection);
            connection.resumeReading();
            assertTrue(await(ended));
            assertEquals(BULK_BYTES + 3, received.length());
            assertTrue(server.set().isRelieved());
        }
    }
}
