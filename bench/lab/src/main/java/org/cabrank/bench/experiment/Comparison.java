package org.cabrank.bench.experiment;

import java.util.List;
import java.util.Locale;
import org.cabrank.bench.report.Spread;

/**
 * Comparison of two variants by the advantages of the first in the rounds in which both ran; above 1 the first is better.
 * All experiments decide by {@link #RULE}.
 *
 * @param rounds number of rounds in which both succeeded
 */
public record Comparison(Spread advantage, int rounds) {

    static final int ROUNDS_MIN = 3;
    static final double MARGIN = 0.03;

    /** The one rule for "better". */
    static final String RULE = String.format(
            Locale.ROOT,
            "A side wins if it was better in every round, in at least %d rounds, and by %.0f %% or more in the median;"
                    + " everything else is no difference.",
            ROUNDS_MIN,
            MARGIN * 100);

    /** Outcome of a comparison. */
    public enum Outcome {
        BETTER,
        WORSE,
        NO_DIFFERENCE,
        TOO_FEW_ROUNDS
    }

    /** Compares by the advantages, one for each round. */
    static Comparison of(List<Double> advantages) {
        return new Comparison(Spread.of(advantages), advantages.size());
    }

    /** Decides by the rule. */
    public Outcome outcome() {
        if (rounds < ROUNDS_MIN) {
            return Outcome.TOO_FEW_ROUNDS;
        }
        if (advantage.min() > 1 && advantage.median() >= 1 + MARGIN) {
            return Outcome.BETTER;
        }
        // The same factor in the other direction.
        return advantage.max() < 1 && advantage.median() <= 1 / (1 + MARGIN) ? Outcome.WORSE : Outcome.NO_DIFFERENCE;
    }
}
