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

    private static LoadCurve theory(double p99Us, long wakeUpP99Ns) {
        Times times = new Times(p99Us / 4, p99Us, 2 * p99Us, 0.01);
        return new LoadCurve(
                4,
                1_000,
                50_000,
                wakeUpP99Ns,
                CELLS.stream()
                        .map(cell -> new LoadCurve.Point(cell.id(), times, times))
                        .toList());
    }

    private static Target target(BenchReport report, LoadCurve curve) {
        List<Target> targets = LoadCurveTargets.of(SCENARIOS, report.cells(), curve);
        assertEquals(1, targets.size(), "80 % alone has a target");
        return targets.get(0);
    }

    @Test
    void p99MayBeTheFactorAndTheWakeUpTimeAboveTheory() {
        BenchReport report = report("cabrank-epoll-eager");
        double measuredUs = report.cell("load-curve/exponential-80%")
                .flatMap(cell -> cell.contender("cabrank-epoll-eager"))
                .orElseThrow()
                .latency()
                .p99Us();
        assertEquals(
                Outcome.REACHED, target(report, theory(measuredUs / 1.29, 0)).outcome());
        assertEquals(
                Outcome.MISSED, target(report, theory(measuredUs / 1.32, 0)).outcome());
        long wakeUpNs = Math.round(measuredUs * 0.1 * 1e3);
        Target forgiven = target(report, theory(measuredUs / 1.32, wakeUpNs));
        assertEquals(Outcome.REACHED, forgiven.outcome());
        assertEquals(1.32 * 0.9, forgiven.ratio(), 0.001);
        assertTrue(forgiven.words().startsWith("cabrank-epoll-eager with "), forgiven.words());
    }

    @Test
    void aLineForEachThreadIsNotThePool() {
        assertEquals(
                Outcome.NOT_MEASURED,
                target(report("cabrank-epoll-shards"), theory(100, 0)).outcome());
    }

    /** The load of a cell is a share of what handlers can do, and the report states the rate. */
    @Test
    void ratesAreSharesOfTheHandlersCapacity() {
        assertEquals(3_200, CELLS.get(1).ratePerSecond(), 0.001);
        assertTrue(LoadCurveCells.of(List.of(TimeSpread.CONSTANT), List.of(10), 1, 1).stream()
                .allMatch(Cell::wantsHandlersCapacity));
    }
}
