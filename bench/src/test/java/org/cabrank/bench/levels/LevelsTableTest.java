package org.cabrank.bench.levels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.cabrank.affinity.CpuList;
import org.junit.jupiter.api.Test;

class LevelsTableTest {
    private static LevelsSettings settings(int threads) {
        return new LevelsSettings(3, 1, 1, threads, 0, 500, 64, CpuList.of(0), CpuList.of(1));
    }

    private static LevelsRun run(Arrangement arrangement, int round, long p99Us, double bulk) {
        return new LevelsRun(arrangement, round, 100, 1_000, p99Us * 1_000, p99Us * 1_000, 9_000_000, bulk, Map.of());
    }

    private static LevelsReport report(List<LevelsRun> runs) {
        return new LevelsReport(
                LevelsReport.FORMAT,
                "2026-11-21T00:00:00Z",
                true,
                List.of(),
                Map.of(),
                null,
                null,
                null,
                LevelsReport.Settings.of(settings(4)),
                Map.of(Arrangement.FIFO, "it is not permitted"),
                runs);
    }

    @Test
    void rowIsTheMedianOfTheRoundsThatWentWell() {
        String text = LevelsTable.render(report(List.of(
                run(Arrangement.ONE_POOL, 1, 700, 1_000),
                run(Arrangement.ONE_POOL, 2, 100, 3_000),
                run(Arrangement.ONE_POOL, 3, 300, 2_000),
                run(Arrangement.TWO_POOLS, 1, 50, 4_000),
                LevelsRun.notMeasured(Arrangement.TWO_POOLS, 2, "the server has ended"))));
        List<String> lines = text.lines().toList();
        assertTrue(lines.get(2).matches("one pool +1 +300 +300 +9,000 +2,000 +1,000-3,000 +3"), text);
        assertTrue(lines.get(3).matches("two pools +1 +50 +50 +9,000 +4,000 +4,000-4,000 +1"), text);
        assertTrue(text.contains("Left out: two pools, urgent fifo:10, because it is not permitted"), text);
        assertTrue(text.contains("Failed: two pools, round 2: {the server has ended=1}"), text);
        assertTrue(text.contains("Urgent: 500 requests/s"), text);
    }

    @Test
    void runWithoutAnUrgentAnswerHasFailed() {
        LevelsRun silent = new LevelsRun(Arrangement.ONE_POOL, 1, 0, 0, 0, 0, 0, 1_000, Map.of());
        assertTrue(silent.failed());
        assertFalse(run(Arrangement.ONE_POOL, 1, 1, 1).failed());
        assertTrue(LevelsTable.render(report(List.of(silent))).contains("no urgent request was answered"));
    }

    @Test
    void threadsMustBeSharedOutEvenly() {
        assertEquals(2, settings(2).threads());
        assertThrows(IllegalArgumentException.class, () -> settings(3));
        assertThrows(IllegalArgumentException.class, () -> settings(0));
    }
}
