package org.cabrank.bench.experiment;

import static org.cabrank.bench.experiment.Layouts.ONE_BY_TWO;
import static org.cabrank.bench.experiment.Layouts.TWO_BY_ONE;
import static org.cabrank.bench.experiment.Layouts.TWO_BY_TWO;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.report.RunRecord;
import org.junit.jupiter.api.Test;

final class RecommendationTest {

    private static final List<ServerLayout> ALL = List.of(TWO_BY_TWO, TWO_BY_ONE, ONE_BY_TWO);

    private final List<VariantRun<ServerLayout, RunRecord>> runs = new ArrayList<>();

    private void ran(ServerLayout layout, long p999Us, long... answers) {
        for (int round = 1; round <= answers.length; round++) {
            runs.add(Layouts.ran(layout, round, answers[round - 1], p999Us));
        }
    }

    private Recommendation<ServerLayout> recommendation() {
        return new Recommendation.Search<>(
                        new VariantRuns<>(runs),
                        ServersExperiment.THROUGHPUT,
                        ServersExperiment.P999,
                        ServerLayout.SIMPLEST_FIRST,
                        ServerLayout::split)
                .among("epoll", ALL);
    }

    @Test
    void whoBeatsAllOthersInThroughputIsRecommended() {
        ran(ONE_BY_TWO, 500, 1_000, 900, 1_100);
        ran(TWO_BY_ONE, 900, 1_500, 1_350, 1_650);
        ran(TWO_BY_TWO, 500, 1_400, 1_250, 1_540);
        Recommendation<ServerLayout> recommendation = recommendation();
        assertEquals(TWO_BY_ONE, recommendation.chosen());
        assertTrue(recommendation.reason().startsWith("2x1, by throughput: "), recommendation.reason());
        assertTrue(recommendation.reason().contains("1.50 times better than 1x2"), recommendation.reason());
    }

    @Test
    void whereThroughputIsTheSameTheTailDecides() {
        ran(ONE_BY_TWO, 500, 1_000, 1_200, 1_000);
        ran(TWO_BY_ONE, 900, 1_100, 1_100, 1_100);
        ran(TWO_BY_TWO, 100, 500, 500, 500);
        Recommendation<ServerLayout> recommendation = recommendation();
        assertEquals(ONE_BY_TWO, recommendation.chosen());
        assertTrue(recommendation.reason().contains("by its tail"), recommendation.reason());
        assertTrue(recommendation.reason().contains("1.80 times better than 2x1"), recommendation.reason());
    }

    @Test
    void whereNothingDiffersItIsSaidAndTheSimplestIsTaken() {
        for (ServerLayout layout : ALL) {
            ran(layout, 500, 1_000, 1_000, 1_000);
        }
        Recommendation<ServerLayout> recommendation = recommendation();
        assertEquals(ONE_BY_TWO, recommendation.chosen());
        assertTrue(recommendation.reason().contains("no difference seen"), recommendation.reason());
    }

    @Test
    void fewRoundsDecideNothing() {
        ran(ONE_BY_TWO, 500, 1_000, 1_000);
        ran(TWO_BY_ONE, 500, 2_000, 2_000);
        assertNull(recommendation().chosen());
        assertTrue(
                recommendation().reason().contains("undecided"),
                recommendation().reason());
    }

    @Test
    void whatFailedIsNotRecommended() {
        ran(ONE_BY_TWO, 500, 1_000, 1_000, 1_000);
        ran(TWO_BY_TWO, 900, 900, 900, 900);
        for (int round = 1; round <= 3; round++) {
            runs.add(Layouts.failed(TWO_BY_ONE, round));
        }
        assertEquals(ONE_BY_TWO, recommendation().chosen());
    }
}
