package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.KernelException;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.FaultyKernel;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls on connections that are interrupted, come short or fail, in every kind of pool. */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
@Tag("newest") // on an older JDK in a soak only
class FaultyKernelTest extends StreamContract {
    private static FaultyKernel kernel;

    @TempDir
    Path dir;

    @Parameter
    ReactorMode mode;

    static Stream<ReactorMode> modes() {
        return EpollModes.over(() -> kernel);
    }

    FaultyKernelTest() {
        kernel = new FaultyKernel(TestKernel.any());
    }

    @Override
    protected ReactorMode mode() {
        return mode;
    }

    @AfterEach
    void nothingIsClosedTwice() throws Exception {
        closeWhatWasOpened();
        assertEquals(0, kernel.closedTwice());
    }

    private Recorder echo() {
        return new Recorder((connection, data) -> connection.write(data));
    }

    @ParameterizedTest
    @ValueSource(strings = {"accept4", "recv", "send", "epoll_wait", "write", "close"})
    void interruptedCallIsMadeAgainOrNeedsNotBe(String call) throws Exception {
        kernel.plan(call, Plan.everySecond(-Errno.EINTR));
        Recorder recorder = echo();
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(recorder);
        byte[] sent = randomBytes(300_000, 1);
        TestClient client = client(address);
        int answers = 0;
        do {
            recorder.connection().write(ByteBuffer.allocate(1));
            client.read(1);
            answers++;
            // A wake-up is written only for a thread that sleeps in its wait, which after an answer it soon does.
        } while (call.equals("write") && kernel.calls(call) == 0 && answers < 100_000);
        client.send(sent);
        assertArrayEquals(sent, client.read(sent.length));
        client.endOutput().expectEnd();
        assertNull(recorder.awaitClosed());
        reactor.close();
        assertTrue(kernel.calls(call) > 0, "the call was made");
        assertEquals(0, reactor.failureCount());
    }

