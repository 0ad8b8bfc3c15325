package org.cabrank.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.fixture.PlayedServer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every pattern against servers that do right, and against some that do wrong: it has to notice, and to name it. */
@Once
@Timeout(300)
final class LoadPatternsTest {

    private static final long RUN_NS = 100_000_000L;
    /** Timeout in ns of a generator that must detect a missing answer. */
    private static final long TIMEOUT_NS = 200_000_000L;

    /** Timeout of runs in which one connection gets no answer while further connections do. */
    private static final long SOME_PATIENCE_NS = 1_000_000_000L;

    /** Timeout in ns of other generators: a busy machine may be unresponsive for a while. */
    private static final long PATIENCE_NS = 20_000_000_000L;

    private static final int SIZE = 24;

    private final Kernel system;

    /** The generator wants nothing more. */
    private final CountDownLatch finished = new CountDownLatch(1);

    private String firstWrongAnswer;

    LoadPatternsTest() throws KernelUnavailableException {
        system = Kernels.system();
    }

    static Stream<LoadTraffic> traffic() {
        return Stream.of(
                LoadTraffic.pingPong(1, 1),
                LoadTraffic.pingPong(6, SIZE),
                LoadTraffic.pingPong(6, SIZE).withDepth(16),
                LoadTraffic.pingPong(2, 300_001).withDepth(3),
                LoadTraffic.pingPong(6, SIZE).withRate(500),
                LoadTraffic.pingPong(6, SIZE).withDepth(4).withRate(500),
                LoadTraffic.pingPong(4, SIZE).withIdle(20),
                LoadTraffic.streaming(3, 64 * 1_024, 16),
                LoadTraffic.streaming(2, 1_000_003, 1),
                LoadTraffic.streaming(2, 777, 3).withIdle(2),
                LoadTraffic.randomChunks(3),
                LoadTraffic.churn(4, SIZE),
                LoadTraffic.churn(2, 500_000),
                LoadTraffic.churn(4, SIZE).withRate(100).withIdle(3),
                LoadTraffic.bursts(5, SIZE, 8, 10_000_000));
    }

    /** Answers are those of the connections that reconnect, latencies those of the standing ones. */
    @Test
    void reconnectingConnectionsAreCountedAndStandingOnesTimed() throws Exception {
        LoadTraffic traffic = LoadTraffic.pingPong(2, SIZE).withRate(100).withReconnecting(5);
        AtomicInteger connections = new AtomicInteger();
        long begunNs = System.nanoTime();
        LoadResult result = run(
                system,
                traffic,
                1,
                (client, number) -> {
                    connections.incrementAndGet();
                    PlayedServer.echo(client, number);
                },
                1);
        assertEquals(Map.of(), result.errors());
        assertTrue(connections.get() > 7, connections + " connections");
        assertTrue(result.answers() > 0 && result.answers() < connections.get(), result.answers() + " answers");
        assertTrue(result.bytes() == result.answers() * SIZE, result.bytes() + " bytes");
        long timed = result.latencies().getTotalCount();
        // Requests of the warm-up may be answered late, and are timed then.
        assertTrue(timed > 0 && timed <= 100 * (System.nanoTime() - begunNs) / 1e9 + 2, timed + " latencies");
    }

    @ParameterizedTest
    @MethodSource("traffic")
    void anHonestServerHasNoErrors(LoadTraffic traffic) throws Exception {
        LoadResult result = run(system, traffic, Math.min(2, traffic.connections()), PlayedServer::echo, 1);
        assertEquals(Map.of(), result.errors());
        assertNull(firstWrongAnswer);
        assertTrue(result.answers() > 0, "no answer");
        assertTrue(result.bytes() > 0, "no bytes");
        assertEquals(
                traffic.pattern() != Pattern.RANDOM_CHUNKS, result.latencies().getTotalCount() > 0);
        assertTrue(result.effort().cpuNs() > 0, "no CPU time");
    }

