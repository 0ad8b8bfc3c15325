package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.FaultyKernel;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** File ranges over rings: from the kernel's cache if they are there, read by the ring if not. */
@Tag("once")
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
class FileSendTest extends StreamContract {
    /** More than the buffers of both sockets take. */
    private static final int LARGE = 12 << 20;

    private static FaultyKernel kernel;

    @TempDir
    Path dir;

    @Parameter
    private ReactorMode mode;

    private byte[] content;
    private Path path;

    static Stream<ReactorMode> modes() {
        return RingModes.over(() -> kernel);
    }

    @Override
    protected ReactorMode mode() {
        return mode;
    }

    @BeforeEach
    void newKernel() {
        kernel = new FaultyKernel(TestKernel.any());
    }

    private ReactorFile open(TestReactor reactor, int bytes) throws IOException {
        content = randomBytes(bytes, bytes);
        path = Files.write(dir.resolve("file"), content);
        return closing(reactor.reactor().openFile(path));
    }

    /** Sends the file between two texts when anything is received. */
    private Recorder sending(ReactorFile file) {
        return new Recorder(new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) throws IOException {
                data.position(data.limit());
                connection.write(Recorder.bytes("<"));
                connection.sendFile(file, 0, content.length);
                connection.write(Recorder.bytes(">"));
            }
        });
    }

    private void expectWhole(int bytes) throws Exception {
        TestReactor reactor = start();
        Recorder recorder = sending(open(reactor, bytes));
        TestClient client = client(reactor.listen(recorder)).send("x").expect("<");
        assertArrayEquals(content, client.read(content.length));
        client.expect(">").endOutput().expectEnd();
        assertEquals(null, recorder.awaitClosed());
    }

    @Test
    void cachedBytesAreSentByTheThreadThatProcesses() throws Exception {
        kernel.plan("sendfile", Plan.first()).plan("preadv2", Plan.first());
        expectWhole(300_000);
        assertTrue(kernel.calls("sendfile") > 0);
        assertEquals(4, kernel.calls("preadv2"), "the first byte, and three ends of up to 128 KiB");
    }

    @Test
    void otherBytesAreReadByTheRing() throws Exception {
        Plan[] plans = {
            Plan.from(1, Integer.MAX_VALUE, -Errno.EAGAIN),
            Plan.from(1, Integer.MAX_VALUE, -Errno.EOPNOTSUPP),
            Plan.from(1, Integer.MAX_VALUE, -Errno.EPERM),
            Plan.from(1, Integer.MAX_VALUE, 0),
        };
        for (Plan plan : plans) {
            kernel.plan("preadv2", plan).plan("sendfile", Plan.first());
            expectWhole(300_000);
            assertTrue(kernel.calls("preadv2") > 0);
            assertEquals(0, kernel.calls("sendfile"));
        }
    }

    @Test
    void cachedAndOtherBytesTakeTurns() throws Exception {
        kernel.plan("preadv2", call -> call % 5 < 2 ? -Errno.EAGAIN : Plan.ASK).plan("sendfile", Plan.first());
        expectWhole(3_000_000);
        assertTrue(kernel.calls("sendfile") > 0);
    }

    @Test
    void shortRefusedAndInterruptedSendsAreFollowedByTheRest() throws Exception {
        Plan[] plans = {
            Plan.first(-Errno.EINTR, Plan.SHORT, -Errno.EINTR, -Errno.EAGAIN),
            Plan.first(-Errno.EAGAIN, -Errno.EAGAIN, Plan.SHORT, -Errno.EAGAIN),
            Plan.first(Plan.SHORT, Plan.SHORT, -Errno.EINVAL),
            Plan.from(1, Integer.MAX_VALUE, -Errno.EINVAL),
            Plan.from(1, Integer.MAX_VALUE, -Errno.ENOSYS),
        };
        for (Plan plan : plans) {
            kernel.plan("sendfile", plan);
            expectWhole(300_000);
            assertTrue(kernel.calls("sendfile") > 0);
        }
    }

    /** The kernel reports room, and sendfile(2) finds none: then the ring sends. */
    @Test
    void roomThatIsReportedInVainEndsInASendFromMemory() throws Exception {
        kernel.plan("sendfile", Plan.from(1, Integer.MAX_VALUE, -Errno.EAGAIN));
        expectWhole(300_000);
        assertEquals(15, kernel.calls("sendfile"), "five for each of three pieces");
    }

    @Test
    void smallRangesAreReadByTheRing() throws Exception {
        kernel.plan("sendfile", Plan.first());
        expectWhole(FileSend.SEND_MIN - 1);
        assertEquals(0, kernel.calls("sendfile"));
        expectWhole(FileSend.SEND_MIN);
        assertTrue(kernel.calls("sendfile") > 0);
    }

    @Test
    void fileThatCannotBeReadClosesTheConnectionWithTheReason() throws Exception {
        kernel.plan("sendfile", Plan.first(-Errno.EIO));
        TestReactor reactor = start();
        Recorder recorder = sending(open(reactor, 100_000));
        client(reactor.listen(recorder)).send("x").readAndForget();
        String message = recorder.awaitClosed().getMessage();
        assertTrue(
                message.contains("sendfile of " + path) && message.contains("EIO") && message.contains("connection"),
                message);
    }

    private static long workers() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.filter(thread -> {
                        try {
                            return Files.readString(thread.resolve("comm")).startsWith("iou-wrk");
                        } catch (IOException ended) {
                            return false;
                        }
                    })
                    .count();
        }
    }

    @Test
    void peersThatDoNotReadHoldNoThread() throws Exception {
        TestReactor reactor = start();
        ReactorFile file = open(reactor, LARGE);
        List<Recorder> recorders = new CopyOnWriteArrayList<>();
        var address = reactor.listen(() -> {
            Recorder recorder = sending(file);
            recorders.add(recorder);
            return recorder;
        });
        long before = workers();
        List<TestClient> slow = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            slow.add(closing(TestClient.connectToReadLittle(address)).send("x").expect("<"));
        }
        Await.until(
                "all have something queued",
                () -> recorders.size() == slow.size()
                        && recorders.stream()
                                .allMatch(recorder -> recorder.connectionNow().queuedBytes() > 0));
        var echo = reactor.listen((connection, data) -> connection.write(data));
        client(echo).send("served").expect("served");
        assertTrue(workers() <= before, () -> "threads of the kernel");
        for (TestClient client : slow) {
            assertArrayEquals(content, client.read(LARGE));
            client.expect(">");
        }
    }
}
