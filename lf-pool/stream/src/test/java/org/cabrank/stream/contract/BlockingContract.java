package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.OffloadExecutors;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.stream.BlockingConnection;
import org.cabrank.stream.BlockingHandlers;
import org.cabrank.stream.BlockingTask;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionEndedException;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;

/** Services that are written straight down: virtual threads where the JVM has them. */
public abstract class BlockingContract extends StreamContract {
    private static final int THREADS = 64;

    /** Named bound: clients that talk at a time in the stress. */
    private static final int CLIENTS = 40;

    private static final long STRESS_NS = Long.getLong("cabrank.stress.seconds") == null
            ? TimeUnit.MILLISECONDS.toNanos(300)
            : TimeUnit.SECONDS.toNanos(Long.getLong("cabrank.stress.seconds"));

    /** Maximum number of bytes under way at once. */
    private static final int AHEAD_MAX = 150_000;

    private static final BlockingTask ECHO = connection -> {
        ByteBuffer buffer = ByteBuffer.allocate(8 << 10);
        while (connection.read(buffer) >= 0) {
            connection.write(buffer.flip());
            buffer.clear();
        }
    };

    private ExecutorService tasks() {
        ExecutorService made = OffloadExecutors.virtualThreadsElse("task", THREADS, THREADS);
        closing(() -> {
            made.shutdown();
            assertTrue(made.awaitTermination(Await.PATIENCE_NS, TimeUnit.NANOSECONDS), "a task does not end");
        });
        return made;
    }

    private static <T> T within(CompletableFuture<T> outcome) throws Exception {
        return outcome.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
    }

