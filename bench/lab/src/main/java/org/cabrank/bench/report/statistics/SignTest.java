package org.cabrank.bench.report.statistics;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * The confidence interval of a median from order statistics, the inverse of the sign test (W. R. Thompson, 1936; Conover, <em>Practical
 * Nonparametric Statistics</em>, section 3.2). Each of n values lies above the true median with probability 1/2, so the number of values
 * above it is binomial, whatever the distribution of the values. The k-th smallest and the k-th largest value enclose the median with
 * probability 1 - 2 P(B(n, 1/2) &lt; k); k is the largest number for which this probability reaches the level. The method applies to ratios
 * and to their logarithms alike.
 *
 * <p>The method assumes that the pairs are independent and have one median. Pairs of one round share both processes, and thus everything
 * that differs from start to start (layout of memory, decisions of the compiler), so the interval within a round is too narrow. The
 * baseline's second run corrects for that: it is a separate process in every round, and its interval shows the effect of starts alone.
 */
public final class SignTest {

    private SignTest() {}

    /** The interval is known from 6 ratios on for a {@code level} of 0.95. */
    public static Interval interval(List<Double> ratios, double level) {
        if (!(level > 0 && level < 1)) {
            throw new IllegalArgumentException("the level is " + level + ", expected more than 0 and less than 1");
        }
        double[] sorted =
                ratios.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (Arrays.stream(sorted).anyMatch(Double::isNaN)) {
            throw new IllegalArgumentException("a ratio is not a number: " + ratios);
        }
        int rank = rank(sorted.length, level);
        return new Interval(
                Medians.of(sorted),
                rank == 0 ? Double.NaN : sorted[rank - 1],
                rank == 0 ? Double.NaN : sorted[sorted.length - rank],
                sorted.length);
    }

    static int rank(int count, double level) {
        BinomialDistribution above = BinomialDistribution.of(count, 0.5);
        int rank = 0;
        while (rank < count / 2 && 1 - 2 * above.cumulativeProbability(rank) >= level) {
            rank++;
        }
        return rank;
    }
}
