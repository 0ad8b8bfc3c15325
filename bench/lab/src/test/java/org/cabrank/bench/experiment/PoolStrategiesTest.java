package org.cabrank.bench.experiment;

import static org.cabrank.bench.experiment.Strategy.DEFERRED;
import static org.cabrank.bench.experiment.Strategy.EAGER;
import static org.cabrank.bench.experiment.Strategy.HSHR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.experiment.PoolStrategies.Cell;
import org.cabrank.bench.experiment.PoolStrategies.Variant;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.RunRecord.Calibration;
import org.cabrank.bench.report.Runs;
import org.cabrank.bench.run.RunnerSettings;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;

final class PoolStrategiesTest {

    private static final Cell CELL = new Cell(2, 50_000);
    private static final Variant DEFERRED_HERE = new Variant(CELL, DEFERRED);
    private static final Variant HSHR_HERE = new Variant(CELL, HSHR);

    private final List<VariantRun<Variant, RunRecord>> trials = new ArrayList<>();

    private static PoolStrategies.Settings settings(
            List<Strategy> strategies, List<Integer> threads, List<Long> workNs, int rounds) {
        RunnerSettings runs = new RunnerSettings(rounds, 1, 1, 4, 64, null, null, 0);
        return new PoolStrategies.Settings(
                strategies, threads, workNs, SlowRequests.NONE, 2_000_000, runs, 1_000_000_000L);
    }

    private void ran(Variant variant, int round, long answers, double nsPerStep) {
        String name = variant.strategy().label();
        RunRecord run = Runs.good(round, name, answers, 1_000_000_000, 20, 80);
        RunRecord calibrated =
                new RunRecord(round, 1, name, null, "", "", 1, new Calibration(nsPerStep, 0), run.measured());
        trials.add(new VariantRun<>(variant, round, 1, null, calibrated));
    }

    private String table() throws IOException {
        PoolStrategies experiment = new PoolStrategies(
                settings(List.of(DEFERRED, HSHR), List.of(2), List.of(50_000L), 3),
                new ExperimentOutput().to(Path.of("report.json")),
                Kernels.system());
        return ExperimentOutput.table(experiment, trials);
    }

    private Comparison compared(Figure<RunRecord> figure) {
        return new VariantRuns<>(trials).compare(DEFERRED_HERE, HSHR_HERE, figure);
    }

    @Test
    void roundsAreComparedWithTheirOwnReference() {
        long[] reference = {1_000, 10_000, 100_000};
        for (int round = 1; round <= 3; round++) {
            ran(DEFERRED_HERE, round, reference[round - 1] * 2, 1);
            ran(HSHR_HERE, round, reference[round - 1], 1);
        }
        Comparison throughput = compared(ServersExperiment.THROUGHPUT);
        assertEquals(2, throughput.advantage().min(), 1e-9);
        assertEquals(2, throughput.advantage().max(), 1e-9);
        assertEquals(Comparison.Outcome.BETTER, throughput.outcome());
    }

    @Test
    void lessLatencyIsBetter() {
        RunRecord slow = Runs.good(2, "a", 1_000);
        RunRecord fast = Runs.good(1, "a", 1_000);
        assertEquals(2, ServersExperiment.P99.advantage(fast, slow), 1e-9);
        assertEquals(2, ServersExperiment.THROUGHPUT.advantage(Runs.good(1, "a", 2_000), fast), 1e-9);
    }

    @Test
    void roundsThatFailedAreNotCompared() throws IOException {
        for (int round = 1; round <= 4; round++) {
            ran(HSHR_HERE, round, 1_000, 1);
            if (round == 2) {
                trials.add(new VariantRun<>(DEFERRED_HERE, round, 1, "ended", Runs.bad(round, "deferred")));
            } else {
                ran(DEFERRED_HERE, round, 500, 1);
            }
        }
        Comparison throughput = compared(ServersExperiment.THROUGHPUT);
        assertEquals(3, throughput.rounds());
        assertEquals(Comparison.Outcome.WORSE, throughput.outcome());
        assertTrue(table().contains("deferred with 2 threads, 50us: 1 of 4 runs failed"));
    }

    @Test
    void theTableNamesTheWinnerOfEachCell() throws IOException {
        for (int round = 1; round <= 3; round++) {
            ran(DEFERRED_HERE, round, 3_000, 1);
            ran(HSHR_HERE, round, 2_000, 1);
        }
        String table = table();
        List<String> lines = table.lines().toList();
        assertEquals("Requests/s", lines.get(0));
        assertTrue(lines.get(3).matches("2 +50us +3,000 +2,000 +1\\.50 deferred"), table);
        assertTrue(
                table.contains("throughput, deferred against hshr: deferred wins 1 (2x50us); hshr wins nowhere"),
                table);
        assertTrue(table.contains("1.000 to 1.000 ns in the 6 processes that have work: the same for all"), table);
        assertFalse(table.contains("their work differs"), table);
    }

    @Test
    void processesThatDidNotDoTheSameWorkAreReported() throws IOException {
        for (int round = 1; round <= 3; round++) {
            ran(DEFERRED_HERE, round, 3_000, 1);
            ran(HSHR_HERE, round, 2_000, 1.1);
        }
        assertTrue(table().contains("their work differs by as much"), table());
    }

    private static List<String> turns(PoolStrategies.Settings settings) {
        return settings.schedule().turns().stream()
                .map(turn -> turn.round() + "." + turn.position() + " "
                        + turn.variant().strategy().label() + " "
                        + turn.variant().cell())
                .toList();
    }

    @Test
    void everyRoundCoversTheGridAndCellsBeginWithAnotherStrategyEachTime() {
        assertEquals(
                List.of(
                        "1.1 deferred 2 threads, 0us",
                        "1.2 hshr 2 threads, 0us",
                        "1.1 deferred 2 threads, 50us",
                        "1.2 hshr 2 threads, 50us",
                        "2.1 hshr 2 threads, 0us",
                        "2.2 deferred 2 threads, 0us",
                        "2.1 hshr 2 threads, 50us",
                        "2.2 deferred 2 threads, 50us"),
                turns(settings(List.of(DEFERRED, HSHR), List.of(2), List.of(0L, 50_000L), 2)));
    }

    @Test
    void withOneThreadTheReactorRunsOnce() {
        assertEquals(
                List.of("1.1 eager 1 thread, 0us", "1.2 hshr 1 thread, 0us"),
                turns(settings(List.of(EAGER, DEFERRED, HSHR), List.of(1), List.of(0L), 1)));
    }
}