    @Test
    void tasksAnswerUntilThePeersEnd() throws Exception {
        ExecutorService tasks = tasks();
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(BlockingHandlers.of(tasks, ECHO));
        byte[] sent = randomBytes(3 << 20, 5);
        TestClient client = client(address);
        TestThread writer = TestThread.start("writer", () -> client.send(sent).endOutput());
        assertArrayEquals(sent, client.readToEnd());
        writer.join();
        reactor.awaitClosed(1);
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void streamsOfTheJdkReadAndWriteMessages() throws Exception {
        ExecutorService tasks = tasks();
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(BlockingHandlers.of(tasks, connection -> {
            DataInputStream in = new DataInputStream(connection.inputStream());
            DataOutputStream out = new DataOutputStream(connection.outputStream());
            long sum = 0;
            for (int left = in.readInt(); left > 0; left--) {
                sum += in.readLong();
            }
            out.writeLong(sum);
        }));
        ByteBuffer message = ByteBuffer.allocate(4 + 3 * 8).putInt(3);
        TestClient client = client(address);
        for (long term = 1; term <= 3; term++) {
            message.putLong(term << 40);
        }
        for (byte one : message.array()) {
            client.send(new byte[] {one});
        }
        assertEquals(6L << 40, ByteBuffer.wrap(client.read(8)).getLong());
        client.endOutput().expectEnd();
    }

    /** More connections wait in their tasks than the reactor has threads. */
    @Test
    void tasksThatWaitKeepNoThreadOfThePool() throws Exception {
        ExecutorService tasks = tasks();
        SocketAddress address = start().listen(BlockingHandlers.of(tasks, ECHO));
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(client(address));
        }
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.get(i).send("client " + i % 10).expect("client " + i % 10);
            }
        }
        for (TestClient client : clients) {
            client.endOutput().expectEnd();
        }
    }

    @Test
    void aPeerThatDoesNotReadHoldsTheTaskBackAndLosesNothing() throws Exception {
        ExecutorService tasks = tasks();
        byte[] answer = randomBytes(12 << 20, 6);
        CompletableFuture<BlockingConnection> view = new CompletableFuture<>();
        CompletableFuture<Integer> written = new CompletableFuture<>();
        SocketAddress address = start().listen(BlockingHandlers.of(tasks, connection -> {
            view.complete(connection);
            written.complete(connection.write(ByteBuffer.wrap(answer)));
        }));
        TestClient client = closing(mode().connectToReadLittle(address));
        Connection connection = within(view).connection();
        // The kernel may take some bytes after the task has begun to wait, but not all down to the low watermark.
        Await.until(
                "bytes are queued",
                () -> connection.queuedBytes() > connection.limits().lowWatermark());
        assertFalse(written.isDone());
        assertTrue(connection.queuedBytes() < connection.limits().queueLimit());
        assertArrayEquals(answer, client.read(answer.length));
        assertEquals(answer.length, within(written));
        client.endOutput().expectEnd();
    }

    @Test
    void aTaskThatDoesNotReadHoldsThePeerBack() throws Exception {
        ExecutorService tasks = tasks();
        CompletableFuture<Void> mayRead = new CompletableFuture<>();
        CompletableFuture<byte[]> read = new CompletableFuture<>();
        CompletableFuture<BlockingConnection> view = new CompletableFuture<>();
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(BlockingHandlers.of(tasks, connection -> {
            view.complete(connection);
            mayRead.join();
            read.complete(connection.inputStream().readAllBytes());
        }));
        byte[] sent = randomBytes(16 << 20, 7);
        TestClient client = client(address);
        TestThread writer = TestThread.start("writer", () -> client.send(sent).endOutput());
        BlockingConnection held = within(view);
        int unreadLimit = held.connection().limits().unreadLimit();
        Await.until("the buffer is full", () -> held.available() >= unreadLimit);
        assertTrue(writer.isAlive());
        assertTrue(
                held.available() <= unreadLimit + held.connection().limits().receiveBuffer(),
                held.available() + " bytes are buffered");
        mayRead.complete(null);
        assertArrayEquals(sent, within(read));
        writer.join();
        client.expectEnd();
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void readsTimeOutAndTheConnectionStays() throws Exception {
        ExecutorService tasks = tasks();
        SocketAddress address = start().listen(BlockingHandlers.of(tasks, connection -> {
            connection.readTimeout(Duration.ofMillis(10));
            assertThrows(
                    SocketTimeoutException.class, () -> connection.inputStream().read());
            connection.outputStream().write('t');
            connection.readTimeout(Await.PATIENCE);
            connection.outputStream().write(connection.inputStream().read());
        }));
        client(address).expect("t").send("x").expect("x").endOutput().expectEnd();
    }

    @Test
    void aTaskThatThrowsIsAFailureOfTheHandler() throws Exception {
        ExecutorService tasks = tasks();
        Recorder[] recorders = new Recorder[1];
        TestReactor reactor = start();
        IllegalStateException wrong = new IllegalStateException("thrown by a test's task");
        SocketAddress address = reactor.listen(() -> {
            recorders[0] = new Recorder(BlockingHandlers.of(tasks, connection -> {
                        connection.inputStream().read();
                        throw wrong;
                    })
                    .get());
            return recorders[0];
        });
        TestClient client = client(address).send("x");
        client.readAndForget();
        reactor.awaitClosed(1);
        assertSame(wrong, recorders[0].awaitClosed());
        assertEquals(1, reactor.failureCount());
    }

    @Test
    void aResetEndsATaskThatReadsWithoutAFailureOfTheHandler() throws Exception {
        ExecutorService tasks = tasks();
        TestReactor reactor = start();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        CompletableFuture<Boolean> started = new CompletableFuture<>();
        SocketAddress address = reactor.listen(BlockingHandlers.of(tasks, connection -> {
            started.complete(true);
            try {
                connection.inputStream().read();
            } catch (IOException ended) {
                thrown.complete(ended);
                throw ended;
            }
        }));
        TestClient client = client(address);
        within(started);
        client.reset();
        ConnectionEndedException ended = assertInstanceOf(ConnectionEndedException.class, within(thrown));
        assertTrue(ended.getMessage().contains("cannot read"), ended.getMessage());
        reactor.awaitClosed(1);
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void aDrainWaitsForTasks() throws Exception {
        ExecutorService tasks = tasks();
        CompletableFuture<BlockingConnection> view = new CompletableFuture<>();
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(BlockingHandlers.of(tasks, connection -> {
            view.complete(connection);
            connection.outputStream().write(connection.inputStream().readNBytes(6));
        }));
        TestClient client = client(address).send("req");
        BlockingConnection held = within(view);
        TestThread closing = TestThread.start("close", () -> reactor.reactor().close());
        Await.until("the task knows of the drain", held::isDraining);
        client.send("est").expectToEnd("reqest").close();
        closing.join();
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void aDrainEndsTasksThatWaitForTheNextRequest() throws Exception {
        ExecutorService tasks = tasks();
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(BlockingHandlers.of(tasks, connection -> {
            byte[] request = new byte[3];
            while (connection.awaitInput()) {
                connection
                        .outputStream()
                        .write(request, 0, connection.inputStream().readNBytes(request, 0, 3));
            }
            connection.outputStream().write('.');
        }));
        TestClient client = client(address).send("one").expect("one");
        TestThread closing = TestThread.start("close", () -> reactor.reactor().close());
        client.expectToEnd(".").close();
        closing.join();
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void aTaskThatOutlastsTheDrainIsEndedByTheReset() throws Exception {
        ExecutorService tasks = tasks();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        CompletableFuture<Boolean> started = new CompletableFuture<>();
        TestReactor reactor = start(StreamReactor.builder().drainTimeout(Duration.ofMillis(50)));
        SocketAddress address = reactor.listen(BlockingHandlers.of(tasks, connection -> {
            started.complete(true);
            thrown.complete(assertThrows(
                    IOException.class, () -> connection.inputStream().read()));
        }));
        TestClient client = client(address);
        within(started);
        reactor.reactor().close();
        assertInstanceOf(ConnectionEndedException.class, within(thrown));
        client.expectReset();
    }

    @Test
    void aHandlerMayGiveItsConnectionToAViewInTheMiddle() throws Exception {
        ExecutorService tasks = tasks();
        SocketAddress address = serve(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                connection.write(ByteBuffer.wrap(new byte[] {data.get()}));
                BlockingConnection view = BlockingConnection.of(connection);
                tasks.execute(() -> {
                    try (view) {
                        ECHO.run(view);
                    } catch (Exception failed) {
                        throw new AssertionError(failed);
                    }
                });
            }
        });
        byte[] sent = randomBytes(200_000, 8);
        TestClient client = client(address);
        TestThread writer = TestThread.start("writer", () -> client.send(sent).endOutput());
        assertArrayEquals(sent, client.readToEnd());
        writer.join();
    }

    // ---- stress ----

    /** The byte that this client sends at a position; it differs from neighbouring positions and from other clients. */
    private static byte said(int client, long at) {
        return (byte) (at * 31 + (at >>> 8) * 7 + client * 101);
    }

    private record Talk(long sent, long read) {}

    /** Says numbered bytes in pieces of any size, and compares the echo. */
    private static Talk talk(TestClient client, int number, long untilNs) throws IOException {
        Random random = new Random(number);
        long sent = 0;
        long read = 0;
        do {
            byte[] piece = new byte[1 + (random.nextInt(4) == 0 ? random.nextInt(AHEAD_MAX) : random.nextInt(100))];
            for (int i = 0; i < piece.length; i++) {
                piece[i] = said(number, sent++);
            }
            client.send(piece);
            for (byte answered : client.read(piece.length)) {
                assertEquals(said(number, read), answered, "client " + number + ", byte " + read);
                read++;
            }
        } while (System.nanoTime() < untilNs);
        client.endOutput();
        assertEquals(0, client.readToEnd().length);
        return new Talk(sent, read);
    }

    /** The ledger: each byte that a client has said was read by its task and came back, once and in order. */
    @Test
    void noByteOfManyConnectionsIsLostDoubledOrOvertaken() throws Exception {
        ExecutorService tasks = tasks();
        Queue<Long> echoed = new ConcurrentLinkedQueue<>();
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(BlockingHandlers.of(tasks, connection -> {
            long count = 0;
            byte[] buffer = new byte[3_001];
            for (int read = connection.read(buffer, 0, 17);
                    read >= 0;
                    read = connection.read(buffer, 0, buffer.length)) {
                connection.write(buffer, 0, read);
                count += read;
            }
            echoed.add(count);
        }));
        long untilNs = System.nanoTime() + STRESS_NS;
        List<TestThread> talks = new ArrayList<>();
        Queue<Talk> ledger = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            TestClient client = client(address);
            talks.add(TestThread.start("client " + i, () -> ledger.add(talk(client, number, untilNs))));
        }
        for (TestThread talk : talks) {
            talk.join();
        }
        reactor.awaitClosed(CLIENTS);
        assertEquals(CLIENTS, ledger.size());
        long said = ledger.stream().mapToLong(Talk::sent).sum();
        assertEquals(said, ledger.stream().mapToLong(Talk::read).sum());
        assertEquals(said, echoed.stream().mapToLong(Long::longValue).sum());
        assertEquals(0, reactor.failureCount());
    }
}
