package org.cabrank.bench.hshr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.handler.BusyWork;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadResult;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
@NewestJdk
final class HalfSyncHalfReactiveServerTest {

    private static final long RUN_NS = 500_000_000L;

    /** A busy machine answers nobody for a while. */
    private static final long PATIENCE_NS = 20_000_000_000L;

    private static final HandlerWork SOMETIMES_SLOW = new HandlerWork(BusyWork.NONE, new SlowRequests(100, 1_000_000));
    private static final HandlerWork ALWAYS_SLOW = new HandlerWork(BusyWork.NONE, new SlowRequests(1_000, 2_000_000));

    private static HalfSyncHalfReactiveServer start(int workers, int capacity, HandlerWork work) throws Exception {
        return start(Kernels.system(), workers, capacity, work);
    }

    private static HalfSyncHalfReactiveServer start(Kernel kernel, int workers, int capacity, HandlerWork work)
            throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return HalfSyncHalfReactiveServer.start(kernel, any, 1_024, workers, capacity, work);
    }

    private static LoadResult load(HalfSyncHalfReactiveServer server, int connections, boolean randomChunks)
            throws Exception {
        LoadSettings settings = new LoadSettings(
                server.address(),
                randomChunks ? LoadTraffic.randomChunks(connections) : LoadTraffic.pingPong(connections, 64),
                1,
                PATIENCE_NS);
        LoadGenerator generator = LoadGenerator.start(Kernels.system(), settings, () -> {});
        generator.awaitConnected();
        generator.beginMeasuring();
        boolean goesOn;
        do { // a busy machine answers nobody for a while; the time-out of the test bounds it
            goesOn = generator.run(RUN_NS);
            generator.endMeasuring();
        } while (generator.measuredBytes() == 0 && goesOn);
        return generator.finish();
    }

    @Test
    void chunksOfManyConnectionsComeBackInOrderThoughHandlersAreSlow() throws Exception {
        try (HalfSyncHalfReactiveServer server = start(4, 1_024, SOMETIMES_SLOW)) {
            LoadResult result = load(server, 50, true);
            assertEquals(Map.of(), result.errors());
            assertTrue(result.bytes() > 0);
        }
    }

    @Test
    void aFullQueueHoldsUpTheSendersAndLosesNothing() throws Exception {
        try (HalfSyncHalfReactiveServer server = start(2, 2, ALWAYS_SLOW)) {
            LoadResult result = load(server, 40, false);
            assertEquals(Map.of(), result.errors());
            assertTrue(server.queueFullCount() > 0, "the queue was never full");
        }
    }

    @Test
    void anAnswerThatTheSocketDoesNotTakeIsSentWhenItDoes() throws Exception {
        byte[] request = new byte[8 << 20];
        new Random(1).nextBytes(request);
        try (HalfSyncHalfReactiveServer server = start(2, 1_024, HandlerWork.NONE);
                Socket peer = new Socket(
                        InetAddress.getLoopbackAddress(), server.address().getPort())) {
            Thread sender = new Thread(() -> send(peer, request));
            sender.start();
            // Nothing is read before both directions are full, as far as can be seen from here.
            while (bytesToBeRead(peer) == 0 || !quiet(peer)) {
                Thread.onSpinWait();
            }
            assertArrayEquals(request, peer.getInputStream().readNBytes(request.length));
            sender.join();
        }
    }

    private static void send(Socket peer, byte[] bytes) {
        try {
            peer.getOutputStream().write(bytes);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static int bytesToBeRead(Socket peer) throws IOException {
        return peer.getInputStream().available();
    }

    /** Nothing has come for a while. */
    private static boolean quiet(Socket peer) throws IOException {
        int before = bytesToBeRead(peer);
        long start = System.nanoTime();
        while (System.nanoTime() - start < 100_000_000L) {
            Thread.onSpinWait();
        }
        return bytesToBeRead(peer) == before;
    }

    @Test
    void aPeerThatEndsItsOutputGetsItsAnswerFirst() throws Exception {
        try (HalfSyncHalfReactiveServer server = start(2, 1_024, ALWAYS_SLOW);
                Socket peer = new Socket(
                        InetAddress.getLoopbackAddress(), server.address().getPort())) {
            peer.getOutputStream().write(new byte[] {1, 2, 3});
            peer.shutdownOutput();
            assertArrayEquals(new byte[] {1, 2, 3}, peer.getInputStream().readAllBytes());
        }
    }

    @Test
    void closingAnswersWhatWasRead() throws Exception {
        HandlerWork slow = new HandlerWork(BusyWork.NONE, new SlowRequests(1_000, 200_000_000));
        CountDownLatch read = new CountDownLatch(3);
        Kernel kernel = new ForwardingKernel(Kernels.system()) {
            @Override
            public int recv(int fd, long address, int length, int flags) {
                int count = super.recv(fd, address, length, flags);
                if (count > 0) {
                    read.countDown();
                }
                return count;
            }
        };
        HalfSyncHalfReactiveServer server = start(kernel, 1, 1_024, slow);
        List<Socket> peers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Socket peer = new Socket(
                    InetAddress.getLoopbackAddress(), server.address().getPort());
            peer.getOutputStream().write(i);
            peers.add(peer);
        }
        read.await();
        server.close();
        for (int i = 0; i < 3; i++) {
            assertEquals(i, peers.get(i).getInputStream().read());
            assertEquals(-1, peers.get(i).getInputStream().read());
        }
        for (Socket peer : peers) {
            peer.close();
        }
    }

    @Test
    void connectionsThatAreResetWhileTheirRequestsWaitHarmNobody() throws Exception {
        long before = descriptors();
        try (HalfSyncHalfReactiveServer server = start(2, 1_024, SOMETIMES_SLOW)) {
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < 10; i++) {
                    try (Socket peer = new Socket(
                            InetAddress.getLoopbackAddress(), server.address().getPort())) {
                        peer.setSoLinger(true, 0);
                        peer.getOutputStream().write(new byte[100]);
                    }
                }
            }
            LoadResult result = load(server, 4, false);
            assertEquals(Map.of(), result.errors());
        }
        long left = descriptors();
        assertTrue(left <= before, left + " descriptors are open, and were " + before); // fewer: an earlier test's
    }

    /** Number of descriptors, without those of files, because the JVM opens a jar when it first needs a class of it. */
    private static long descriptors() throws IOException {
        try (Stream<Path> fds = Files.list(Path.of("/proc/self/fd"))) {
            return fds.filter(fd -> !opened(fd).startsWith("/")).count();
        }
    }

    private static String opened(Path fd) {
        try {
            return Files.readSymbolicLink(fd).toString();
        } catch (IOException closedMeanwhile) {
            return "/";
        }
    }
}
