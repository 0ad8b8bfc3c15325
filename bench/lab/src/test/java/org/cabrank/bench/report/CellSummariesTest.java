package org.cabrank.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.fixture.MadeUp;
import org.cabrank.bench.report.fixture.MadeUp.Server;
import org.cabrank.bench.report.statistics.Interval;
import org.cabrank.bench.report.statistics.Verdict;
import org.junit.jupiter.api.Test;

@Once
final class CellSummariesTest {

    private static final boolean SOAK = Long.getLong("cabrank.soak.seconds") != null;
    private static final Metric RATE = Metric.REQUESTS_PER_SECOND;
    private static final List<ScenarioInfo> ONE_CELL = List.of(new ScenarioInfo(
            "ping-pong",
            "What it shows.",
            List.of(MadeUp.cell("ping-pong/64x64B", "64 x 64 B", LoadTraffic.pingPong(64, 64)))));
    private static final Server BASELINE = new Server(MadeUp.BASELINE, ContenderKind.JAVA, 1, 0.6, 1);
    private static final Server CONTROL = new Server(MadeUp.CONTROL, ContenderKind.CONTROL, 1, 0.6, 1);

    @Test
    void theBaselineAgainstItselfShowsNoDifferenceNearlyAlways() {
        int seen = 0;
        int seeds = SOAK ? 200 : 50;
        for (int seed = 0; seed < seeds; seed++) {
            if (control(seed).verdict() != Verdict.NO_DIFFERENCE_SEEN) {
                seen++;
            }
        }
        assertTrue(seen <= 0.09 * seeds, seen + " of " + seeds + ", where one of 20 is to be expected at most");
    }

    @Test
    void fivePercentMoreAreSeenWhereTheNoiseIsOnePercent() {
        for (int seed = 0; seed < (SOAK ? 20 : 5); seed++) {
            CellResult cell = cell(seed, BASELINE, CONTROL, other(1.05));
            Ratio ratio = cell.contender("other").orElseThrow().ratios().get(RATE);
            assertEquals(Verdict.BETTER, ratio.verdict(), ratio.toString());
            assertEquals(1.05, ratio.interval().median(), 0.02);
        }
    }

    @Test
    void onePercentIsNotSeenWhereTheNoiseIsOnePercentAndSixPairsAreMade() {
        CellResult cell = new MadeUp(3, BASELINE, CONTROL, other(1.01))
                .rounds(3, 2)
                .report(ONE_CELL)
                .cells()
                .get(0);
        assertEquals(
                Verdict.NO_DIFFERENCE_SEEN,
                cell.contender("other").orElseThrow().ratios().get(RATE).verdict());
    }

    @Test
    void threePairsAreTooFew() {
        CellResult cell = new MadeUp(3, BASELINE, CONTROL, other(2))
                .rounds(3, 1)
                .report(ONE_CELL)
                .cells()
                .get(0);
        Ratio ratio = cell.contender("other").orElseThrow().ratios().get(RATE);
        assertEquals(Verdict.TOO_FEW_PAIRS, ratio.verdict());
        assertEquals(2, ratio.interval().median(), 0.1);
    }

    /** The machine changes by ten percent and more from slice to slice; who is compared was measured in the same one. */
    @Test
    void machineNoiseAffectsBothSidesAndNotTheRatio() {
        CellResult cell = cell(1, BASELINE, CONTROL, other(1.05));
        ContenderResult other = cell.contender("other").orElseThrow();
        Spread spread = other.values().get(RATE);
        Interval ratio = other.ratios().get(RATE).interval();
        assertTrue(spread.max() / spread.min() > 1.15, spread.toString());
        assertTrue(ratio.high() / ratio.low() < 1.08, ratio.toString());
    }

    @Test
    void aFailedRunMakesNoPair() {
        List<RunRecord> runs = List.of(
                Runs.good(1, MadeUp.BASELINE, 100),
                Runs.bad(1, "other"),
                Runs.bad(2, MadeUp.BASELINE),
                Runs.good(2, "other", 100),
                Runs.good(3, MadeUp.BASELINE, 100),
                Runs.good(3, "other", 150));
        ContenderResult other = new MadeUp(1, BASELINE, other(1))
                .report(ONE_CELL, runs)
                .cells()
                .get(0)
                .contender("other")
                .orElseThrow();
        assertEquals(1, other.ratios().get(RATE).interval().pairs());
        assertEquals(1.5, other.ratios().get(RATE).interval().median());
        assertEquals(1, other.failures());
        assertEquals(2, other.runs());
    }

