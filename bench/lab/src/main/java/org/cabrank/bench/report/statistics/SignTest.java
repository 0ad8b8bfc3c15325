package org.cabrank.bench.report.statistics;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * Computes the confidence interval of a median from order statistics, by the inverse of the sign test (W. R. Thompson, 1936; Conover,
 * <em>Practical Nonparametric Statistics</em>, section 3.2). The number of values above the true median is binomial, whatever the
 * distribution of the values. So the k-th smallest and the k-th largest of n values enclose the median with probability 1 - 2 P(B(n, 1/2)
 * &lt; k). The interval has the largest k for which this probability reaches the level.
 *
 * <p>The method assumes independent pairs. But the pairs of one round are from the same two processes, and each start of a process has its
 * own memory layout and compiler decisions. So the interval is too narrow. The interval of the baseline's second run shows the size of this
 * effect.
 */
public final class SignTest {

    private SignTest() {}

    /** For a {@code level} of 0.95, the interval is known if there are at least 6 ratios. */
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
