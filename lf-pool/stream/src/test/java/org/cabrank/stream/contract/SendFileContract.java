package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
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
import org.cabrank.stream.WriteCompletion;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.transport.OffloadedFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranges of files that connections send. */
public abstract class SendFileContract extends StreamContract {
    /** More than the buffers of both sockets take. */
    private static final int LARGE = 8 << 20;

    private static final int RANGES_MAX = 1_024;

    @TempDir
    Path dir;

    private final List<String> events = new CopyOnWriteArrayList<>();

    private byte[] content;

    private ReactorFile open(TestReactor reactor, int bytes) throws IOException {
        content = randomBytes(bytes, bytes);
        return closing(reactor.reactor().openFile(Files.write(dir.resolve("file"), content)));
    }

    private static void awaitReleased(ReactorFile file) {
        Await.until("no range is under way", () -> ((OffloadedFile) file).underWay() == 0);
    }

    private interface Sending {
        void send(Connection connection) throws Exception;
    }

    /** Sends when anything is received, and notes the end. */
    private Recorder sending(Sending sending) {
        return new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) throws Exception {
                data.position(data.limit());
                sending.send(connection);
            }
        });
    }

    private byte[] range(int from, int count) {
        return Arrays.copyOfRange(content, from, from + count);
    }

    @Test
    void wholeFileIsSentInOrderWithWrites() throws Exception {
        TestReactor reactor = start();
        ReactorFile file = open(reactor, 1_000_000);
        Recorder recorder = sending(connection -> {
            connection.write(Recorder.bytes("before"));
            connection.sendFile(file, 0, content.length);
            connection.write(Recorder.bytes("between"));
            connection.sendFile(file, 0, content.length);
            connection.write(Recorder.bytes("behind"));
            connection.whenWritten((own, failure) -> events.add("written " + failure));
        });
        TestClient client = client(reactor.listen(recorder));
        for (int i = 0; i < 3; i++) {
            client.send("x").expect("before");
            assertArrayEquals(content, client.read(content.length));
            client.expect("between");
            assertArrayEquals(content, client.read(content.length));
            client.expect("behind");
        }
        awaitReleased(file);
        Await.until("all is written", () -> events.size() == 3);
        assertEquals(List.of("written null", "written null", "written null"), events);
        assertEquals(0, recorder.overlaps());
    }

    @Test
    void rangesAreSentAsTheyWereAskedFor() throws Exception {
        TestReactor reactor = start();
        ReactorFile file = open(reactor, 300_000);
        int[][] ranges = {{0, 0}, {0, 1}, {299_999, 1}, {1, 4_096}, {4_095, 130_000}, {300_000, 0}, {0, 300_000}};
        Recorder recorder = sending(connection -> {
            for (int[] range : ranges) {
                connection.sendFile(file, range[0], range[1]);
            }
            connection.write(Recorder.bytes("end"));
        });
        TestClient client = client(reactor.listen(recorder)).send("x");
        for (int[] range : ranges) {
            assertArrayEquals(range(range[0], range[1]), client.read(range[1]));
        }
        client.expect("end");
        awaitReleased(file);
    }

    @Test
    void nonsenseIsRefusedAndSendsNothing() throws Exception {
        TestReactor reactor = start();
        ReactorFile file = open(reactor, 100);
        ReactorFile closed = reactor.reactor().openFile(dir.resolve("file"));
        closed.close();
        Recorder recorder = sending(connection -> {
            assertThrows(IllegalArgumentException.class, () -> connection.sendFile(file, -1, 1));
            assertThrows(IllegalArgumentException.class, () -> connection.sendFile(file, 0, -1));
            assertThrows(IllegalArgumentException.class, () -> connection.sendFile(file, Long.MAX_VALUE, 1));
            assertThrows(NullPointerException.class, () -> connection.sendFile(null, 0, 1));
            assertThrows(ClosedChannelException.class, () -> connection.sendFile(closed, 0, 1));
            connection.write(Recorder.bytes("sound"));
        });
        client(reactor.listen(recorder)).send("x").expect("sound");
        assertEquals(0, ((OffloadedFile) file).underWay());
    }

    @Test
    void slowReaderGetsALargeFileAndCompletionsTell() throws Exception {
        TestReactor reactor = start();
        ReactorFile file = open(reactor, LARGE);
        Recorder recorder = sending(connection -> {
            connection.write(Recorder.bytes("head"));
            connection.sendFile(file, 0, LARGE);
            connection.whenWritten((own, failure) -> events.add("file " + failure));
            connection.write(Recorder.bytes("tail"));
            connection.whenWritten((own, failure) -> events.add("tail " + failure));
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("x").expect("head");
        Await.until("bytes wait", () -> recorder.connectionNow().queuedBytes() > 0);
        assertEquals(List.of(), events);
        assertArrayEquals(range(0, LARGE / 2), client.read(LARGE / 2));
        file.close();
        assertArrayEquals(range(LARGE / 2, LARGE / 2), client.read(LARGE / 2));
        client.expect("tail");
        Await.until("both are written", () -> events.size() == 2);
        assertEquals(List.of("file null", "tail null"), events);
        awaitReleased(file);
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void waitingFilesCountForWatermarksButNotForTheQueueLimit() throws Exception {
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(32 << 10, 128 << 10, 256 << 10)));
        ReactorFile file = open(reactor, LARGE);
        CompletableFuture<Long> queued = new CompletableFuture<>();
        Recorder recorder = sending(connection -> {
            connection.sendFile(file, 0, LARGE);
            connection.sendFile(file, 0, LARGE);
            connection.write(ByteBuffer.allocate(1_000));
            assertFalse(connection.isWritable());
            queued.complete(connection.queuedBytes());
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("x");
        long waiting = queued.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        assertTrue(waiting > LARGE, "queued: " + waiting);
        assertEquals(0, recorder.count("writable"));
        client.read(2 * LARGE + 1_000);
        Await.until("the handler is notified", () -> recorder.count("writable") > 0);
        Await.until("nothing is queued", () -> recorder.connectionNow().queuedBytes() == 0);
        assertTrue(recorder.connectionNow().isWritable());
    }

    @Test
    void rangesThatWaitAreBounded() throws Exception {
        TestReactor reactor = start();
        ReactorFile file = open(reactor, LARGE);
        CompletableFuture<WriteQueueFullException> refusal = new CompletableFuture<>();
        Recorder recorder = sending(connection -> {
            connection.sendFile(file, 0, LARGE);
            for (int i = 1; i < RANGES_MAX; i++) {
                connection.sendFile(file, i, 1);
            }
            refusal.complete(assertThrows(WriteQueueFullException.class, () -> connection.sendFile(file, 0, 1)));
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("x");
        WriteQueueFullException refused = refusal.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        assertTrue(refused.mayRetry());
        assertTrue(refused.getMessage().contains("1024 ranges"), refused.getMessage());
        assertThrows(WriteQueueFullException.class, () -> recorder.connection().sendFile(file, 0, 1));
        assertArrayEquals(content, client.read(LARGE));
        assertArrayEquals(range(1, RANGES_MAX - 1), client.read(RANGES_MAX - 1));
        Await.until("the handler is notified", () -> recorder.count("writable") > 0);
        awaitReleased(file);
        recorder.connection().sendFile(file, 7, 3);
        assertArrayEquals(range(7, 3), client.read(3));
    }

    @Test
    void truncatedFileClosesTheConnectionWithAMessage() throws Exception {
        TestReactor reactor = start();
        ReactorFile file = open(reactor, LARGE);
        Recorder recorder = sending(connection -> {
            connection.sendFile(file, 0, LARGE);
            connection.whenWritten((own, failure) -> events.add(failure.getMessage()));
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("x");
        assertArrayEquals(range(0, 1_000), client.read(1_000));
        try (FileChannel truncated = FileChannel.open(dir.resolve("file"), StandardOpenOption.WRITE)) {
            truncated.truncate(1_000);
        }
        client.readAndForget();
        Throwable cause = recorder.awaitClosed();
        assertInstanceOf(IOException.class, cause);
        assertTrue(cause.getMessage().contains("truncated"), cause.getMessage());
        assertTrue(cause.getMessage().contains(dir.resolve("file").toString()), cause.getMessage());
        assertEquals(List.of(cause.getMessage()), events);
        awaitReleased(file);
    }

    @Test
    void rangeBeyondTheEndOfAFileClosesTheConnection() throws Exception {
        TestReactor reactor = start();
        ReactorFile file = open(reactor, 10);
        Recorder recorder = sending(connection -> connection.sendFile(file, 5, 6));
        client(reactor.listen(recorder)).send("x").readAndForget();
        assertInstanceOf(IOException.class, recorder.awaitClosed());
        awaitReleased(file);
    }

    @Test
    void fileThatIsNotOpenForReadingClosesTheConnection() throws Exception {
        TestReactor reactor = start();
        open(reactor, 10);
        ReactorFile file = closing(reactor.reactor().openFile(dir.resolve("file"), StandardOpenOption.WRITE));
        Recorder recorder = sending(connection -> connection.sendFile(file, 0, 10));
        client(reactor.listen(recorder)).send("x").readAndForget();
        IOException cause = assertInstanceOf(IOException.class, recorder.awaitClosed());
        assertTrue(cause.getMessage().contains("EBADF"), cause.getMessage());
        awaitReleased(file);
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(each -> {
                        try {
                            return Files.readSymbolicLink(each).toString().contains("abandoned");
                        } catch (IOException gone) {
                            return false;
                        }
                    })
                    .count();
        }
    }

    @Test
    void abortAndResetMidwayLeaveNoDescriptorBehind() throws Exception {
        TestReactor reactor = start();
        content = randomBytes(LARGE, 5);
        Path path = Files.write(dir.resolve("abandoned"), content);
        for (int round = 0; round < 4; round++) {
            ReactorFile file = reactor.reactor().openFile(path);
            CountDownLatch asked = new CountDownLatch(1);
            Recorder recorder = sending(connection -> {
                connection.sendFile(file, 0, LARGE);
                connection.sendFile(file, 1, LARGE - 1);
                connection.whenWritten((own, failure) -> events.add(failure == null ? "sent" : "failed"));
                asked.countDown();
            });
            TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
            client.send("x").read(100_000 * round);
            asked.await();
            file.close();
            assertEquals(1, descriptors());
            if (round % 2 == 0) {
                recorder.connection().abort();
            } else {
                client.reset();
            }
            recorder.awaitClosed();
            awaitReleased(file);
            Await.until("the descriptor is closed", () -> {
                try {
                    return descriptors() == 0;
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
        }
        assertEquals(List.of("failed", "failed", "failed", "failed"), events);
    }

    @Test
    void closeSendsTheFileFirstAndDropsWhatComesBehind() throws Exception {
        TestReactor reactor = start();
        ReactorFile file = open(reactor, LARGE);
        Recorder recorder = sending(connection -> {
            connection.sendFile(file, 0, LARGE);
            connection.write(Recorder.bytes("last"));
            connection.close();
            connection.sendFile(file, 0, LARGE);
            connection.write(Recorder.bytes("dropped"));
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("x");
        byte[] all = client.readToEnd();
        assertEquals(LARGE + 4, all.length);
        assertArrayEquals(content, Arrays.copyOf(all, LARGE));
        client.endOutput();
        assertEquals(null, recorder.awaitClosed());
        awaitReleased(file);
    }

    @Test
    void otherThreadsSendFilesInTheOrderOfTheirCalls() throws Exception {
        TestReactor reactor = start();
        ReactorFile file = open(reactor, 200_000);
        Recorder recorder = new Recorder();
        TestClient client = client(reactor.listen(recorder));
        Connection connection = recorder.connection();
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int i = 0; i < 50; i++) {
            String text = "<" + i + ">";
            connection.write(Recorder.bytes(text));
            expected.write(text.getBytes(StandardCharsets.ISO_8859_1));
            connection.sendFile(file, i, 1_000L * i);
            expected.write(range(i, 1_000 * i));
        }
        CompletableFuture<Void> written = WriteCompletion.future(connection);
        assertArrayEquals(expected.toByteArray(), client.read(expected.size()));
        written.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        awaitReleased(file);
        client.endOutput().expectEnd();
        recorder.awaitClosed();
        connection.sendFile(file, 0, 10); // dropped, as a write is
        assertEquals(0, ((OffloadedFile) file).underWay());
    }

    /** Answers of many connections from one file, while other threads write. */
    @Test
    void manyConnectionsSendOneFileWhileOthersWrite() throws Exception {
        TestReactor reactor = start();
        ReactorFile file = open(reactor, 400_000);
        List<Recorder> recorders = new CopyOnWriteArrayList<>();
        AtomicInteger asked = new AtomicInteger();
        var address = reactor.listen(() -> {
            Recorder recorder = sending(connection -> {
                connection.sendFile(file, 0, 400_000);
                asked.incrementAndGet();
            });
            recorders.add(recorder);
            return recorder;
        });
        for (int round = 0; round < 3; round++) {
            TestClient[] clients = new TestClient[8];
            for (int i = 0; i < clients.length; i++) {
                clients[i] = client(address).send("x");
            }
            Await.until("all have asked", () -> asked.get() == clients.length);
            asked.set(0);
            for (Recorder recorder : recorders) {
                recorder.connectionNow().write(Recorder.bytes("tail"));
            }
            for (TestClient client : clients) {
                assertArrayEquals(content, client.read(content.length));
                client.expect("tail").endOutput().expectEnd();
            }
            recorders.clear();
        }
        awaitReleased(file);
    }

    @Test
    void fileThatTheKernelCannotSendIsReadInPieces() throws Exception {
        TestReactor reactor = start();
        Path status = Path.of("/proc/self/limits");
        int count = Files.readAllBytes(status).length;
        ReactorFile file = closing(reactor.reactor().openFile(status));
        Recorder recorder = sending(connection -> connection.sendFile(file, 0, count));
        TestClient client = client(reactor.listen(recorder));
        for (int i = 0; i < 2; i++) {
            String text = new String(client.send("x").read(count), StandardCharsets.UTF_8);
            assertTrue(text.startsWith("Limit "), text);
        }
    }

    @Test
    void fileOfAnotherFileSystemIsReadInPieces() throws Exception {
        TestReactor reactor = start();
        content = randomBytes(500_000, 9);
        Path archive = dir.resolve("archive.zip");
        try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
            Files.write(zip.getPath("entry"), content);
        }
        try (FileSystem zip = FileSystems.newFileSystem(archive)) {
            ReactorFile file = closing(reactor.reactor().openFile(zip.getPath("entry")));
            Recorder recorder = sending(connection -> connection.sendFile(file, 0, content.length));
            TestClient client = client(reactor.listen(recorder)).send("x");
            assertArrayEquals(content, client.read(content.length));
            awaitReleased(file);
            file.close();
        }
    }

    @Test
    void fileIsSentInAnotherShardAfterAMove() throws Exception {
        TestReactor reactor = start(StreamReactor.builder().shards(2));
        ReactorFile file = open(reactor, LARGE);
        CompletableFuture<CompletableFuture<Boolean>> moved = new CompletableFuture<>();
        Recorder recorder = sending(connection -> {
            connection.sendFile(file, 0, LARGE);
            moved.complete(connection.moveTo(1 - connection.shard()));
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("x");
        assertArrayEquals(content, client.read(LARGE));
        assertTrue(moved.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS).get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        recorder.connection().sendFile(file, 1, 10);
        assertArrayEquals(range(1, 10), client.read(10));
    }

    @Test
    void offloadedWorkAndFilesTakeTurns() throws Exception {
        LaterExecutor later = new LaterExecutor();
        TestReactor reactor = start();
        ReactorFile file = open(reactor, LARGE);
        Recorder recorder = sending(connection -> {
            connection.sendFile(file, 0, LARGE);
            connection.offload(later, () -> "done", (own, text) -> own.write(Recorder.bytes(text)));
        });
        TestClient client = closing(mode().connectToReadLittle(reactor.listen(recorder)));
        client.send("x").read(1);
        later.doNext();
        assertArrayEquals(range(1, LARGE - 1), client.read(LARGE - 1));
        client.expect("done");
        awaitReleased(file);
    }
}
