package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.Percentiles;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.scenario.BlockingCells;
import org.cabrank.bench.scenario.Scenarios;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Handlers that block, with real processes: one for each contender, which changes its way to block from cell to cell. */
@InSoak
@Once
@Timeout(300)
final class BlockingLabTest {

    private static final long BLOCKED_NS = 2_000_000;
    private static final int PERMILLE = 200;

    private static LabBench lab;
    private static boolean wentWell;

    @BeforeAll
    static void measure(@TempDir Path directory) throws Exception {
        lab = LabBench.of(
                directory,
                Scenarios.BLOCKING,
                BlockingCells.of(List.of(PERMILLE), BLOCKED_NS, 8).stream()
                        .filter(cell ->
                                !cell.id().contains("burn") && !cell.id().contains("lock"))
                        .toList());
        wentWell = lab.run(1, Contenders.named("cabrank-epoll-deferred"), Contenders.named("nio"));
    }

    @Test
    void everyCellHasItsWayToBlockAndEachContenderItsRate() throws Exception {
        assertTrue(wentWell, lab::text);
        BenchReport report = lab.report();
        assertEquals(
                List.of("park", "native"),
                report.scenarios().get(0).cells().stream()
                        .map(CellInfo::slowWay)
                        .toList());
        assertTrue(report.scenarios().get(0).cells().stream().allMatch(CellInfo::ownRates));
        assertTrue(report.notes().stream().anyMatch(note -> note.startsWith("Rates are shares of each")));
        for (CellResult cell : report.cells()) {
            // One loop handles a fifth of its requests for 2 ms each: half of that is 1,250 a second, whatever the
            // machine.
            double loop = cell.contender("nio").orElseThrow().median(Metric.REQUESTS_PER_SECOND);
            assertTrue(loop > 10 && loop < 1_500, cell.cell() + ": " + loop + " requests/s\n" + lab.text());
        }
    }

    @Test
    void fastRequestsAreDistinguishedFromThoseThatBlocked() throws Exception {
        long allCount = 0;
        long slowCount = 0;
        for (RunRecord run : lab.report().runs()) {
            Histogram all = Percentiles.decode(run.measured().histogram());
            Histogram fast = Percentiles.decode(run.measured().fast().histogram());
            long slow = all.getTotalCount() - fast.getTotalCount();
            // Each request that is called slow took its time; a histogram keeps three digits.
            long late = all.getCountBetweenValues(BLOCKED_NS - BLOCKED_NS / 100, all.getHighestTrackableValue());
            assertTrue(slow <= late, slow + " slow, " + late + " late");
            allCount += all.getTotalCount();
            slowCount += slow;
        }
        assertTrue(slowCount > 0 && slowCount < allCount, slowCount + " slow of " + allCount);
    }

    @Test
    void thePageAndTheTableTellFastRequestsApart() throws Exception {
        String page = Files.readString(lab.json().resolveSibling("report.html"));
        assertTrue(page.contains("<section id=\"waiting\""), "no chart of the fast requests");
        assertTrue(lab.text().contains("fast p99.9"), lab.text());
        List<ContenderResult> results = lab.report().cells().get(0).contenders();
        assertTrue(results.stream().allMatch(result -> result.fastLatency() != null));
    }
}
