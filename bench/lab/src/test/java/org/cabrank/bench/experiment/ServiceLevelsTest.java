package org.cabrank.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;

class ServiceLevelsTest {

    private static ServiceLevels.Settings settings(int threads) {
        return new ServiceLevels.Settings(3, 1, 1, threads, 0, 500, 64, null, null);
    }

    private static VariantRun<PoolPriorities, ServiceLevels.Result> trial(
            PoolPriorities pools, int round, long answers, long p99Us, double bulk) {
        ClientResult urgent =
                new ClientResult(answers, answers, 1_000, p99Us * 1_000, p99Us * 1_000, 9_000_000, Map.of());
        ClientResult flood = new ClientResult((long) bulk, bulk, 0, 0, 0, 0, Map.of());
        return ServiceLevels.trial(pools, round, 1, new ServiceLevels.Result(urgent, flood));
    }

    private static String table(List<VariantRun<PoolPriorities, ServiceLevels.Result>> trials) throws IOException {
        return ExperimentOutput.table(
                new ServiceLevels(settings(4), new ExperimentOutput().to(Path.of("report.json")), Kernels.system()),
                trials);
    }

    @Test
    void rowIsTheMedianOfTheRoundsThatWentWell() throws IOException {
        String text = table(List.of(
                trial(PoolPriorities.ONE_POOL, 1, 100, 700, 1_000),
                trial(PoolPriorities.ONE_POOL, 2, 100, 100, 3_000),
                trial(PoolPriorities.ONE_POOL, 3, 100, 300, 2_000),
                trial(PoolPriorities.TWO_POOLS, 1, 100, 50, 4_000),
                new VariantRun<>(PoolPriorities.TWO_POOLS, 2, 1, "the server has ended", null)));
        List<String> lines = text.lines().toList();
        assertTrue(lines.get(2).matches("one pool +1 +300 +300 +9,000 +2,000 +1,000-3,000 +3"), text);
        assertTrue(lines.get(3).matches("two pools +1 +50 +50 +9,000 +4,000 +4,000-4,000 +1"), text);
        assertTrue(text.contains("Failed: two pools, round 2: the server has ended"), text);
        assertTrue(text.contains("Urgent: 500 requests/s"), text);
    }

    @Test
    void runWithoutAnUrgentAnswerHasFailed() throws IOException {
        VariantRun<PoolPriorities, ServiceLevels.Result> silent = trial(PoolPriorities.ONE_POOL, 1, 0, 0, 1_000);
        assertTrue(silent.failed());
        assertFalse(trial(PoolPriorities.ONE_POOL, 1, 1, 1, 0).failed());
        assertTrue(table(List.of(silent)).contains("urgent: no request was answered"));
    }

    @Test
    void threadsMustBeSharedOutEvenly() {
        assertEquals(2, settings(2).threads());
        assertThrows(IllegalArgumentException.class, () -> settings(3));
        assertThrows(IllegalArgumentException.class, () -> settings(0));
    }
}
