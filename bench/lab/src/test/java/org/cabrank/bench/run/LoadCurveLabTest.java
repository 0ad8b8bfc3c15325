package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.handler.TimeSpread;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.LoadCurve;
import org.cabrank.bench.report.Target;
import org.cabrank.bench.scenario.LoadCurveCells;
import org.cabrank.bench.scenario.Scenarios;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Latency against load, with real processes, beside the computed curves. */
@InSoak
@Once
@Timeout(300)
final class LoadCurveLabTest {

    private static final long MEAN_NS = 1_000_000;

    @Test
    void measuredTimesStandBesideComputedOnes(@TempDir Path directory) throws Exception {
        LabBench lab = LabBench.of(
                directory,
                Scenarios.LOAD_CURVE,
                LoadCurveCells.of(List.of(TimeSpread.CONSTANT), List.of(80), MEAN_NS, 64));
        assertTrue(lab.run(1, Contenders.named("cabrank-epoll-deferred")), lab::text);
        BenchReport report = lab.report();
        LoadCurve curve = report.loadCurve();
        assertEquals(LoadCurveCells.SERVERS, curve.servers());
        assertTrue(curve.wakeUpMeanNs() > 0 && curve.wakeUpMeanNs() <= curve.wakeUpP99Ns(), curve.toString());
        for (CellInfo cell : report.scenarios().get(0).cells()) {
            double handlerUs = (MEAN_NS + curve.wakeUpMeanNs()) / 1e3;
            assertEquals(cell.rateShare() * curve.servers() * 1e6 / handlerUs, cell.ratePerSecond(), 1);
            LoadCurve.Point point = curve.point(cell.id()).orElseThrow();
            assertEquals(handlerUs, point.sharedQueue().p50Us(), 0.5 * handlerUs);
            assertTrue(point.sharedQueue().p99Us() < point.queuePerServer().p99Us(), point.toString());
            for (ContenderResult result : report.cell(cell.id()).orElseThrow().contenders()) {
                // A histogram keeps three digits.
                assertTrue(result.latency().p50Us() > 0.99 * MEAN_NS / 1e3, result.toString());
            }
        }
        assertTrue(
                report.targets().stream()
                        .anyMatch(target -> target.name().equals("Price of the pool, constant")
                                && target.outcome() != Target.Outcome.NOT_MEASURED),
                report.targets().toString());
        String page = Files.readString(lab.json().resolveSibling("report.html"));
        assertTrue(page.contains("<section id=\"load-curve-constant\""));
        assertTrue(page.contains("M/G/4 (computed)"));
        assertTrue(lab.text().contains("4 x M/G/1"), lab.text());
    }

    @Test
    void aThreadRunsLaterThanItWantedTo() {
        WakeUp.Times times = WakeUp.ofThisThread(100_000);
        assertTrue(times.meanNs() > 1_000 && times.meanNs() <= 2 * times.p99Ns(), times.toString());
    }
}