    @ParameterizedTest
    @MethodSource("traffic")
    void aByteTooMuchAfterTheLastAnswerIsAWrongAnswer(LoadTraffic traffic) throws Exception {
        LoadResult result = run(traffic, 1, (client, number) -> {
            PlayedServer.echo(client, number);
            client.getOutputStream().write(0);
        });
        String role = traffic.idleConnections() > 0 ? "idle connection: " : "";
        assertTrue(result.errors().containsKey(role + LoadConnection.MORE_THAN_SENT), result.errors()::toString);
    }

    @ParameterizedTest
    @MethodSource("traffic")
    void aWrongByteIsAWrongAnswer(LoadTraffic traffic) throws Exception {
        LoadResult result = run(traffic, 1, (client, number) -> {
            byte[] first = client.getInputStream().readNBytes(1);
            first[0] ^= 1;
            client.getOutputStream().write(first);
            PlayedServer.echo(client, number);
        });
        int connections = traffic.connectionsInAll();
        assertEquals(
                connections,
                result.errors().values().stream().mapToLong(Long::longValue).sum());
        assertEquals((long) traffic.connections(), result.errors().get("wrong answer"), result.errors()::toString);
        assertTrue(firstWrongAnswer.contains("connection "), firstWrongAnswer);
    }

    @ParameterizedTest
    @MethodSource("traffic")
    void anAnswerThatNeverComesIsMissing(LoadTraffic traffic) throws Exception {
        LoadResult result = runImpatiently(
                traffic, (client, number) -> client.getInputStream().transferTo(OutputStream.nullOutputStream()));
        assertEquals((long) traffic.connections(), result.errors().get("answer missing"), result.errors()::toString);
    }

    @Test
    void anAnswerThatComesTwiceIsAWrongAnswer() throws Exception {
        LoadResult result = run(LoadTraffic.pingPong(1, SIZE).withDepth(4), 1, (client, number) -> {
            byte[] request = client.getInputStream().readNBytes(SIZE);
            client.getOutputStream().write(request);
            request = client.getInputStream().readNBytes(SIZE);
            client.getOutputStream().write(request);
            client.getOutputStream().write(request);
            PlayedServer.echo(client, number);
        });
        assertEquals(Map.of("wrong answer", 1L), result.errors());
        assertEquals("connection 0, request 3, byte 4 of 24", firstWrongAnswer);
    }

    @Test
    void answersInAnotherOrderThanTheRequestsAreWrong() throws Exception {
        LoadResult result = run(LoadTraffic.pingPong(1, SIZE).withDepth(2), 1, (client, number) -> {
            client.getOutputStream().write(client.getInputStream().readNBytes(SIZE));
            byte[] one = client.getInputStream().readNBytes(SIZE);
            byte[] other = client.getInputStream().readNBytes(SIZE);
            client.getOutputStream().write(other);
            client.getOutputStream().write(one);
            PlayedServer.echo(client, number);
        });
        assertEquals(Map.of("wrong answer", 1L), result.errors());
        assertEquals("connection 0, request 2, byte 4 of 24", firstWrongAnswer);
    }

    @Test
    void anAnswerToAnotherConnectionIsWrong() throws Exception {
        byte[][] taken = new byte[1][];
        LoadResult result = run(LoadTraffic.churn(1, SIZE), 1, (client, number) -> {
            byte[] request = client.getInputStream().readNBytes(SIZE);
            taken[0] = number == 0 ? request : taken[0];
            client.getOutputStream().write(taken[0]);
            PlayedServer.echo(client, number);
        });
        assertEquals(Map.of("wrong answer", 1L), result.errors());
        assertEquals("connection 0, request 2, byte 4 of 24", firstWrongAnswer);
    }

    @Test
    void anIdleConnectionThatIsClosedIsNamed() throws Exception {
        CountDownLatch closed = new CountDownLatch(4);
        PlayedServer.Part part = (client, number) -> {
            client.getOutputStream().write(client.getInputStream().readNBytes(SIZE));
            // The active connection comes first. Its later answers come after the ends of all other connections.
            if (number == 0) {
                await(closed);
                PlayedServer.echo(client, number);
            } else {
                client.close();
                closed.countDown();
            }
        };
        LoadResult result = run(system, LoadTraffic.pingPong(1, SIZE).withIdle(4), 1, part, 2);
        assertEquals(Map.of("idle connection: closed by the server", 4L), result.errors());
    }

