package org.cabrank.bench.contender;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadResult;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.serve.SlowRequests;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.TestAbortedException;

@Timeout(60)
final class ContendersTest {

    /** Fifty rounds of the slow requests on each connection, thousands of the others. */
    private static final long RUN_NS = 300_000_000L;

    /** More than can be under way: some must have come back. */
    private static final long CHUNKS_ENOUGH = 2_000;

    static Stream<String> names() {
        return Contenders.names().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void requestsAreAnswered(String name) throws Exception {
        LoadResult result = load(name, ServerSettings.DEFAULT, false);
        assertEquals(Map.of(), result.errors());
        assertTrue(result.latencies().getTotalCount() > 0);
    }

    @ParameterizedTest
    @MethodSource("names")
    void randomChunksComeBackByteForByte(String name) throws Exception {
        LoadResult result = load(name, ServerSettings.DEFAULT, true);
        assertEquals(Map.of(), result.errors());
        assertTrue(result.bytes() > 0);
    }

    @ParameterizedTest
    @MethodSource("names")
    void slowRequestsAreSlowForEveryContender(String name) throws Exception {
        long slowNs = 5_000_000;
        SlowRequests always = new SlowRequests(1_000, slowNs);
        ServerSettings settings = new ServerSettings(0, always, 1, ServerSettings.DEFAULT_MAX_GAP_NS);
        LoadResult result = load(name, settings, false);
        assertEquals(Map.of(), result.errors());
        // The histogram keeps three digits.
        assertTrue(
                result.latencies().getMinValue() > slowNs * 0.99,
                "min " + result.latencies().getMinValue());
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyContenderSaysWhatWasTuned(String name) {
        assertFalse(Contenders.named(name).tuning().isEmpty());
    }

    @Test
    void settingsTravelAsArguments() {
        ServerSettings settings = new ServerSettings(55, new SlowRequests(3, 77), 5, 123_456);
        assertEquals(settings, ServerSettings.fromArguments(settings.toArguments()));
        assertThrows(IllegalArgumentException.class, () -> ServerSettings.fromArguments(List.of("bogus=1")));
    }

    @Test
    void whatAContenderSaysOfItselfBecomesOneLine() {
        assertEquals(
                "owner ring; setup: A B; lacks: C", ContenderProcess.oneLine("owner ring\n setup: A B\r\nlacks: C\n"));
    }

    @Test
    void aNameThatIsGivenTwiceRunsOnce() {
        assertEquals(1, Contenders.named(List.of("nio", "nio")).size());
    }

    /** What this machine cannot run is skipped with the contender's own words. */
    private static RunningServer start(String name, ServerSettings server) throws IOException {
        try {
            return Contenders.named(name).start(server);
        } catch (ContenderUnavailableException notHere) {
            throw new TestAbortedException(notHere.getMessage(), notHere);
        }
    }

    private static LoadResult load(String name, ServerSettings server, boolean randomChunks) throws Exception {
        try (RunningServer running = start(name, server)) {
            LoadSettings settings =
                    new LoadSettings(running.address(), 4, 64, 1, 0, randomChunks, LoadSettings.DEFAULT_TIMEOUT_NS);
            LoadGenerator generator = LoadGenerator.start(Kernels.system(), settings, () -> {});
            generator.awaitConnected();
            long enough = randomChunks ? CHUNKS_ENOUGH : 1;
            boolean goesOn;
            long before;
            long runNs = RUN_NS;
            do {
                // A busy machine answers nobody for a while; the time-out of the test bounds it.
                before = generator.beginMeasuring();
                goesOn = generator.run(runNs);
                runNs *= 2;
            } while (generator.endMeasuring() - before < enough && goesOn);
            return generator.finish();
        }
    }
}
