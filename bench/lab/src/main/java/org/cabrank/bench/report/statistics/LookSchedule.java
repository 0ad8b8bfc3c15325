package org.cabrank.bench.report.statistics;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * Rounds after which the results of a bench are looked at, to decide what is measured next, and the probability of error that
 * each look may spend.
 *
 * <p>A bench that looks several times and stops when the result suits is wrong more often than a single interval's level says.
 * So the error is divided among the looks in advance (alpha spending: Lan and DeMets, 1983), and the interval of each look has
 * only its part of the error (repeated confidence intervals: Jennison and Turnbull, 1989). The parts add up to {@code error}, so the
 * probability that the interval of any look misses the truth is at most {@code error} by Bonferroni's inequality. This bound does not
 * depend on the reason for which a bench stops measuring a cell: at a narrow interval, when time is over, or as soon as an interval
 * shows a difference. Nor does the bound depend on how the looks are correlated. Look k of K spends the part 2k / (K (K + 1)): little in
 * the beginning, when few rounds say little anyway.
 *
 * @param firstRound number of rounds before the first look, at least 3
 * @param roundsBetween number of rounds from one look to the next
 * @param looks number of looks at most
 * @param error probability that the interval of any look misses the truth
 */
public record LookSchedule(int firstRound, int roundsBetween, int looks, double error) {

    /** Looks after 4, 6 and 8 rounds, with 5 % of error in all. */
    public static final LookSchedule STANDARD = new LookSchedule(4, 2, 3, 0.05);

    /** Minimum number of rounds for an estimate of their variance that is worth something. */
    static final int ROUNDS_MIN = 3;

    public LookSchedule {
        if (firstRound < ROUNDS_MIN || roundsBetween < 1 || looks < 1 || !(error > 0 && error < 1)) {
            throw new IllegalArgumentException(
                    "looks after " + firstRound + " rounds and then every " + roundsBetween + ", "
                            + looks + " in all, with an error of " + error
                            + ": expected 3, 1 and 1 or more, and an error between 0 and 1");
        }
    }

    /** Returns the number of the last look, from 1, of a bench with {@code rounds} rounds; 0 before the first look. */
    public int lookAfter(int rounds) {
        return rounds < firstRound ? 0 : Math.min(looks, 1 + (rounds - firstRound) / roundsBetween);
    }

    /** Returns true if a look follows round number {@code round}. */
    public boolean follows(int round) {
        int look = lookAfter(round);
        return look > 0 && roundsBefore(look) == round;
    }

    /** Returns the number of rounds before {@code look}, from 1. */
    public int roundsBefore(int look) {
        return firstRound + (look - 1) * roundsBetween;
    }

    /** Number of rounds before the last look. */
    @JsonIgnore
    public int roundsMax() {
        return roundsBefore(looks);
    }

    /** Returns the probability of error that {@code look}, from 1, may spend. */
    public double errorOf(int look) {
        return error * 2 * look / ((double) looks * (looks + 1));
    }
}
