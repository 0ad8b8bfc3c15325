package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringSqe;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.socket.source.Pipe;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.transport.OffloadedFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests on files by a ring: faults, requests that take long, and ends of connections and of the ring meanwhile. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class FileRequestTest {
    @TempDir
    Path dir;

    private Path path;

    @BeforeEach
    void nameFile() {
        path = dir.resolve("file");
    }

    private FaultyServer start() throws IOException {
        return FaultyServer.start(FaultyServer.SMALL, StreamReactor.builder().drainTimeout(Duration.ofMillis(50)));
    }

    private ReactorFile open(FaultyServer server) throws IOException {
        return server.reactor()
                .reactor()
                .openFile(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private ReactorFile openFifo(FaultyServer server) throws IOException {
        Pipe.makeFifo(TestKernel.any(), path, 0_600);
        return open(server);
    }

    /** Descriptors of the file that this process has open. */
    private long descriptors() {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(each -> path.toString().equals(target(each))).count();
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) {
            return "";
        }
    }

    private static int underWay(ReactorFile file) {
        return ((OffloadedFile) file).underWay();
    }

    private static long fileRequests(FaultyServer server) {
        return server.set().table().all().stream()
                .filter(FileRequest.class::isInstance)
                .count();
    }

    /** Has the kernel take no more than so many bytes of a write. */
    private static void cap(ByteBuffer submission, int bytes) {
        if (submission.get(IoUringSqe.OPCODE_OFFSET) == IoUring.IORING_OP_WRITE) {
            int wanted = submission.getInt(IoUringSqe.LEN_OFFSET);
            submission.putInt(IoUringSqe.LEN_OFFSET, Math.min(bytes, wanted));
        }
    }

    /** Writes 300 bytes, and answers with the count. */
    private static ConnectionHandler writing(ReactorFile file, byte[] bytes) {
        return (connection, data) -> {
            data.position(data.limit());
            ByteBuffer direct =
                    ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
            file.write(connection, direct, 0, (own, count) -> own.write(ByteBuffer.wrap(("" + count).getBytes())));
        };
    }

    @Test
    void aShortWriteIsContinued() throws Exception {
        byte[] bytes = new byte[300];
        new Random(1).nextBytes(bytes);
        try (FaultyServer server = start();
                ReactorFile file = open(server)) {
            server.rings().showSubmissions(submission -> cap(submission, 7));
            try (TestClient client = TestClient.connect(server.listen(writing(file, bytes)))) {
                client.send("x").expect("300");
            }
            assertArrayEquals(bytes, Files.readAllBytes(path));
            assertEquals(0, underWay(file));
            Await.until("no request is left", () -> fileRequests(server) == 0);
        }
    }

    @Test
    void aCancelledRequestIsRepeated() throws Exception {
        try (FaultyServer server = start();
                ReactorFile file = openFifo(server);
                FileChannel fifo = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            AtomicInteger begun = new AtomicInteger();
            server.rings().showSubmissions(submission -> {
                if (submission.get(IoUringSqe.OPCODE_OFFSET) == IoUring.IORING_OP_READ) {
                    begun.incrementAndGet();
                }
            });
            try (TestClient client = TestClient.connect(server.listen(reading(file)))) {
                client.send("x");
                Await.until("the read is under way", () -> begun.get() == 1);
                server.rings().cancelAllWithNextEnter();
                server.set().wakeup();
                Await.until("the read is repeated", () -> begun.get() > 1);
                fifo.write(ByteBuffer.wrap(new byte[] {'y'}));
                client.expect("y");
            }
        }
    }

    private static ConnectionHandler reading(ReactorFile file) {
        return (connection, data) -> {
            data.position(data.limit());
            ByteBuffer into = ByteBuffer.allocateDirect(16);
            file.read(connection, into, 0, (own, count) -> own.write(into.flip()));
        };
    }

    /** The memory is the kernel's and the descriptor is open until the request ends, long after its connection. */
    @Test
    void aRequestOutlivesItsConnectionAndThenNothingIsLeft() throws Exception {
        try (FaultyServer server = start()) {
            ReactorFile file = openFifo(server);
            FileChannel fifo = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            SocketAddress address = server.listen(reading(file));
            try (TestClient client = TestClient.connect(address)) {
                client.send("x");
                Await.until("the read is under way", () -> fileRequests(server) == 1);
                client.reset();
            }
            Await.until("the connection is closed", () -> server.reactor().handleCount() == 1);
            file.close();
            assertEquals(1, underWay(file));
            assertEquals(2, descriptors(), "the file is open while the kernel reads it, and so is the test's end");
            fifo.write(ByteBuffer.wrap(new byte[] {'y'}));
            Await.until("the request has ended", () -> underWay(file) == 0);
            server.awaitOnlyListeners(1);
            Await.until("the descriptor is closed", () -> descriptors() == 1);
            fifo.close();
        }
    }

    @Test
    void theEndOfTheReactorCancelsWhatIsUnderWay() throws Exception {
        int kept = FileRequest.keptCount();
        ReactorFile file;
        try (FaultyServer server = start()) {
            file = openFifo(server);
            TestClient client = TestClient.connect(server.listen(reading(file)));
            client.send("x");
            Await.until("the read is under way", () -> fileRequests(server) == 1);
            client.close();
        }
        assertEquals(0, underWay(file));
        assertEquals(kept, FileRequest.keptCount());
        file.close();
        assertEquals(0, descriptors());
    }

    /** The kernel may still use the memory, so it is kept; the connection and the descriptor are not. */
    @Test
    void theMemoryOfARequestThatDoesNotEndIsKeptForGood() throws Exception {
        int kept = FileRequest.keptCount();
        ReactorFile file;
        try (FaultyServer server = start()) {
            file = openFifo(server);
            TestClient client = TestClient.connect(server.listen(reading(file)));
            client.send("x");
            Await.until("the read is under way", () -> fileRequests(server) == 1);
            server.rings().showSubmissions(FileRequestTest::cancelNothing);
            client.close();
        }
        assertEquals(0, underWay(file));
        assertEquals(kept + 1, FileRequest.keptCount());
        file.close();
        assertEquals(0, descriptors());
    }

    /** Memory of the reactor, unlike that of a request of the service, is free when the kernel has filled it. */
    @Test
    void theMemoryOfAFileRangeThatIsReadDuringTheCloseIsFreedWhenTheReadEnds() throws Exception {
        int kept = FileSend.keptCount();
        FaultyServer server = FaultyServer.start(
                FaultyServer.SMALL,
                StreamReactor.builder().drainTimeout(Duration.ofMillis(50)).handlerTimeout(Duration.ofMillis(50)));
        ReactorFile file = openFifo(server);
        FileChannel fifo = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        TestClient client = TestClient.connect(server.listen((connection, data) -> {
            data.position(data.limit());
            connection.sendFile(file, 0, 10);
        }));
        client.send("x");
        Await.until(
                "the read is under way",
                () -> server.set().table().all().stream().anyMatch(HandleRequests::isFilled));
        server.rings().showSubmissions(FileRequestTest::cancelNothing);
        server.reactor().reactor().close(); // returns although the read has not ended
        client.readAndForget();
        Await.until(
                "other requests would have been given up",
                () -> server.reactor().failureCount() > 0);
        assertEquals(1, underWay(file));
        fifo.write(ByteBuffer.wrap(new byte[] {'y'}));
        Await.until("the read has ended", () -> underWay(file) == 0);
        Await.until("the memory is free", () -> server.reactor().chunksInUse() == 0);
        Await.until(
                "the connection is counted, which the end of the reactor has not waited for",
                () -> server.reactor().reactor().counters().closed() == 1);
        server.close();
        assertEquals(kept, FileSend.keptCount());
        file.close();
        fifo.close();
        client.close();
        assertEquals(0, descriptors());
    }

    private static void cancelNothing(ByteBuffer submission) {
        if (submission.get(IoUringSqe.OPCODE_OFFSET) == IoUring.IORING_OP_ASYNC_CANCEL) {
            submission.put(IoUringSqe.OPCODE_OFFSET, (byte) IoUring.IORING_OP_NOP);
            submission.putInt(IoUringSqe.OP_FLAGS_OFFSET, 0);
        }
    }

    /** Bytes that several connections write to offsets of their own are in the file, whichever connections end midway. */
    @Test
    void connectionsThatComeAndGoLoseNothingOfTheOthers() throws Exception {
        Random random = new Random(Long.getLong("cabrank.stress.seed", 7));
        try (FaultyServer server = start();
                ReactorFile file = open(server)) {
            server.rings().showSubmissions(submission -> cap(submission, 1_000));
            SocketAddress address = server.listen(new Blocks(file));
            for (int round = 0; round < 30; round++) {
                List<TestClient> clients = new ArrayList<>();
                for (int i = 0; i < Blocks.EACH_ROUND; i++) {
                    clients.add(TestClient.connect(address).send(new byte[] {(byte) i, (byte) round}));
                }
                for (int i = 0; i < clients.size(); i++) {
                    if (random.nextInt(3) == 0) {
                        clients.get(i).reset();
                    } else {
                        clients.get(i).expect("ok");
                    }
                    clients.get(i).close();
                }
            }
            Await.until("all requests have ended", () -> underWay(file) == 0);
            server.awaitOnlyListeners(1);
            byte[] all = Files.readAllBytes(path);
            for (int i = 0; i < all.length; i++) {
                assertEquals(all[i / Blocks.BYTES * Blocks.BYTES], all[i], "of one write at a time: byte " + i);
            }
        }
    }

    /**
     * Fills the block that a request names with the round that it names, syncs it, reads it again and answers. Each request has a
     * block of its own: one whose peer has gone is carried out all the same, perhaps in the next round.
     */
    private record Blocks(ReactorFile file) implements ConnectionHandler {
        static final int BYTES = 4_000;
        static final int EACH_ROUND = 8;

        @Override
        public void data(Connection connection, ByteBuffer data) throws IOException {
            if (data.remaining() < 2) {
                return;
            }
            int number = data.get();
            byte round = data.get();
            long position = ((long) round * EACH_ROUND + number) * BYTES;
            ByteBuffer block = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
            while (block.hasRemaining()) {
                block.put(round);
            }
            file.write(
                    connection,
                    block.flip(),
                    position,
                    (writer, written) -> file.sync(
                            writer,
                            false,
                            (syncer, nothing) -> file.read(syncer, block.clear(), position, (reader, count) -> {
                                assertEquals(BYTES, count);
                                assertFalse(block.hasRemaining());
                                assertTrue(block.get(0) == round && block.get(BYTES - 1) == round);
                                reader.write(ByteBuffer.wrap("ok".getBytes()));
                            })));
        }
    }
}
