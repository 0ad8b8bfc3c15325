package org.cabrank.bench.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.handler.BlockingWay;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BlockingTables;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.RunRecord.FastRequests;
import org.cabrank.bench.report.RunRecord.Latency;
import org.cabrank.bench.report.RunRecord.Measured;
import org.cabrank.bench.report.RunRecord.Usage;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.report.fixture.MadeUp;
import org.cabrank.bench.report.fixture.MadeUp.Server;
import org.cabrank.bench.scenario.BlockingCells;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.Scenarios;
import org.junit.jupiter.api.Test;

/** Short slices: p99.9 is that of all of them together, and a p99 is the median, which two slices with late requests do not change. */
@Once
final class BlockingPageTest {
    private static final String CABRANK = "cabrank-epoll-eager";
    private static final int SLICES = 9;
    private static final int REQUESTS = 400;
    private static final long USUAL_NS = 100_000;
    private static final long LATE_NS = 7_000_000;

    private final Cell cell = BlockingCells.of(List.of(BlockingWay.PARK), List.of(1), BlockingCells.TIME_NS, 0, 64)
            .get(0);
    private final BenchReport report = report();

    /** Thirty requests are late in two slices of the one contender, and one in each slice of the baseline. */
    private BenchReport report() {
        List<RunRecord> runs = new ArrayList<>();
        for (String contender : List.of(CABRANK, MadeUp.BASELINE)) {
            for (int slice = 1; slice <= SLICES; slice++) {
                int late = !contender.equals(CABRANK) ? 1 : slice <= 2 ? 30 : 0;
                runs.add(new RunRecord(1, 1, contender, null, "", "", 1, measured(late)).in(cell.id(), slice));
            }
        }
        return new MadeUp(
                        1,
                        new Server(CABRANK, ContenderKind.CABRANK, 1, 0.3, 4),
                        new Server(MadeUp.BASELINE, ContenderKind.JAVA, 1, 0.6, 1))
                .report(List.of(new ScenarioInfo(Scenarios.BLOCKING, "Who waits.", List.of(cell.info(0)))), runs);
    }

    private static Measured measured(int late) {
        Histogram latencies = new Histogram(3);
        latencies.recordValueWithCount(USUAL_NS, REQUESTS - late);
        if (late > 0) {
            latencies.recordValueWithCount(LATE_NS, late);
        }
        Latency latency = new Latency(
                latencies.getValueAtPercentile(50),
                latencies.getValueAtPercentile(99),
                latencies.getValueAtPercentile(99.9),
                latencies.getMaxValue(),
                latencies.getStdDeviation());
        Usage usage = new Usage(1_000_000, 0, 0, 1, 1, 1, 1, 1_000_000_000);
        return new Measured(
                REQUESTS,
                1_000_000_000,
                latency,
                usage,
                0,
                usage,
                text(latencies),
                Map.of(),
                null,
                null,
                null,
                new FastRequests(latency, text(latencies)),
                null);
    }

    private static String text(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    private ContenderResult result(String contender) {
        return report.cell(cell.id()).orElseThrow().contender(contender).orElseThrow();
    }

    @Test
    void pooledPercentilesAreThoseOfAllRequestsAndNotMediansOfSlices() {
        // 60 of 3,600 requests: late at p99; each slice but two has none.
        assertEquals(100, result(CABRANK).median(Metric.FAST_P99_US), 1);
        assertEquals(7_000, result(CABRANK).pooled(Metric.FAST_P99_US), 10);
        // 9 of 3,600, one in each slice: late at p99.9, on time at p99.
        assertEquals(100, result(MadeUp.BASELINE).pooled(Metric.P99_US), 1);
        assertEquals(7_000, result(MadeUp.BASELINE).pooled(Metric.P999_US), 10);
        assertEquals(
                result(CABRANK).median(Metric.REQUESTS_PER_SECOND),
                result(CABRANK).pooled(Metric.REQUESTS_PER_SECOND));
    }

    @Test
    void typicalPercentilesAreMediansOfSlicesButForTheRarest() {
        assertEquals(100, result(CABRANK).typical(Metric.FAST_P99_US), 1);
        assertEquals(7_000, result(CABRANK).typical(Metric.FAST_P999_US), 10);
        assertEquals(7_000, result(MadeUp.BASELINE).typical(Metric.P999_US), 10);
    }

    @Test
    void tablesChartsAndTextShowThemAndSayIt() {
        Map<String, Object> card = BlockingCards.of(report).get(0);
        String table = card.get("table").toString();
        assertTrue(table.contains("medians of the slices; p99.9: of all slices together"), table);
        assertTrue(card.get("shows").toString().contains("p50 and p99 are medians of the slices"));
        String ours = table.substring(table.indexOf(CABRANK));
        assertTrue(ours.contains(">100<") && ours.contains(">7,0"), table);
        String text = BlockingTables.render(report);
        assertTrue(text.contains("p99: medians of the slices, p99.9: of all slices together"), text);
        ChartData.Result bar = ChartData.of(report).cells().get(0).results().get(0);
        assertEquals(100, bar.fast().get(1), 1);
        assertEquals(100, bar.p99(), 1);
        assertEquals(7_000, bar.p999(), 10);
        assertTrue(Results.tables(report).get(0).get("table").toString().contains(">7,0"));
    }

    @Test
    void withoutHistogramsTheMediansOfTheSlicesRemain() {
        ContenderResult whole = result(CABRANK);
        ContenderResult bare = new ContenderResult(
                whole.contender(),
                whole.runs(),
                whole.failures(),
                whole.values(),
                whole.ratios(),
                null,
                null,
                whole.perRequest(),
                null,
                whole.startMs(),
                whole.serverBusy(),
                whole.loadBusy(),
                whole.compilerShare(),
                List.of(),
                null,
                null,
                null);
        for (Metric metric : Metric.values()) {
            assertEquals(bare.median(metric), bare.pooled(metric), metric.name());
        }
    }
}
