package org.cabrank.bench.strategies;

import java.util.List;
import org.cabrank.bench.report.Statistics;

/**
 * One strategy against {@link Strategy#REFERENCE} in one cell, by the advantages of the rounds in which both ran: above 1,
 * the strategy is better.
 *
 * <p>The rule: a side has won when it was better in every round, in at least {@link #ROUNDS_MIN} rounds, and by at least
 * {@link #MARGIN} in the median. All else is no difference.
 *
 * @param median of the advantages; NaN when there are none
 */
public record Comparison(double median, double min, double max, int rounds, Outcome outcome) {

    public static final int ROUNDS_MIN = 3;
    public static final double MARGIN = 0.03;

    /** Who has won. */
    public enum Outcome {
        STRATEGY,
        REFERENCE,
        NO_DIFFERENCE,
        TOO_FEW_ROUNDS
    }

    static Comparison of(List<Double> advantages) {
        double median = Statistics.median(advantages);
        double min = Statistics.min(advantages);
        double max = Statistics.max(advantages);
        return new Comparison(median, min, max, advantages.size(), outcome(advantages.size(), median, min, max));
    }

    private static Outcome outcome(int rounds, double median, double min, double max) {
        if (rounds < ROUNDS_MIN) {
            return Outcome.TOO_FEW_ROUNDS;
        }
        if (min > 1 && median >= 1 + MARGIN) {
            return Outcome.STRATEGY;
        }
        // The same factor the other way round.
        return max < 1 && median <= 1 / (1 + MARGIN) ? Outcome.REFERENCE : Outcome.NO_DIFFERENCE;
    }
}
