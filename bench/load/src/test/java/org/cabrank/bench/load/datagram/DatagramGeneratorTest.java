package org.cabrank.bench.load.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Predicate;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.PlayedDatagrams;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The generator against servers that lose, repeat, reorder and change datagrams: it has to count each of these. */
@Timeout(300)
final class DatagramGeneratorTest {
    /** Until the generator has begun to send, even on a busy machine. */
    private static final long SILENCE_NS = 500_000_000L;

    private static final long RUN_NS = 150_000_000L;
    private static final long LOSS_TIMEOUT_NS = 20_000_000L;

    /** Loss timeout of a generator whose server answers everything: a busy machine may be unresponsive for a while. */
    private static final long PATIENCE_NS = 20_000_000_000L;

    /** Loss timeout where an answer that comes later would spoil the count: longer than a busy machine keeps a thread from its processor. */
    private static final long LONG_LOSS_TIMEOUT_NS = 400_000_000L;

    private static final int SIZE = 64;
    private static final int TENTH = 10;

    /** Named bound: intervals, each twice as long as the one before. */
    private static final int RUNS_MAX = 6;

    private final Kernel kernel = kernel();

    private static Kernel kernel() {
        try {
            return Kernels.system();
        } catch (Exception none) {
            throw new IllegalStateException(none);
        }
    }

    /** Measures for longer until the result will do, because a busy machine may spoil an interval; the caller judges the last. */
    private DatagramResult run(DatagramLoad load, Predicate<DatagramResult> willDo) throws InterruptedException {
        DatagramResult result = null;
        for (int i = 0; i < RUNS_MAX && (result == null || !willDo.test(result)); i++) {
            result = DatagramGenerator.measure(kernel, load, RUN_NS / 10, RUN_NS << i);
        }
        return result;
    }

    private DatagramResult closedLoop(
            PlayedDatagrams.Part part, int window, long lossTimeoutNs, Predicate<DatagramResult> willDo)
            throws Exception {
        try (PlayedDatagrams server = new PlayedDatagrams(part)) {
            return run(
                    DatagramLoad.closedLoop(server.address(), SIZE, 1, window).withLossTimeout(lossTimeoutNs), willDo);
        }
    }

    @Test
    void aServerThatAnswersRightLosesNothing() throws Exception {
        try (PlayedDatagrams server = new PlayedDatagrams(PlayedDatagrams::echo)) {
            DatagramResult result = run(
                    DatagramLoad.closedLoop(server.address(), SIZE, 3, 4)
                            .withThreads(2)
                            .withLossTimeout(PATIENCE_NS),
                    any -> any.sent() > 0);
            assertEquals(Map.of(), result.errors());
            assertTrue(result.sent() > 0);
            assertEquals(result.sent(), result.received());
            assertEquals(0, result.lost() + result.duplicated() + result.reordered() + result.wrong() + result.late());
            assertEquals(result.received(), result.latencies().getTotalCount());
            assertTrue(result.answersPerSecond() > 0);
            assertTrue(result.effort().cpuNs() > 0);
        }
    }

    /** Needs a CPU whenever a burst is due; {@link DatagramPaceTest} computes when that is. */
    @InSoak
    @Test
    void aFixedRateIsKeptOverAllFlows() throws Exception {
        try (PlayedDatagrams server = new PlayedDatagrams(PlayedDatagrams::echo)) {
            DatagramResult result = run(
                    DatagramLoad.fixedRate(server.address(), SIZE, 4, 2_000)
                            .withThreads(2)
                            .withBurst(5)
                            .withLossTimeout(PATIENCE_NS),
                    any -> Math.abs(2_000.0 * any.elapsedNs() / 1e9 - any.sent()) <= 25);
            assertEquals(0, result.lost());
            // Each worker counts whole turns: a burst at either end may be in or out.
            assertEquals(2_000.0 * result.elapsedNs() / 1e9, result.sent(), 25);
            assertEquals(result.sent(), result.effort().timedSends());
        }
    }

    @Test
    void segmentsAreSentAndReceivedAsDatagrams() throws Exception {
        try (PlayedDatagrams server = new PlayedDatagrams(PlayedDatagrams::echo)) {
            DatagramResult result = run(
                    DatagramLoad.closedLoop(server.address(), 1_200, 1, 16)
                            .withSegments(true)
                            .withLossTimeout(PATIENCE_NS),
                    any -> any.received() > 0);
            assertEquals(Map.of(), result.errors());
            assertTrue(result.received() > 0);
            assertEquals(0, result.lost() + result.wrong());
        }
    }

    @Test
    void lostDatagramsAreCountedAndTheirPlacesAreUsedAgain() throws Exception {
        DatagramResult result = closedLoop(
                (socket, datagram, number) -> {
                    if (number % TENTH != 0) {
                        socket.send(datagram);
                    }
                },
                4,
                LONG_LOSS_TIMEOUT_NS,
                any -> any.lost() >= 4 && any.received() > 36);
        assertTrue(result.lost() >= 4, () -> "lost " + result.lost());
        // Without the timeout, the window of 4 would be full after 40 datagrams.
        assertTrue(result.received() > 36, () -> "received " + result.received());
        assertEquals(result.sent() / (double) TENTH, result.lost(), 2 + 4);
    }

