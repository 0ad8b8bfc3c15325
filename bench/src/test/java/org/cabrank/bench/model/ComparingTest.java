package org.cabrank.bench.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.shards.Arrangement;
import org.cabrank.bench.shards.ArrangementSummary;
import org.cabrank.bench.shards.ShardsReport;
import org.cabrank.bench.shards.Split;
import org.cabrank.stream.AcceptMode;
import org.junit.jupiter.api.Test;

/** A measurement that was made up so that it is known what the model has to say of it. */
final class ComparingTest {

    private static final Costs FREE = new Costs(0, 0, 0, 0, 0, 0, 0, 0, 0);
    private static final ModelSettings SETTINGS = new ModelSettings(List.of(1), 64, 1, 0, 0, 0, 0, 2_000_000, 100, 1);

    private static ArrangementSummary summary(String split, double perSecond, double serverUs, double loadBusy) {
        return new ArrangementSummary(
                new Arrangement("epoll", Split.parse(split), AcceptMode.DISPATCH, Arrangement.UNPINNED),
                3,
                0,
                perSecond,
                perSecond,
                perSecond,
                1,
                2,
                3,
                4,
                serverUs,
                0,
                0,
                1,
                1,
                0,
                0,
                0,
                "",
                1,
                loadBusy);
    }

    private static ShardsReport report(String loadCpus, List<ArrangementSummary> summary) {
        return new ShardsReport(
                ShardsReport.FORMAT,
                "",
                true,
                List.of(),
                Map.of(),
                new BenchReport.Machine("", "", "", "", 1),
                new BenchReport.Jvm("", "", "", List.of()),
                new BenchReport.Cpus("0-1", loadCpus, loadCpus.equals("0-1"), ""),
                new ShardsReport.Settings(3, 1, 1, 64, 64, 2, 0, 0, 0, 2_000_000),
                Map.of(),
                "",
                summary,
                List.of(),
                List.of());
    }

    /** A request costs 10 us in the server, and 40 us in a generator on two cores of its own: that is the limit of two shards. */
    @Test
    void theOneWithTheFewestThreadsGivesTheCostsAndTheOthersArePredicted() {
        List<ModelReport.Check> checks = Comparing.with(
                report("2-3", List.of(summary("2x1", 60_000, 99, 9), summary("1x1", 50_000, 10, 2))), FREE, SETTINGS);
        ModelReport.Check one = checks.get(0);
        ModelReport.Check two = checks.get(1);
        assertEquals("1x1 2x1", one.shards() + "x" + one.threads() + " " + two.shards() + "x" + two.threads());
        assertTrue(one.fitted());
        assertFalse(two.fitted());
        assertEquals(60_000, two.measuredPerSecond());
        assertEquals(2 * 1e9 / 40_000, one.modelPerSecond(), 500);
        assertEquals(2 * 1e9 / 40_000, two.modelPerSecond(), 500);
    }

    /** On the same two cores they have 50 us together for each request. */
    @Test
    void aLoadGeneratorOnTheServersCoresIsSimulatedThere() {
        List<ModelReport.Check> checks =
                Comparing.with(report("0-1", List.of(summary("2x1", 50_000, 10, 2))), FREE, SETTINGS);
        assertEquals(2 * 1e9 / 50_000, checks.get(0).modelPerSecond(), 500);
    }
}
