package org.cabrank.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.cabrank.bench.experiment.Comparison.Outcome;
import org.junit.jupiter.api.Test;

final class ComparisonTest {

    private static Outcome outcome(Double... advantages) {
        return Comparison.of(List.of(advantages)).outcome();
    }

    @Test
    void whoIsBetterInEveryRoundWins() {
        assertEquals(Outcome.BETTER, outcome(1.01, 1.2, 1.3));
        assertEquals(Outcome.WORSE, outcome(0.99, 0.8, 0.7));
    }

    @Test
    void oneRoundTheOtherWayIsEnoughForNoDifference() {
        assertEquals(Outcome.NO_DIFFERENCE, outcome(1.5, 0.99, 1.5, 1.5, 1.5));
        assertEquals(Outcome.NO_DIFFERENCE, outcome(0.5, 1.01, 0.5, 0.5, 0.5));
        assertEquals(Outcome.NO_DIFFERENCE, outcome(1.0, 1.2, 1.3));
    }

    @Test
    void aLittleIsNoDifference() {
        assertEquals(Outcome.NO_DIFFERENCE, outcome(1.01, 1.029, 1.3));
        assertEquals(Outcome.BETTER, outcome(1.01, 1.03, 1.3));
        assertEquals(Outcome.NO_DIFFERENCE, outcome(0.99, 0.98, 0.5));
        assertEquals(Outcome.WORSE, outcome(0.99, 0.97, 0.5));
    }

    @Test
    void fewRoundsDecideNothing() {
        assertEquals(Outcome.TOO_FEW_ROUNDS, outcome(2.0, 2.0));
        assertEquals(Outcome.TOO_FEW_ROUNDS, outcome());
        assertTrue(Double.isNaN(Comparison.of(List.of()).advantage().median()));
    }
}
