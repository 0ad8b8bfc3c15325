package org.cabrank.bench.report.target;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.cabrank.bench.handler.TimeSpread;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.LoadCurve;
import org.cabrank.bench.report.LoadCurve.Times;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.report.Target;
import org.cabrank.bench.report.Target.Outcome;
import org.cabrank.bench.report.fixture.MadeUp;
import org.cabrank.bench.report.fixture.MadeUp.Server;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.LoadCurveCells;
import org.junit.jupiter.api.Test;

final class LoadCurveTargetsTest {

    private static final List<CellInfo> CELLS =
            LoadCurveCells.of(List.of(TimeSpread.EXPONENTIAL), List.of(50, 80), 1_000_000, 64).stream()
                    .map(cell -> cell.info(4_000))
                    .toList();

    private static final List<ScenarioInfo> SCENARIOS =
            List.of(new ScenarioInfo("load-curve", "Latency against load.", CELLS));

    private static BenchReport report(String contender) {
        return new MadeUp(
                        1,
                        new Server(contender, ContenderKind.CABRANK, 1, 0.3, 4),
                        new Server(MadeUp.BASELINE, ContenderKind.JAVA, 1, 0.6, 1))
                .answersKept(500)
                .rounds(1, 1)
                .report(SCENARIOS);
    }

    private static LoadCurve theory(double tailUs, double accuracy) {
        Times times = new Times(tailUs / 4, tailUs / 2, tailUs, tailUs, 2 * tailUs, accuracy);
        return new LoadCurve(
                4,
                1_000,
                50_000,
                90_000,
                CELLS.stream()
                        .map(cell -> new LoadCurve.Point(cell.id(), 99, times, times))
                        .toList());
    }

    private static Target target(BenchReport report, LoadCurve curve) {
        List<Target> targets = LoadCurveTargets.of(SCENARIOS, report.cells(), curve);
        assertEquals(1, targets.size(), "80 % alone has a target");
        return targets.get(0);
    }

    private static double measuredUs(BenchReport report) {
        return report.cell("load-curve/exponential-80%")
                .flatMap(cell -> cell.contender(LoadCurveTargets.MODE))
                .orElseThrow()
                .latency()
                .p99Us();
    }

    @Test
    void theTailMayBeTheFactorAboveTheory() {
        BenchReport report = report(LoadCurveTargets.MODE);
        double measuredUs = measuredUs(report);
        Target reached = target(report, theory(measuredUs / 1.29, 0.0001));
        assertEquals(Outcome.REACHED, reached.outcome());
        assertEquals(1.29, reached.ratio(), 0.001);
        assertEquals(
                Outcome.MISSED,
                target(report, theory(measuredUs / 1.32, 0.0001)).outcome());
    }

    /** 500 latencies and 1,000 simulated ones: the noise is the root of three times the accuracy of the simulation. */
    @Test
    void noiseAcrossTheBarTellsNothing() {
        BenchReport report = report(LoadCurveTargets.MODE);
        Target target = target(report, theory(measuredUs(report) / 1.25, 0.1));
        assertEquals(Outcome.CANNOT_TELL, target.outcome());
        assertTrue(target.words().contains("± 17 %, which 19 times as many slices would tell"), target.words());
        assertEquals(
                Outcome.REACHED, target(report, theory(measuredUs(report), 0.1)).outcome());
    }

    /** A mode that turned out to be better must not take the place of the one that the target names. */
    @Test
    void anotherModeIsNotJudged() {
        for (String other : List.of("cabrank-epoll-eager", "cabrank-epoll-shards")) {
            assertEquals(
                    Outcome.NOT_MEASURED,
                    target(report(other), theory(100, 0.01)).outcome());
        }
    }

    /** Percentile 99 of bimodal times is on the step from short to long requests. */
    @Test
    void tailsOfBimodalTimesAreJudgedBetweenSteps() {
        double share = TimeSpread.BIMODAL.tailPercentile() / 100;
        double longShare = 1.0 / TimeSpread.LONG_IN;
        assertEquals(1 - longShare / 2, share, 1e-9);
        assertEquals(99, TimeSpread.EXPONENTIAL.tailPercentile());
    }

    /** The load of a cell is a share of what handlers can do, and the report states the rate. */
    @Test
    void ratesAreSharesOfTheHandlersCapacity() {
        assertEquals(3_200, CELLS.get(1).ratePerSecond(), 0.001);
        assertTrue(LoadCurveCells.of(List.of(TimeSpread.CONSTANT), List.of(10), 1, 1).stream()
                .allMatch(Cell::wantsHandlersCapacity));
    }
}