    @Test
    void onlyRunsOfTheSameSliceMakeAPair() {
        List<RunRecord> runs = List.of(
                Runs.good(1, MadeUp.BASELINE, 100),
                Runs.good(1, MadeUp.BASELINE, 200).in(Runs.CELL, 2),
                Runs.good(1, "other", 300).in(Runs.CELL, 2));
        ContenderResult other = new MadeUp(1, BASELINE, other(1))
                .report(ONE_CELL, runs)
                .cells()
                .get(0)
                .contender("other")
                .orElseThrow();
        assertEquals(1.5, other.ratios().get(RATE).interval().median());
        assertEquals(1, other.ratios().get(RATE).interval().pairs());
    }

    @Test
    void aContenderThatOnlyFailedHasAResultWithoutFigures() {
        ContenderResult other = new MadeUp(1, BASELINE, other(1))
                .report(ONE_CELL, List.of(Runs.good(1, MadeUp.BASELINE, 100), Runs.bad(1, "other")))
                .cells()
                .get(0)
                .contender("other")
                .orElseThrow();
        assertEquals(0, other.runs());
        assertEquals(1, other.failures());
        assertTrue(other.values().isEmpty());
        assertTrue(other.ratios().isEmpty());
        assertNull(other.latency());
        assertNull(other.perRequest().userUs());
        assertTrue(Double.isNaN(other.median(RATE)));
    }

    @Test
    void percentilesAreThoseOfAllRunsTogether() {
        CellResult cell = cell(1, BASELINE, CONTROL);
        Percentiles latency = cell.contender(MadeUp.BASELINE).orElseThrow().latency();
        assertTrue(latency.p50Us() < latency.p99Us() && latency.p99Us() < latency.p999Us(), latency.toString());
        assertEquals(9 * 2_000, Percentiles.decode(latency.histogram()).getTotalCount());
    }

    @Test
    void costIsForEachRequestAndNullIfNotCounted() {
        PerRequest counted = cell(1, BASELINE, CONTROL)
                .contender(MadeUp.BASELINE)
                .orElseThrow()
                .perRequest();
        assertEquals(0.6, counted.userUs(), 0.05);
        PerRequest uncounted = new MadeUp(1, BASELINE)
                .report(ONE_CELL, List.of(Runs.good(1, MadeUp.BASELINE, 100)))
                .cells()
                .get(0)
                .contenders()
                .get(0)
                .perRequest();
        assertNull(uncounted.collections());
        assertEquals(0.1, uncounted.switches(), 1e-9);
    }

    @Test
    void aCellWithoutRunsIsNotInTheReport() {
        List<ScenarioInfo> scenarios = MadeUp.scenarios();
        BenchReport report = new MadeUp(1, BASELINE).report(scenarios, List.of(Runs.good(1, MadeUp.BASELINE, 100)));
        assertEquals(
                Set.of("ping-pong/64x64B"),
                report.cells().stream().map(CellResult::cell).collect(Collectors.toSet()));
    }

    @Test
    void withoutASecondBaselineThereIsNoNoiseFloor() {
        CellResult cell = cell(1, BASELINE, other(1.05));
        assertTrue(cell.noiseFloor().isEmpty());
        assertFalse(cell.contender("other").orElseThrow().ratios().isEmpty());
    }

    private static Ratio control(int seed) {
        return new MadeUp(seed, BASELINE, CONTROL)
                .answersKept(10)
                .report(ONE_CELL)
                .cells()
                .get(0)
                .contender(MadeUp.CONTROL)
                .orElseThrow()
                .ratios()
                .get(RATE);
    }

    private static Server other(double speed) {
        return new Server("other", ContenderKind.JAVA, speed, 0.6, 1);
    }

    private static CellResult cell(int seed, Server... servers) {
        return new MadeUp(seed, servers).report(ONE_CELL).cells().get(0);
    }
}
