package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A thread that has seen {@link Connection#isWritable} false is called, whatever the connection was sending. */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
class TlsWritableTest extends StreamContract {
    private static final int KIB = 1 << 10;
    private static final int ROUNDS = 10;
    private static final byte WARNING = 1;
    private static final byte CLOSE_NOTIFY = 0;
    private static final byte USER_CANCELED = 90;

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

    /** Sends a file for each byte. Another thread looks at the connection until it is not writable. */
    private static final class Sender implements ConnectionHandler {
        private final ReactorFile file;
        private final long count;
        private final CountDownLatch seenFull = new CountDownLatch(1);
        private final CountDownLatch wokenUp = new CountDownLatch(1);
        private volatile boolean full;
        private volatile boolean sent;

        Sender(ReactorFile file, long count) {
            this.file = file;
            this.count = count;
        }

        @Override
        public void data(Connection connection, ByteBuffer data) throws Exception {
            data.position(data.limit());
            CountDownLatch looks = new CountDownLatch(1);
            new Thread(() -> {
                        looks.countDown();
                        while (!full && !sent) {
                            if (!connection.isWritable()) {
                                full = true;
                            }
                        }
                        seenFull.countDown();
                    })
                    .start();
            looks.await();
            connection.sendFile(file, 0, count);
            connection.whenWritten((own, failed) -> sent = true);
        }

        @Override
        public void writable(Connection connection) {
            if (full) {
                wokenUp.countDown();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {120, 300, 4_000})
    void aFileOfACallbackIsFollowedByWritable(int fileKib) throws Exception {
        byte[] content = randomBytes(fileKib * KIB, fileKib);
        Path path = Files.write(directory.resolve("file"), content);
        TestReactor reactor = start(StreamReactor.builder()
                .drainTimeout(PATIENT_DRAIN)
                .limits(StreamLimits.DEFAULT.withQueue(20 * KIB, 32 * KIB, 1 << 20)));
        ReactorFile file = closing(reactor.reactor().openFile(path));
        for (int round = 0; round < ROUNDS; round++) {
            Sender sender = new Sender(file, content.length);
            SocketAddress address = reactor.listen(() -> sender);
            TestClient client = client(address).send("x");
            assertArrayEquals(content, client.read(content.length));
            assertTrue(sender.seenFull.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            if (sender.full) {
                assertTrue(
                        sender.wokenUp.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS), "writable, in round " + round);
            }
        }
        assertEquals(0, reactor.failureCount());
    }

    /** Sends a file that the socket does not take, and is notified of room. */
    private static final class Behind implements ConnectionHandler {
        private final ReactorFile file;
        private final long count;
        private final CountDownLatch sending = new CountDownLatch(1);
        private final CountDownLatch room = new CountDownLatch(1);
        private volatile boolean refused;
        private volatile Connection connection;

        Behind(ReactorFile file, long count) {
            this.file = file;
            this.count = count;
        }

        @Override
        public void data(Connection own, ByteBuffer data) throws Exception {
            data.position(data.limit());
            connection = own;
            own.sendFile(file, 0, count);
            sending.countDown();
        }

        @Override
        public void writable(Connection own) {
            if (refused) {
                room.countDown();
            }
        }
    }

    /** Plaintext behind a file has the limit of the queue, whichever thread writes it, and a refusal is followed by writable. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void writesBehindAFileAreBounded(boolean inCallback) throws Exception {
        byte[] content = randomBytes(8_000 * KIB, 1);
        Path path = Files.write(directory.resolve("file"), content);
        int limit = 256 * KIB;
        TestReactor reactor = start(StreamReactor.builder()
                .drainTimeout(PATIENT_DRAIN)
                .limits(StreamLimits.DEFAULT.withQueue(20 * KIB, 32 * KIB, limit)));
        ReactorFile file = closing(reactor.reactor().openFile(path));
        Behind handler = new Behind(file, content.length);
        TestClient client = client(reactor.listen(() -> handler)).send("x");
        assertTrue(handler.sending.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        AtomicInteger written = new AtomicInteger();
        Runnable writing = () -> {
            WriteQueueFullException full = assertThrows(WriteQueueFullException.class, () -> {
                while (written.get() <= 2 * limit) {
                    handler.connection.write(ByteBuffer.allocate(100 * KIB));
                    written.addAndGet(100 * KIB);
                }
            });
            assertTrue(full.mayRetry(), full::getMessage);
            handler.refused = true;
        };
        if (inCallback) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            handler.connection.execute(() -> {
                try {
                    writing.run();
                    done.complete(null);
                } catch (Throwable failed) {
                    done.completeExceptionally(failed);
                }
            });
            done.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        } else {
            writing.run();
        }
        assertTrue(written.get() <= limit, written + " bytes were taken");
        assertArrayEquals(content, client.read(content.length));
        assertArrayEquals(new byte[written.get()], client.read(written.get()));
        assertTrue(handler.room.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS), "writable");
        assertEquals(0, reactor.failureCount());
    }

    /** A client that cancels ends both directions, in TLS 1.3 too. What was written is dropped, which is the cause of the end. */
    @Test
    void writerIsCalledThoughTheClientHasEndedBothDirections() throws Exception {
        CompletableFuture<Connection> served = new CompletableFuture<>();
        CompletableFuture<Throwable> closed = new CompletableFuture<>();
        CountDownLatch goesOn = new CountDownLatch(1);
        CountDownLatch called = new CountDownLatch(1);
        // The client does not answer the close.
        StreamTimeouts timeouts = StreamTimeouts.DEFAULT.withClose(Duration.ofMillis(20));
        SocketAddress address = start(StreamReactor.builder().timeouts(timeouts))
                .listen(new ConnectionHandler() {
                    @Override
                    public void data(Connection connection, ByteBuffer data) throws Exception {
                        data.position(data.limit());
                        served.complete(connection);
                        goesOn.await();
                    }

                    @Override
                    public void writable(Connection connection) {
                        called.countDown();
                    }

                    @Override
                    public void inputClosed(Connection connection, ByteBuffer unread) {
                        unread.position(unread.limit());
                    }

                    @Override
                    public void closed(Connection connection, Throwable cause) {
                        closed.complete(cause);
                    }
                });
        try (RawTlsClient client = new RawTlsClient(address, RawTlsClient.TLS_1_3)) {
            client.shake();
            client.send(
                    client.sealed(RawTlsClient.DATA, new byte[] {'x'}),
                    client.sealed(RawTlsClient.ALERT, new byte[] {WARNING, USER_CANCELED}),
                    client.sealed(RawTlsClient.ALERT, new byte[] {WARNING, CLOSE_NOTIFY}));
            Connection connection = served.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
            connection.write(ByteBuffer.allocate((int) connection.limits().highWatermark() + 1));
            assertFalse(connection.isWritable());
            goesOn.countDown();
            assertTrue(called.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            connection.close();
            assertInstanceOf(IOException.class, closed.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        }
    }
}