    @Test
    void repeatedAnswersAreCounted() throws Exception {
        DatagramResult result = closedLoop(
                (socket, datagram, number) -> {
                    socket.send(datagram);
                    if (number % TENTH == 0) {
                        socket.send(datagram);
                    }
                },
                1,
                PATIENCE_NS,
                any -> any.sent() > 2 * TENTH);
        assertTrue(result.duplicated() > 0);
        assertEquals(0, result.lost());
        assertEquals(result.sent() / (double) TENTH, result.duplicated(), 2);
    }

    /** Half of the window is never answered, and the server repeats one answer until it is closed. */
    @Test
    void repeatedAnswersDoNotKeepTheRunFromItsEnd() throws Exception {
        try (PlayedDatagrams server = new PlayedDatagrams((socket, datagram, number) -> {
            while (true) {
                socket.send(datagram);
            }
        })) {
            DatagramGenerator generator = DatagramGenerator.start(
                    kernel,
                    DatagramLoad.closedLoop(server.address(), SIZE, 1, 2).withLossTimeout(LONG_LOSS_TIMEOUT_NS),
                    () -> {});
            assertEquals(DatagramGenerator.Start.ANSWERED, generator.awaitAnswer(PATIENCE_NS));
            generator.finish();
        }
    }

    @Test
    void answersInAnotherOrderAreCounted() throws Exception {
        DatagramPacket[] held = new DatagramPacket[1];
        DatagramResult result = closedLoop(
                (socket, datagram, number) -> {
                    if (number % 2 == 0) {
                        held[0] = copy(datagram);
                    } else {
                        socket.send(datagram);
                        socket.send(held[0]);
                    }
                },
                2,
                LONG_LOSS_TIMEOUT_NS,
                any -> any.received() > 2);
        assertTrue(result.received() > 2);
        assertEquals(result.received() / 2.0, result.reordered(), 2);
    }

    private static DatagramPacket copy(DatagramPacket datagram) {
        byte[] bytes = Arrays.copyOf(datagram.getData(), datagram.getLength());
        return new DatagramPacket(bytes, bytes.length, datagram.getSocketAddress());
    }

    @Test
    void changedCutAndForeignAnswersAreWrong() throws Exception {
        DatagramResult result = closedLoop(
                (socket, datagram, number) -> {
                    byte[] bytes = datagram.getData();
                    switch (number % 4) {
                        case 0 -> bytes[SIZE - 1] ^= 1;
                        case 1 -> datagram.setLength(SIZE - 1);
                        case 2 -> datagram.setLength(SIZE + 1);
                        default -> bytes[0] ^= 1;
                    }
                    socket.send(datagram);
                },
                8,
                LOSS_TIMEOUT_NS,
                any -> any.wrong() >= 8);
        assertTrue(result.wrong() >= 8, () -> "wrong " + result.wrong());
        assertEquals(0, result.received());
        assertEquals(result.sent(), result.lost());
    }

    @Test
    void aSilentServerLosesEverything() throws Exception {
        try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            DatagramLoad load =
                    DatagramLoad.fixedRate((InetSocketAddress) silent.getLocalSocketAddress(), SIZE, 2, 1_000);
            DatagramGenerator generator =
                    DatagramGenerator.start(kernel, load.withLossTimeout(LOSS_TIMEOUT_NS), () -> {});
            generator.beginMeasuring();
            assertEquals(DatagramGenerator.Start.SILENT, generator.awaitAnswer(SILENCE_NS));
            DatagramResult result = generator.finish();
            assertTrue(result.sent() > 0);
            assertEquals(1.0, result.lossRatio());
            assertEquals(Map.of(), result.errors());
        }
    }

    @Test
    void aPortWhereNothingListensIsReported() throws Exception {
        InetSocketAddress free;
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            free = (InetSocketAddress) socket.getLocalSocketAddress();
        }
        DatagramGenerator generator = DatagramGenerator.start(
                kernel, DatagramLoad.closedLoop(free, SIZE, 1, 1).withLossTimeout(LOSS_TIMEOUT_NS), () -> {});
        assertEquals(DatagramGenerator.Start.REFUSED, generator.awaitAnswer(PATIENCE_NS));
        assertTrue(generator.finish().errors().containsKey("ECONNREFUSED"));
    }

    @Test
    void contradictingSettingsAreRefused() {
        InetSocketAddress target = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);
        assertThrows(IllegalArgumentException.class, () -> DatagramLoad.closedLoop(target, SIZE, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> DatagramLoad.closedLoop(target, 23, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> DatagramLoad.fixedRate(target, SIZE, 1, 0));
        assertThrows(
                IllegalArgumentException.class,
                () -> DatagramLoad.closedLoop(target, SIZE, 1, 1).withThreads(2));
    }

    @Test
    void aThreadThatCannotBeginIsAnErrorAndNoSilence() throws Exception {
        DatagramLoad load =
                DatagramLoad.closedLoop(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), SIZE, 1, 1);
        DatagramGenerator generator = DatagramGenerator.start(kernel, load, () -> {
            throw new IllegalStateException("not pinned");
        });
        assertEquals(DatagramGenerator.Start.REFUSED, generator.awaitAnswer(PATIENCE_NS));
        assertFalse(generator.run(PATIENCE_NS));
        assertEquals(
                Map.of("a thread of the generator failed: java.lang.IllegalStateException: not pinned", 1L),
                generator.finish().errors());
    }
}
