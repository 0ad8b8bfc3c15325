package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.iouring.ring.KnownFault;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringSqe;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.TestClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@link KnownFault#END_LOST_WHEN_ARMED}. A receive that polls before its first attempt always meets it: it finds the bytes and the
 * end of a connection that was accepted after both had come.
 */
@Timeout(300)
class LostEndTest {
    private final CountDownLatch goOn = new CountDownLatch(1);
    private TestClient blocker;

    private static void pollFirst(ByteBuffer submission) {
        int flags = submission.getShort(IoUringSqe.IOPRIO_OFFSET);
        if (submission.get(IoUringSqe.OPCODE_OFFSET) == IoUring.IORING_OP_RECV
                && (flags & IoUring.IORING_RECV_MULTISHOT) != 0) {
            submission.putShort(IoUringSqe.IOPRIO_OFFSET, (short) (flags | IoUring.IORING_RECVSEND_POLL_FIRST));
        }
    }

    private FaultyServer start() throws IOException {
        FaultyRings rings = new FaultyRings(TestKernel.any()).showSubmissions(LostEndTest::pollFirst);
        return FaultyServer.start(rings, FaultyServer.SMALL, StreamReactor.builder());
    }

    /** Keeps the thread of the pool in a handler. */
    private void block(FaultyServer server) throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        SocketAddress address = server.listen((connection, data) -> {
            data.position(data.limit());
            blocked.countDown();
            goOn.await();
        });
        blocker = TestClient.connect(address).send("x");
        blocked.await();
    }

    private void unblock() throws IOException {
        goOn.countDown();
        blocker.close();
    }

    private static Recorder recorder(StringBuffer received) {
        return new Recorder(new ConnectionHandler() {
            @Override
            public void data(org.cabrank.stream.Connection connection, ByteBuffer data) {
                while (data.hasRemaining()) {
                    received.append((char) data.get());
                }
            }
        });
    }

    @Test
    void resetBehindBytesEndsTheConnection() throws Exception {
        StringBuffer received = new StringBuffer();
        Recorder recorder = recorder(received);
        try (FaultyServer server = start()) {
            SocketAddress address = server.listen(recorder);
            block(server);
            TestClient.connect(address).send("last").reset();
            unblock();
            assertInstanceOf(IOException.class, recorder.awaitClosed());
            server.awaitOnlyListeners(2);
        }
    }

    /** All bytes that came before the end are received before it. */
    @Test
    void endBehindManyBytesOfAUnixSocketEndsTheConnection(@TempDir Path directory) throws Exception {
        StringBuffer received = new StringBuffer();
        Recorder recorder = recorder(received);
        String sent = "0123456789".repeat(1_000); // more than one buffer
        try (FaultyServer server = start()) {
            UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("socket"));
            server.reactor().listen(address, AcceptMode.EXCLUSIVE, () -> recorder);
            block(server);
            SocketChannel channel = SocketChannel.open(address);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, 4 * sent.length());
            TestClient.of(channel).send(sent).close();
            unblock();
            assertNull(recorder.awaitClosed());
            assertEquals(sent, received.toString());
            server.awaitOnlyListeners(2);
        }
    }

    /** A kernel whose trial fails: here because the peer of the trial is not closed. */
    @Test
    void kernelThatLosesEndsReceivesOneByOne() throws Exception {
        AtomicInteger multishot = new AtomicInteger();
        AtomicInteger leftOpen = new AtomicInteger(-1);
        FaultyRings rings = new FaultyRings(TestKernel.any()).showSubmissions(submission -> {
            byte opcode = submission.get(IoUringSqe.OPCODE_OFFSET);
            if (opcode == IoUring.IORING_OP_CLOSE
                    && leftOpen.compareAndSet(-1, submission.getInt(IoUringSqe.FD_OFFSET))) {
                submission.put(IoUringSqe.OPCODE_OFFSET, (byte) IoUring.IORING_OP_NOP);
            }
            if (opcode == IoUring.IORING_OP_RECV
                    && (submission.getShort(IoUringSqe.IOPRIO_OFFSET) & IoUring.IORING_RECV_MULTISHOT) != 0) {
                multishot.incrementAndGet();
            }
        });
        StringBuffer received = new StringBuffer();
        Recorder recorder = recorder(received);
        try (FaultyServer server = FaultyServer.start(rings, FaultyServer.SMALL, StreamReactor.builder())) {
            SocketAddress address = server.listen(recorder);
            int ofTheTrials = multishot.get();
            TestClient client = TestClient.connect(address).send("one");
            Await.until("it has come", () -> received.length() == 3);
            client.send("two");
            Await.until("it has come", () -> received.length() == 6);
            client.endOutput().expectEnd().close();
            assertNull(recorder.awaitClosed());
            assertEquals("onetwo", received.toString());
            String description = server.set().description();
            assertTrue(description.contains("multishot receives of this kernel lose"), description);
            assertTrue(multishot.get() - ofTheTrials <= 2, "only the trials of the ring come so late");
            server.awaitOnlyListeners(1);
        } finally {
            TestKernel.any().close(leftOpen.get());
        }
    }
}