    @Test
    void anIdleConnectionThatHasDiedWithoutAWordIsNoticedAtTheEnd() throws Exception {
        PlayedServer.Part part = (client, number) -> {
            if (number == 0) {
                PlayedServer.echo(client, number);
            } else {
                client.getOutputStream().write(client.getInputStream().readNBytes(SIZE));
                client.getInputStream().readAllBytes();
            }
        };
        LoadResult result = run(system, LoadTraffic.pingPong(1, SIZE).withIdle(4), 1, part, 0, SOME_PATIENCE_NS);
        assertEquals(Map.of("idle connection: answer missing", 4L), result.errors());
    }

    @Test
    void aServerThatDoesNotCloseIsNamed() throws Exception {
        PlayedServer.Part part = (client, number) -> {
            PlayedServer.echo(client, number);
            await(finished);
        };
        LoadResult result = run(system, LoadTraffic.pingPong(2, SIZE), 1, part, 0, SOME_PATIENCE_NS);
        assertEquals(Map.of("not closed by the server though this side was", 2L), result.errors());
    }

    @Test
    void churnWaitsForAPortWhenThereIsNone() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        Kernel everyThirdWithout = new ForwardingKernel(system) {
            @Override
            public int connect(int fd, long address, int length) {
                return attempts.incrementAndGet() % 3 == 0 ? -Errno.EADDRNOTAVAIL : super.connect(fd, address, length);
            }
        };
        // Three of the answers may have been under way when the interval began.
        LoadResult result = run(everyThirdWithout, LoadTraffic.churn(3, SIZE), 1, PlayedServer::echo, 10);
        assertEquals(Map.of(), result.errors());
        assertTrue(result.answers() > 3, result.answers() + " answers");
        assertTrue(result.effort().portWaits() > 0, "nobody waited");
    }

    @Test
    void othersThatFindNoPortHaveFailed() throws Exception {
        Kernel without = new ForwardingKernel(system) {
            @Override
            public int connect(int fd, long address, int length) {
                return -Errno.EADDRNOTAVAIL;
            }
        };
        LoadResult result = run(without, LoadTraffic.pingPong(3, SIZE), 1, PlayedServer::echo, 0);
        assertEquals(Map.of("connect: EADDRNOTAVAIL (cannot assign requested address)", 3L), result.errors());
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            throw new InterruptedIOException("what was waited for did not come");
        }
    }

    private LoadResult run(LoadTraffic traffic, int threads, PlayedServer.Part part)
            throws IOException, InterruptedException {
        return run(system, traffic, threads, part, 0);
    }

    private LoadResult runImpatiently(LoadTraffic traffic, PlayedServer.Part part)
            throws IOException, InterruptedException {
        return run(system, traffic, 1, part, 0, TIMEOUT_NS);
    }

    private LoadResult run(Kernel kernel, LoadTraffic traffic, int threads, PlayedServer.Part part, long enough)
            throws IOException, InterruptedException {
        return run(kernel, traffic, threads, part, enough, PATIENCE_NS);
    }

    /** Measures until an interval has {@code enough} answers, and bytes of them: a busy machine answers nobody for a while. */
    private LoadResult run(
            Kernel kernel, LoadTraffic traffic, int threads, PlayedServer.Part part, long enough, long timeoutNs)
            throws IOException, InterruptedException {
        try (PlayedServer server = new PlayedServer(part)) {
            LoadSettings settings = new LoadSettings(server.address(), traffic, threads, timeoutNs);
            return measured(LoadGenerator.start(kernel, settings, () -> {}), enough);
        }
    }

    private LoadResult measured(LoadGenerator generator, long enough) throws InterruptedException {
        try {
            generator.awaitConnected();
            long runNs = RUN_NS;
            long before;
            long answers;
            boolean goesOn;
            do {
                before = generator.beginMeasuring();
                goesOn = generator.run(runNs);
                answers = generator.endMeasuring() - before;
                runNs *= 2;
            } while ((answers < enough || enough > 0 && generator.measuredBytes() == 0) && goesOn);
            LoadResult result = generator.finish();
            firstWrongAnswer = generator.firstWrongAnswer();
            return result;
        } finally {
            finished.countDown();
        }
    }
}