    /** For want of memory, every second time: no byte is lost, and the refusals are counted. */
    @ParameterizedTest
    @ValueSource(ints = {Errno.ENOMEM, Errno.EAGAIN, Errno.EBUSY, Errno.ENOBUFS})
    void waitThatIsRefusedForNowIsTriedAgain(int errno) throws Exception {
        kernel.plan("epoll_wait", Plan.everySecond(-errno));
        kernel.plan("epoll_pwait2", Plan.everySecond(-errno));
        TestReactor reactor = start();
        byte[] sent = randomBytes(300_000, 1);
        TestClient client = client(reactor.listen(echo())).send(sent);
        assertArrayEquals(sent, client.read(sent.length));
        client.endOutput().expectEnd();
        assertTrue(reactor.reactor().pools().stream()
                .flatMap(pool -> pool.handleSets().stream())
                .anyMatch(set -> set.kernelRetryCount() > 0));
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void interruptedConnectGoesOnByItself() throws Exception {
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(echo());
        kernel.plan("connect", Plan.first(-Errno.EINTR));
        Recorder caller = new Recorder((connection, data) -> connection.close());
        reactor.reactor().connect(address, caller).get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        caller.connection().write(Recorder.bytes("x"));
        assertNull(caller.awaitClosed());
        assertEquals(1, caller.count("data"));
    }

    /** Bytes that the socket does not take at first are sent in order once it takes more. */
    @Test
    void sendThatMeetsAFullSocketInItsMiddleLosesNothing() throws Exception {
        kernel.plan("send", Plan.first(Plan.SHORT, Plan.SHORT, -Errno.EAGAIN, -Errno.EAGAIN));
        byte[] answer = randomBytes(3_000, 2);
        Recorder recorder = new Recorder((connection, data) -> {
            if (data.get() == '1') {
                connection.write(ByteBuffer.wrap(answer));
            }
        });
        TestClient client = client(serve(recorder)).send("1");
        assertArrayEquals(Arrays.copyOf(answer, 2), client.read(2));
        // The socket was not full in truth, so it never becomes writable: the next byte of input brings the edge.
        // One by one: bytes that come together bring one edge, and the fourth send is refused as well.
        Await.until("the third send was refused", () -> kernel.calls("send") >= 3);
        client.send("2");
        Await.until("so was the fourth", () -> kernel.calls("send") >= 4);
        client.send("3");
        assertArrayEquals(Arrays.copyOfRange(answer, 2, 3_000), client.read(2_998));
    }

    private Recorder sendingFile(TestReactor reactor, byte[] content) throws Exception {
        ReactorFile file = closing(reactor.reactor().openFile(Files.write(dir.resolve("file"), content)));
        return new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.write(Recorder.bytes("<"));
            connection.sendFile(file, 0, content.length);
            connection.write(Recorder.bytes(">"));
        });
    }

    /** Interrupted, short and refused in the middle, where the file is read in pieces from then on. */
    @Test
    void fileArrivesWholeThoughTheKernelInterruptsSendsLittleOrRefuses() throws Exception {
        byte[] content = randomBytes(300_000, 7);
        Plan[] plans = {
            Plan.everySecond(-Errno.EINTR),
            Plan.first(Plan.SHORT, Plan.SHORT, -Errno.EINTR, Plan.SHORT),
            Plan.first(Plan.SHORT, Plan.SHORT, -Errno.EINVAL),
            Plan.from(1, Integer.MAX_VALUE, -Errno.EINVAL),
            Plan.from(1, Integer.MAX_VALUE, -Errno.ENOSYS),
        };
        for (Plan plan : plans) {
            kernel.plan("sendfile", plan).plan("pread", Plan.first(Plan.SHORT, -Errno.EINTR));
            TestReactor reactor = start();
            Recorder recorder = sendingFile(reactor, content);
            TestClient client = client(reactor.listen(recorder)).send("x").expect("<");
            assertArrayEquals(content, client.read(content.length));
            client.expect(">").endOutput().expectEnd();
            assertNull(recorder.awaitClosed());
            assertTrue(kernel.calls("sendfile") > 0);
        }
    }

    @Test
    void fileThatCannotBeReadClosesTheConnectionWithTheReason() throws Exception {
        kernel.plan("sendfile", Plan.first(-Errno.EIO)).plan("pread", Plan.first(-Errno.EIO));
        for (String call : new String[] {"sendfile of ", "reading "}) {
            TestReactor reactor = start();
            Recorder recorder = sendingFile(reactor, new byte[100]);
            client(reactor.listen(recorder)).send("x").readAndForget();
            String message = recorder.awaitClosed().getMessage();
            assertTrue(message.contains(call) && message.contains("EIO") && message.contains("file"), message);
            kernel.plan("sendfile", Plan.first(-Errno.EINVAL));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 99})
    void shortSendsAreFollowedByTheRest(int shortOnes) throws Exception {
        kernel.plan("send", Plan.from(1, shortOnes, Plan.SHORT));
        byte[] sent = randomBytes(100, 3);
        TestClient client = client(serve(echo())).send(sent);
        assertArrayEquals(sent, client.read(sent.length));
        for (int i = 0; i < shortOnes; i++) {
            assertEquals(100 - i, kernel.sentCounts().get(i));
        }
    }

    @Test
    void shortReceivesAreFollowedByTheRest() throws Exception {
        // A short receive means that there is no more, so a kernel that gives less must report it with an edge, or the
        // end.
        kernel.plan("recv", Plan.from(1, 50, Plan.SHORT));
        byte[] sent = randomBytes(100, 4);
        TestClient client = client(serve(echo()));
        client.send(sent).endOutput();
        assertArrayEquals(sent, client.readToEnd());
    }

    @Test
    void fullSocketIsWaitedFor() throws Exception {
        byte[] sent = randomBytes(6 << 20, 5);
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            for (int at = 0; at < sent.length; at += 1 << 20) {
                connection.write(ByteBuffer.wrap(sent, at, 1 << 20));
            }
        });
        TestReactor reactor =
                start(StreamReactor.builder().limits(StreamLimits.DEFAULT.withQueue(1 << 10, 2 << 10, 8 << 20)));
        TestClient client = closing(TestClient.connectToReadLittle(reactor.listen(recorder)));
        assertArrayEquals(sent, client.send("go").read(sent.length));
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.ECONNRESET, Errno.ETIMEDOUT, Errno.EPIPE, Errno.EHOSTUNREACH, Errno.EIO})
    void failedReceiveEndsTheConnectionWithItsErrno(int errno) throws Exception {
        kernel.plan("recv", Plan.first(-errno));
        Recorder recorder = echo();
        SocketAddress address = serve(recorder);
        client(address).send("x").expectReset();
        assertErrno(errno, recorder.awaitClosed());
        client(address).send("y").expect("y");
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.ECONNRESET, Errno.ETIMEDOUT, Errno.EPIPE, Errno.EHOSTUNREACH, Errno.ENOMEM})
    void failedSendEndsTheConnectionWithItsErrno(int errno) throws Exception {
        kernel.plan("send", Plan.first(-errno));
        Recorder recorder = echo();
        SocketAddress address = serve(recorder);
        client(address).send("x").endOutput().expectEnd(); // the connection lasts as long as the peer may send
        assertErrno(errno, recorder.awaitClosed());
        assertEquals(1, recorder.count("closed"));
        client(address).send("y").expect("y");
    }

    private static void assertErrno(int errno, Throwable cause) {
        assertTrue(
                cause instanceof KernelException failed && failed.errno() == errno,
                () -> Errno.name(errno) + " expected, but was " + cause);
    }

    @Test
    void failedShutdownEndsTheConnection() throws Exception {
        kernel.plan("shutdown", Plan.first(-Errno.ENOBUFS));
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.shutdownOutput();
        });
        client(serve(recorder)).send("x").expectEnd();
        assertErrno(Errno.ENOBUFS, recorder.awaitClosed());
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EINTR, Errno.EIO})
    void failedCloseIsNotRepeated(int errno) throws Exception {
        kernel.plan("close", call -> -errno);
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(echo());
        for (int i = 0; i < 5; i++) {
            client(address).send("x").expect("x").endOutput().expectEnd();
        }
        reactor.awaitClosed(5);
        reactor.close();
        assertEquals(5 + 1 + 2 * mode.shards(), kernel.calls("close"), "connections, listener, eventfds, epolls");
    }

    @Test
    void connectionThatEpollRefusesIsClosedAndTheOthersAreServed() throws Exception {
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(echo());
        for (int errno : new int[] {Errno.ENOSPC, Errno.ENOMEM}) {
            kernel.plan("epoll_ctl add", Plan.first(-errno));
            client(address).expectEnd();
            client(address).send("x").expect("x");
        }
        Await.until("both are logged, while other threads accept", () -> reactor.failureCount() == 2);
        assertEquals(2, reactor.reactor().counters().opened());
    }
}
