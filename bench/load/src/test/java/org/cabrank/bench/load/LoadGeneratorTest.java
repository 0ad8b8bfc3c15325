package org.cabrank.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoublePredicate;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The generator against servers that do wrong: it has to notice, and to name it. */
@Timeout(300)
final class LoadGeneratorTest {

    private static final long RUN_NS = 300_000_000L;
    /** Timeout in ns of a generator that must detect a missing answer. */
    private static final long TIMEOUT_NS = 500_000_000L;

    /** Timeout in ns of other generators: a busy machine may be unresponsive for a while. */
    private static final long PATIENCE_NS = 20_000_000_000L;

    /** Named bound: how often an interval is measured that a busy machine may have spoilt, each time for twice as long. */
    private static final int INTERVALS_MAX = 5;

    private static final DoublePredicate ANY_RATE = perSecond -> true;

    private static final int SIZE = 16;

    /** Time in ns before latencies count; 0: latencies count at once. */
    private long latencyDelayNs;

    /** The first interval has begun. */
    private final CountDownLatch measuring = new CountDownLatch(1);

    /** In answers per second, since the first interval began: what was late in one of them comes in the next. */
    private double answersRate;

    private String firstWrongAnswer;

    private interface Answer {
        /** Answers requests on {@code client} until it is closed. */
        void to(Socket client) throws IOException;
    }

    @Test
    void aServerThatAnswersRightHasNoErrors() throws Exception {
        LoadResult result = against(LoadGeneratorTest::echo, 0, false, PATIENCE_NS, perSecond -> perSecond > 0);
        assertEquals(Map.of(), result.errors());
        assertTrue(result.answers() > 0);
        // One counter is read after the other while answers come: at both ends one may lie between.
        assertEquals((double) result.answers() * SIZE, result.bytes(), SIZE);
    }

    /** The server answers only earlier requests during the delay; the histogram has only later answers. */
    @Test
    void latenciesInTheDelayDoNotCount() throws Exception {
        latencyDelayNs = RUN_NS;
        LoadResult result = against(LoadGeneratorTest::echo, 0, false, PATIENCE_NS, perSecond -> perSecond > 0);
        assertTrue(
                result.latencies().getTotalCount() < result.answers(),
                result.latencies().getTotalCount() + " latencies of " + result.answers() + " answers");
    }

    @Test
    void aWrongByteIsAWrongAnswer() throws Exception {
        LoadResult result = against(
                client -> {
                    byte[] request = client.getInputStream().readNBytes(SIZE);
                    request[SIZE - 1] ^= 1;
                    client.getOutputStream().write(request);
                },
                0,
                false);
        assertEquals(Map.of("wrong answer", 1L), result.errors());
        assertEquals("connection 0, request 1, byte 15 of 16", firstWrongAnswer);
    }

    @Test
    void aWrongByteInAStreamOfChunksIsAWrongAnswer() throws Exception {
        LoadResult result = against(
                client -> {
                    byte[] read = client.getInputStream().readNBytes(1);
                    read[0] ^= 1;
                    client.getOutputStream().write(read);
                    client.getInputStream().readAllBytes();
                },
                0,
                true);
        assertEquals(Map.of("wrong answer", 1L), result.errors());
        assertEquals("connection 0, byte 0 of the stream", firstWrongAnswer);
    }

    @Test
    void anAnswerThatIsTooLongIsAWrongAnswer() throws Exception {
        LoadResult result = against(
                client -> {
                    byte[] request = client.getInputStream().readNBytes(SIZE);
                    byte[] more = Arrays.copyOf(request, SIZE + 1);
                    client.getOutputStream().write(more);
                },
                0,
                false);
        assertEquals(Map.of("wrong answer: more bytes than were sent", 1L), result.errors());
    }

    @Test
    void aServerThatNeverAnswersLeavesAnAnswerMissing() throws Exception {
        LoadResult result = against(client -> client.getInputStream().readAllBytes(), 0, false, TIMEOUT_NS, ANY_RATE);
        assertEquals(Map.of("answer missing", 1L), result.errors());
        assertEquals(0, result.answers());
    }

    @Test
    void aServerThatClosesInsteadOfAnsweringIsNamed() throws Exception {
        LoadResult result = against(client -> client.getInputStream().readNBytes(SIZE), 0, false);
        assertEquals(Map.of("closed by the server before the answer", 1L), result.errors());
    }

    @Test
    void aPortWhereNobodyListensIsNamed() throws Exception {
        try (Socket keepsThePort = new Socket()) {
            keepsThePort.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            InetSocketAddress nobody = (InetSocketAddress) keepsThePort.getLocalSocketAddress();
            LoadResult result = run(nobody, 0, false, PATIENCE_NS, ANY_RATE);
            assertEquals(Map.of("connect: ECONNREFUSED (connection refused)", 1L), result.errors());
        }
    }

    @Test
    void aThreadThatCannotBeginIsAnErrorAndKeepsNobodyWaiting() throws Exception {
        InetSocketAddress unused = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        LoadGenerator generator =
                LoadGenerator.start(Kernels.system(), new LoadSettings(unused, LoadTraffic.pingPong(1, SIZE)), () -> {
                    throw new IllegalStateException("not pinned");
                });
        generator.awaitConnected();
        assertFalse(generator.run(PATIENCE_NS));
        assertEquals(
                Map.of("a thread of the generator failed: java.lang.IllegalStateException: not pinned", 1L),
                generator.finish().errors());
    }

