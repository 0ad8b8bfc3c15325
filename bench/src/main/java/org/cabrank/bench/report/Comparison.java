package org.cabrank.bench.report;

import java.util.List;

/**
 * One of two that were measured against the other, by its advantages in the rounds in which both ran: above 1, it is better.
 *
 * <p>The rule: a side has won when it was better in every round, in at least {@link #ROUNDS_MIN} rounds, and by at least
 * {@link #MARGIN} in the median. All else is no difference.
 *
 * @param median of the advantages; NaN when there are none
 */
public record Comparison(double median, double min, double max, int rounds, Outcome outcome) {

    public static final int ROUNDS_MIN = 3;
    public static final double MARGIN = 0.03;

    /** Outcome of a comparison. */
    public enum Outcome {
        BETTER,
        WORSE,
        NO_DIFFERENCE,
        TOO_FEW_ROUNDS
    }

    /** Compares by the advantages, one for each round. */
    public static Comparison of(List<Double> advantages) {
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
            return Outcome.BETTER;
        }
        // The same factor in the other direction.
        return max < 1 && median <= 1 / (1 + MARGIN) ? Outcome.WORSE : Outcome.NO_DIFFERENCE;
    }
}
