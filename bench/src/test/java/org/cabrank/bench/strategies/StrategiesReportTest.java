package org.cabrank.bench.strategies;

import static org.cabrank.bench.strategies.Strategy.DEFERRED;
import static org.cabrank.bench.strategies.Strategy.HSHR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.Comparison;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.RunRecord.Calibration;
import org.cabrank.bench.report.Runs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StrategiesReportTest {

    private static final Cell CELL = new Cell(2, 50_000);

    private final List<StrategyRun> runs = new ArrayList<>();

    private void ran(Strategy strategy, int round, long answers, double nsPerStep) {
        RunRecord run = Runs.good(round, strategy.label(), answers, 1_000_000_000, 20, 80);
        runs.add(new StrategyRun(
                CELL,
                strategy,
                new RunRecord(
                        round, 1, run.contender(), null, "", "", 1, new Calibration(nsPerStep, 0), run.measured())));
    }

    private void failed(Strategy strategy, int round) {
        runs.add(new StrategyRun(CELL, strategy, Runs.bad(round, strategy.label())));
    }

    private StrategiesReport report() {
        BenchReport.ContenderInfo info = new BenchReport.ContenderInfo("a", List.of("tuned"), List.of());
        return new StrategiesReport(
                StrategiesReport.FORMAT,
                "2026-01-01T00:00:00Z",
                true,
                List.of("bench"),
                Map.of("cabrank", "1"),
                new BenchReport.Machine("6.1.0", "amd64", "a CPU", "0-1", 1),
                new BenchReport.Jvm("25", "a vendor", "/jdk", List.of()),
                new BenchReport.Cpus("1", "0", false, "Pinned."),
                new StrategiesReport.Settings(List.of(2), List.of(50_000L), 3, 1, 1, 4, 64, 1, 0, 0, 2_000_000),
                new TreeMap<>(Map.of(DEFERRED, info, HSHR, info)),
                StrategiesTable.RULE,
                List.of(CellSummary.of(CELL, DEFERRED, runs), CellSummary.of(CELL, HSHR, runs)),
                List.copyOf(runs));
    }

    @Test
    void roundsAreComparedWithTheirOwnReference() {
        long[] reference = {1_000, 10_000, 100_000};
        for (int round = 1; round <= 3; round++) {
            ran(DEFERRED, round, reference[round - 1] * 2, 1);
            ran(HSHR, round, reference[round - 1], 1);
        }
        Comparison throughput = CellSummary.of(CELL, DEFERRED, runs).against().get(Metric.THROUGHPUT);
        assertEquals(2, throughput.min(), 1e-9);
        assertEquals(2, throughput.max(), 1e-9);
        assertEquals(Comparison.Outcome.BETTER, throughput.outcome());
    }

    @Test
    void lessLatencyIsBetter() {
        Metric latency = Metric.P99;
        var slow = Runs.good(2, "a", 1_000).measured();
        var fast = Runs.good(1, "a", 1_000).measured();
        assertEquals(2, latency.advantage(fast, slow), 1e-9);
        assertEquals(2, Metric.THROUGHPUT.advantage(Runs.good(1, "a", 2_000).measured(), fast), 1e-9);
    }

    @Test
    void roundsThatFailedAreNotCompared() {
        for (int round = 1; round <= 4; round++) {
            ran(HSHR, round, 1_000, 1);
            if (round == 2) {
                failed(DEFERRED, round);
            } else {
                ran(DEFERRED, round, 500, 1);
            }
        }
        CellSummary summary = CellSummary.of(CELL, DEFERRED, runs);
        assertEquals(3, summary.rounds());
        assertEquals(1, summary.failures());
        assertEquals(3, summary.against().get(Metric.THROUGHPUT).rounds());
        assertEquals(
                Comparison.Outcome.WORSE,
                summary.against().get(Metric.THROUGHPUT).outcome());
        assertTrue(StrategiesTable.render(report()).contains("deferred with 2 threads, 50us: 1 of 4 runs failed"));
    }

    @Test
    void theTableNamesTheWinnerOfEachCell() {
        for (int round = 1; round <= 3; round++) {
            ran(DEFERRED, round, 3_000, 1);
            ran(HSHR, round, 2_000, 1);
        }
        String table = StrategiesTable.render(report());
        List<String> lines = table.lines().toList();
        assertEquals("Requests/s", lines.get(0));
        assertTrue(lines.get(3).matches("2 +50us +3,000 +2,000 +1\\.50 deferred"), table);
        assertTrue(
                table.contains("throughput, deferred against hshr: deferred wins 1 (2x50us); hshr wins nowhere"),
                table);
        assertTrue(table.contains("1.000 to 1.000 ns in the 6 processes that have work: the same for all"), table);
        assertFalse(table.contains("quiet"), table);
    }

    @Test
    void processesThatDidNotDoTheSameWorkAreToldOf() {
        for (int round = 1; round <= 3; round++) {
            ran(DEFERRED, round, 3_000, 1);
            ran(HSHR, round, 2_000, 1.1);
        }
        String table = StrategiesTable.render(report());
        assertTrue(table.contains("their work differs by as much"), table);
    }

    @Test
    void aReportIsReadAsItWasWritten(@TempDir Path directory) throws IOException {
        ran(DEFERRED, 1, 3_000, 1);
        ran(HSHR, 1, 2_000, 1);
        failed(HSHR, 2);
        Path file = directory.resolve("report.json");
        JsonFile.write(report(), file);
        assertEquals(report(), JsonFile.read(file, StrategiesReport.class));
    }
}