    /** Its connections get no answers any more, so not every request was answered. */
    @Test
    void aThreadThatFailsInTheRunIsAnError() throws Exception {
        AtomicBoolean failing = new AtomicBoolean();
        Kernel kernel = new ForwardingKernel(Kernels.system()) {
            @Override
            public int recv(int fd, long buffer, int count, int flags) {
                if (failing.get()) {
                    throw new OutOfMemoryError("the test's own");
                }
                return super.recv(fd, buffer, count, flags);
            }
        };
        LoadResult result = against(LoadGeneratorTest::echo, address -> {
            LoadGenerator generator = LoadGenerator.start(
                    kernel, new LoadSettings(address, LoadTraffic.pingPong(1, SIZE), 1, PATIENCE_NS), () -> {});
            generator.awaitConnected();
            generator.beginMeasuring();
            failing.set(true);
            assertFalse(generator.run(PATIENCE_NS));
            generator.endMeasuring();
            return generator.finish();
        });
        assertEquals(
                Map.of("a thread of the generator failed: java.lang.OutOfMemoryError: the test's own", 1L),
                result.errors());
    }

    @Test
    void aFixedRateIsKept() throws Exception {
        DoublePredicate kept = perSecond -> perSecond > 100 && perSecond < 300;
        LoadResult result = against(LoadGeneratorTest::echo, 200, false, PATIENCE_NS, kept);
        assertEquals(Map.of(), result.errors());
        assertTrue(kept.test(answersRate), answersRate + " requests/s");
    }

    @Test
    void atAFixedRateAStallCountsForEveryRequestThatWasDueMeanwhile() throws Exception {
        long stallNs = 100_000_000L;
        // Load is running again: the stall has ended, and the delayed requests have been answered.
        DoublePredicate wentOn = perSecond -> perSecond > 500;
        LoadResult result = against(
                client -> {
                    // The rate begins after the first answer.
                    client.getOutputStream().write(client.getInputStream().readNBytes(SIZE));
                    byte[] request = client.getInputStream().readNBytes(SIZE);
                    awaitMeasuring();
                    long untilNs = System.nanoTime() + stallNs;
                    while (System.nanoTime() < untilNs) {
                        LockSupport.parkNanos(untilNs - System.nanoTime());
                    }
                    client.getOutputStream().write(request);
                    echo(client);
                },
                1_000,
                false,
                PATIENCE_NS,
                wentOn);
        assertEquals(Map.of(), result.errors());
        // 1,000 per second for 100 ms: some 50 requests were meant for the first half and had to wait for the other.
        long waited = result.latencies().getCountBetweenValues(stallNs / 2, Long.MAX_VALUE / 4);
        assertTrue(waited >= 25, waited + " requests show the stall");
    }

    /** Waits for the measured interval, because a fault before it would not affect the result. */
    private void awaitMeasuring() throws IOException {
        try {
            measuring.await();
        } catch (InterruptedException ended) {
            throw new InterruptedIOException("nothing was measured");
        }
    }

    private static void echo(Socket client) throws IOException {
        byte[] request = client.getInputStream().readNBytes(SIZE);
        while (request.length == SIZE) {
            client.getOutputStream().write(request);
            request = client.getInputStream().readNBytes(SIZE);
        }
    }

    private LoadResult against(Answer answer, long rate, boolean randomChunks) throws Exception {
        return against(answer, rate, randomChunks, PATIENCE_NS, ANY_RATE);
    }

    private LoadResult against(
            Answer answer, long rate, boolean randomChunks, long timeoutNs, DoublePredicate answersPerSecond)
            throws Exception {
        return against(answer, address -> run(address, rate, randomChunks, timeoutNs, answersPerSecond));
    }

    private interface Run {
        LoadResult against(InetSocketAddress address) throws Exception;
    }

    private static LoadResult against(Answer answer, Run load) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> {
                try (Socket client = listener.accept()) {
                    client.setTcpNoDelay(true);
                    answer.to(client);
                } catch (IOException reset) {
                    // The generator gives a connection up that it cannot trust any more: with bytes under way, a reset.
                    assertNotNull(reset.getMessage());
                }
            });
            server.start();
            InetSocketAddress address = (InetSocketAddress) listener.getLocalSocketAddress();
            LoadResult result = load.against(address);
            server.join();
            return result;
        }
    }

    private LoadResult run(
            InetSocketAddress address,
            long rate,
            boolean randomChunks,
            long timeoutNs,
            DoublePredicate answersPerSecond)
            throws Exception {
        LoadSettings settings = new LoadSettings(
                address,
                randomChunks
                        ? LoadTraffic.randomChunks(1)
                        : LoadTraffic.pingPong(1, SIZE).withRate(rate),
                1,
                timeoutNs);
        LoadGenerator generator = LoadGenerator.start(Kernels.system(), settings, () -> {});
        generator.awaitConnected();
        long runNs = RUN_NS;
        long beginNs = System.nanoTime();
        long before = generator.beginMeasuring();
        if (latencyDelayNs > 0) {
            generator.endMeasuring();
            generator.beginMeasuring(latencyDelayNs);
        }
        measuring.countDown();
        for (int interval = 0; interval < INTERVALS_MAX; interval++) {
            boolean goesOn = generator.run(runNs);
            answersRate = (generator.endMeasuring() - before) * 1e9 / (System.nanoTime() - beginNs);
            if (!goesOn || answersPerSecond.test(answersRate)) {
                break;
            }
            generator.beginMeasuring();
            runNs *= 2;
        }
        LoadResult result = generator.finish();
        firstWrongAnswer = generator.firstWrongAnswer();
        return result;
    }
}
