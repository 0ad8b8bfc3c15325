package org.cabrank.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ContenderSummaryTest {

    @Test
    void theRatioIsTheMedianOverRoundsOfBothInTheSameRound() {
        // The machine got slower: the ratio of the medians would be 250/200, yet b was never 1.25 times a.
        List<RunRecord> runs = List.of(
                Runs.good(1, "a", 400),
                Runs.good(1, "b", 600),
                Runs.good(2, "a", 200),
                Runs.good(2, "b", 250),
                Runs.good(3, "a", 100),
                Runs.good(3, "b", 200));
        assertEquals(1.5, ContenderSummary.of("b", "a", runs).ratio());
        assertEquals(1.0, ContenderSummary.of("a", "a", runs).ratio());
    }

    @Test
    void aRoundWithoutTheBaselineHasNoRatio() {
        List<RunRecord> runs =
                List.of(Runs.bad(1, "a"), Runs.good(1, "b", 900), Runs.good(2, "a", 100), Runs.good(2, "b", 200));
        assertEquals(2.0, ContenderSummary.of("b", "a", runs).ratio());
    }

    @Test
    void perRequestFiguresAreDividedByTheAnswers() {
        ContenderSummary summary = ContenderSummary.of("a", "a", List.of(Runs.good(1, "a", 1_000, 5_000_000, 20, 80)));
        assertEquals(1.0, summary.userUsPerRequest(), 1e-9);
        assertEquals(4.0, summary.systemUsPerRequest(), 1e-9);
        assertEquals(0.1, summary.switchesPerRequest(), 1e-9);
        assertEquals(2.0, summary.bytesPerRequest(), 1e-9);
        assertEquals(300.0, summary.startMs(), 1e-9);
        assertEquals(0.5, summary.loadBusy(), 1e-9);
    }

    @Test
    void ticksOfAllRoundsTogetherDivideTheCpuTime() {
        List<RunRecord> runs = List.of(
                Runs.good(1, "a", 1_000, 4_000_000, 0, 10),
                Runs.good(2, "a", 1_000, 4_000_000, 10, 10),
                Runs.good(3, "a", 1_000, 4_000_000, 0, 10));
        assertEquals(1.0, ContenderSummary.of("a", "a", runs).userUsPerRequest(), 1e-9);
        assertEquals(3.0, ContenderSummary.of("a", "a", runs).systemUsPerRequest(), 1e-9);
    }

    @Test
    void percentilesAreMediansAndTheMaximumIsTheHighest() {
        List<RunRecord> runs = List.of(Runs.good(1, "a", 10), Runs.good(2, "a", 30), Runs.good(3, "a", 20));
        ContenderSummary summary = ContenderSummary.of("a", "a", runs);
        assertEquals(20, summary.requestsPerSecond());
        assertEquals(10, summary.requestsPerSecondMin());
        assertEquals(30, summary.requestsPerSecondMax());
        assertEquals(2.0, summary.p50Us());
        assertEquals(4.0, summary.p99Us());
        assertEquals(6.0, summary.p999Us());
        assertEquals(12.0, summary.maxUs());
    }

    @Test
    void aContenderThatNeverRanHasFailuresAndNoFigures() {
        ContenderSummary summary = ContenderSummary.of("a", "b", List.of(Runs.bad(1, "a"), Runs.bad(2, "a")));
        assertEquals(0, summary.rounds());
        assertEquals(2, summary.failures());
        assertTrue(Double.isNaN(summary.requestsPerSecond()));
        assertTrue(Double.isNaN(summary.ratio()));
    }
}
