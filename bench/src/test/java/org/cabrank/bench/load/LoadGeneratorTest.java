package org.cabrank.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The generator against servers that do wrong: it has to notice, and to name it. */
@Timeout(60)
final class LoadGeneratorTest {

    private static final long RUN_NS = 300_000_000L;
    private static final long TIMEOUT_NS = 500_000_000L;
    private static final int SIZE = 16;

    private String firstWrongAnswer;

    private interface Answer {
        /** Answers requests on {@code client} until it is closed. */
        void to(Socket client) throws IOException;
    }

    @Test
    void aServerThatAnswersRightHasNoErrors() throws Exception {
        LoadResult result = against(LoadGeneratorTest::echo, 0, false);
        assertEquals(Map.of(), result.errors());
        assertTrue(result.answers() > 0);
        assertEquals(result.answers() * SIZE, result.bytes());
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
        LoadResult result = against(client -> client.getInputStream().readAllBytes(), 0, false);
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
        InetSocketAddress nobody;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = (InetSocketAddress) taken.getLocalSocketAddress();
        }
        LoadResult result = run(nobody, 0, false);
        assertEquals(Map.of("connect: ECONNREFUSED (connection refused)", 1L), result.errors());
    }

    @Test
    void aFixedRateIsKept() throws Exception {
        LoadResult result = against(LoadGeneratorTest::echo, 200, false);
        assertEquals(Map.of(), result.errors());
        double perSecond = result.answersPerSecond();
        assertTrue(perSecond > 100 && perSecond < 300, perSecond + " requests/s");
    }

    @Test
    void atAFixedRateAStallCountsForEveryRequestThatWasDueMeanwhile() throws Exception {
        long stallNs = 100_000_000L;
        LoadResult result = against(
                client -> {
                    byte[] request = client.getInputStream().readNBytes(SIZE);
                    long untilNs = System.nanoTime() + stallNs;
                    while (System.nanoTime() < untilNs) {
                        LockSupport.parkNanos(untilNs - System.nanoTime());
                    }
                    client.getOutputStream().write(request);
                    echo(client);
                },
                1_000,
                false);
        assertEquals(Map.of(), result.errors());
        // 1,000 per second for 100 ms: some 50 requests were meant for the first half and had to wait for the other.
        long waited = result.latencies().getCountBetweenValues(stallNs / 2, Long.MAX_VALUE / 4);
        assertTrue(waited >= 25, waited + " requests show the stall");
    }

    private static void echo(Socket client) throws IOException {
        byte[] request = client.getInputStream().readNBytes(SIZE);
        while (request.length == SIZE) {
            client.getOutputStream().write(request);
            request = client.getInputStream().readNBytes(SIZE);
        }
    }

    private LoadResult against(Answer answer, long rate, boolean randomChunks) throws Exception {
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
            LoadResult result = run((InetSocketAddress) listener.getLocalSocketAddress(), rate, randomChunks);
            server.join();
            return result;
        }
    }

    private LoadResult run(InetSocketAddress address, long rate, boolean randomChunks) throws Exception {
        LoadSettings settings = new LoadSettings(address, 1, SIZE, 1, rate, randomChunks, TIMEOUT_NS);
        LoadGenerator generator = LoadGenerator.start(Kernels.system(), settings, () -> {});
        generator.awaitConnected();
        generator.beginMeasuring();
        generator.run(RUN_NS);
        generator.endMeasuring();
        LoadResult result = generator.finish();
        firstWrongAnswer = generator.firstWrongAnswer();
        return result;
    }
}
