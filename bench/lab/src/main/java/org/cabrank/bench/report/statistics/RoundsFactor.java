package org.cabrank.bench.report.statistics;

import java.util.List;
import java.util.SortedMap;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Computes the factor between the values of two benches, and a confidence interval for the factor.
 *
 * <p>Each round counts as one observation: the median of the logarithms of its values. The values of a round are not independent, because
 * they are measured with the same processes. The interval is computed by Welch's t test (B. L. Welch, <em>The generalization of "Student's"
 * problem</em>, 1947), because the benches may differ in the number of rounds and in the variance.
 */
public final class RoundsFactor {

    /** The interval is known only if each bench has at least this number of rounds. */
    public static final int ROUNDS_MIN = 3;

    private RoundsFactor() {}

    /** Returns the ratio of {@code after} to {@code before}. The keys of both maps are rounds. */
    public static Interval of(
            SortedMap<Integer, List<Double>> before, SortedMap<Integer, List<Double>> after, double level) {
        if (!(level > 0 && level < 1)) {
            throw new IllegalArgumentException("the level is " + level + ", expected more than 0 and less than 1");
        }
        check(before);
        check(after);
        double[] old = centres(before);
        double[] now = centres(after);
        double difference = Mean.of(now).getAsDouble() - Mean.of(old).getAsDouble();
        int rounds = Math.min(old.length, now.length);
        if (rounds < ROUNDS_MIN) {
            return new Interval(Math.exp(difference), Double.NaN, Double.NaN, rounds);
        }
        double half = halfWidth(squaredError(old), old.length, squaredError(now), now.length, 1 - level);
        return new Interval(Math.exp(difference), Math.exp(difference - half), Math.exp(difference + half), rounds);
    }

    private static double halfWidth(double oldSquare, int oldRounds, double nowSquare, int nowRounds, double error) {
        double square = oldSquare + nowSquare;
        if (square == 0) {
            return 0;
        }
        double degrees =
                square * square / (oldSquare * oldSquare / (oldRounds - 1) + nowSquare * nowSquare / (nowRounds - 1));
        return TDistribution.of(degrees).inverseSurvivalProbability(error / 2) * Math.sqrt(square);
    }

    private static double squaredError(double... centres) {
        double deviation = StandardDeviation.of(centres).getAsDouble();
        return deviation * deviation / centres.length;
    }

    private static double[] centres(SortedMap<Integer, List<Double>> rounds) {
        return rounds.values().stream()
                .mapToDouble(values -> Medians.of(values.stream().map(Math::log).toList()))
                .toArray();
    }

    private static void check(SortedMap<Integer, List<Double>> rounds) {
        rounds.values().stream()
                .flatMap(List::stream)
                .filter(value -> !(value > 0))
                .findFirst()
                .ifPresent(value -> {
                    throw new IllegalArgumentException("a value is " + value + ", expected more than 0");
                });
    }
}
