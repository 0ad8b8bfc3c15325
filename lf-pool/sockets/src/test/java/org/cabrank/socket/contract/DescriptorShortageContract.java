package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.Reference;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Resources;
import org.cabrank.kernel.layout.ResourceLimit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.calls.SocketOps;
import org.cabrank.socket.transport.AcceptPause;
import org.cabrank.socket.transport.DescriptorMessage;
import org.cabrank.stream.DescriptorLimitException;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Out of descriptors in truth: the limit of this process is lowered, and restored whatever happens. */
public abstract class DescriptorShortageContract extends StreamContract {
    private static final long SETTLED_NS = 500_000_000;

    /** Enough for a reactor and two clients. */
    private static final int SPARE = 64;

    private final Kernel kernel = TestKernel.any();

    /** The next reactor that is started is refused its first connection, with an errno that tells of the same shortage. */
    protected abstract void refuseFirstConnection();

    /** Runs the scenario once without a limit, because classes that the JVM loads for the first time need descriptors. */
    @BeforeEach
    void rehearse() throws Exception {
        try (LogCapture log = new LogCapture(AcceptPause.class)) {
            refuseFirstConnection();
            TestReactor reactor = start();
            SocketAddress address = reactor.listen((connection, data) -> connection.write(data));
            // Some kernels refuse a connection by closing that connection.
            try (SocketChannel refused = SocketChannel.open(address)) {
                Await.until(refused + " is refused", () -> !log.warnings().isEmpty());
            }
            client(address).send("x").expect("x").endOutput().expectEnd();
            Await.until("it is closed", () -> reactor.reactor().counters().closed() > 0);
        }
        closeWhatWasOpened();
    }

    @Test
    void acceptingGoesOnWhenADescriptorIsFree() throws Exception {
        try (LogCapture log = new LogCapture(AcceptPause.class)) {
            withFewDescriptors(fillers -> {
                TestReactor reactor = start();
                SocketAddress address = reactor.listen((connection, data) -> connection.write(data));
                TestClient first = client(address).send("x").expect("x");
                first.send("warm").expect("warm");
                SocketChannel unconnected = closing(SocketChannel.open());
                fillUp(fillers);
                unconnected.connect(address);
                unconnected.write(ByteBuffer.wrap(new byte[] {'y'}));
                Await.until("accepting has paused", () -> !log.warnings().isEmpty());
                assertEquals(1, reactor.reactor().counters().opened());
                first.send("still").expect("still");
                assertTrue(log.warnings().get(0).contains("EMFILE"), log.warnings()::toString);
                first.endOutput().expectEnd();
                ByteBuffer answer = ByteBuffer.allocate(1);
                unconnected.read(answer);
                assertEquals('y', answer.get(0));
                assertEquals(1, log.warnings().size(), log.warnings()::toString);
            });
        }
    }

    /** The kernel delivers the bytes without the descriptors (MSG_CTRUNC). */
    @Test
    void passedDescriptorsThatTheProcessMayNotHaveEndTheirConnection() throws Exception {
        assertEquals("A[7]", passOne(null).log()); // classes that the JVM loads for the first time
        withFewDescriptors(fillers -> {
            DescriptorTaker taker = passOne(fillers);
            assertEquals("", taker.log());
        });
    }

    /**
     * Passes a descriptor from a socket of the test, which needs no free descriptor for that, and waits for the outcome.
     *
     * @param fillers is filled so that no descriptor is free; null: some are free
     */
    private DescriptorTaker passOne(List<Integer> fillers) throws Exception {
        DescriptorTaker taker = new DescriptorTaker(kernel);
        Recorder recorder = new Recorder(taker);
        TestReactor reactor = start();
        SocketAddress address = reactor.reactor()
                .listen(
                        UnixSocketContract.ownName("short"),
                        ListenOptions.DEFAULT.withDescriptorsMax(2),
                        () -> recorder)
                .address();
        SocketOps sockets = new SocketOps(kernel);
        int passed = Errno.check("eventfd", kernel.eventfd(7, 0));
        int socket = Errno.check("socket", sockets.streamSocket(address));
        try {
            Errno.check("connect", sockets.connect(socket, address));
            recorder.connection();
            DescriptorMessage message = new DescriptorMessage(kernel, 1);
            ByteBuffer data = ByteBuffer.allocateDirect(1).put(0, (byte) 'A');
            message.prepareSend(kernel.addressOf(data), 1, new int[] {passed});
            if (fillers != null) {
                fillUp(fillers);
            }
            assertEquals(1, kernel.sendmsg(socket, message.address(), 0));
            if (fillers != null) {
                IOException cause = assertInstanceOf(DescriptorLimitException.class, recorder.awaitClosed());
                assertTrue(cause.getMessage().contains("this process may have no more"), cause::getMessage);
            } else {
                Await.until("the descriptor has come", () -> taker.log().endsWith("]")); // written after the byte
            }
            Reference.reachabilityFence(data);
        } finally {
            kernel.close(socket);
            kernel.close(passed);
        }
        return taker;
    }

    private interface Scenario {
        /** @param fillers descriptors that are closed afterwards */
        void run(List<Integer> fillers) throws Exception;
    }

    /** Runs the scenario with a limit that leaves few descriptors. */
    private void withFewDescriptors(Scenario scenario) throws Exception {
        ByteBuffer limit = ByteBuffer.allocateDirect(ResourceLimit.SIZE_BYTES).order(ByteOrder.nativeOrder());
        long limitAddress = kernel.addressOf(limit);
        Errno.check("getrlimit", kernel.getrlimit(Resources.RLIMIT_NOFILE, limitAddress));
        long before = limit.getLong(ResourceLimit.CUR_OFFSET);
        List<Integer> fillers = new ArrayList<>();
        try {
            // Before the reactor listens: a ring's accept request has the limit that there is when the request is made.
            limit.putLong(ResourceLimit.CUR_OFFSET, highest() + SPARE);
            Errno.check("setrlimit", kernel.setrlimit(Resources.RLIMIT_NOFILE, limitAddress));
            scenario.run(fillers);
        } finally {
            limit.putLong(ResourceLimit.CUR_OFFSET, before);
            Errno.check("setrlimit", kernel.setrlimit(Resources.RLIMIT_NOFILE, limitAddress));
            fillers.forEach(kernel::close);
        }
    }

    /** The highest descriptor that is open. */
    private long highest() {
        String[] open = new java.io.File("/proc/self/fd").list();
        long highest = 0;
        for (String fd : open == null ? new String[0] : open) {
            highest = Math.max(highest, Long.parseLong(fd));
        }
        return highest;
    }

    /** Until none is free for a while: another thread of the JVM may have had one open at the first refusal. */
    private void fillUp(List<Integer> fillers) {
        long lastNs = System.nanoTime();
        while (System.nanoTime() - lastNs < SETTLED_NS) {
            int fd = kernel.eventfd(0, 0);
            if (fd >= 0) {
                fillers.add(fd);
                lastNs = System.nanoTime();
            } else {
                assertEquals(-Errno.EMFILE, fd);
            }
        }
    }
}
