package org.cabrank.bench.report.statistics;

import java.util.Arrays;
import java.util.List;

/**
 * The interval of a median from order statistics, which is the sign test turned round (W. R. Thompson, 1936; Conover,
 * <em>Practical Nonparametric Statistics</em>, section 3.2): of n values each lies above the true median with
 * probability 1/2, so that the number above it is binomial, whatever the distribution of the values. The k-th smallest and
 * the k-th largest hold the median with probability 1 - 2 P(B(n, 1/2) &lt; k); k is the largest for which that reaches the
 * level. The same holds for ratios and for their logarithms.
 *
 * <p>Assumed is that the pairs are independent of each other and have one median. Pairs of one round are not quite: both
 * their processes are the same, and what differs from start to start (where memory came to lie, what was compiled how) is
 * the same in all of them. Within a round the interval is therefore narrower than it ought to be. That is what the
 * baseline's second run is for: it is a process of its own in every round, and its interval shows what starts alone do.
 */
public final class SignTest {

    static final String METHOD = "order statistics of the paired ratios (sign test)";

    private SignTest() {}

    /**
     * The median of {@code ratios}, with its interval where they are enough for {@code level}: 6 for 0.95.
     *
     * @throws IllegalArgumentException when the level is not between 0 and 1, or a ratio is not a number
     */
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
                level,
                sorted.length,
                METHOD);
    }

    /** From 1, counted from both ends; 0 when not even the smallest and the largest reach the level. */
    static int rank(int count, double level) {
        double outside = 0;
        double probability = Math.pow(0.5, count);
        int rank = 0;
        for (int below = 0; below < count / 2; below++) {
            outside += 2 * probability;
            if (1 - outside < level) {
                break;
            }
            rank = below + 1;
            probability *= (double) (count - below) / (below + 1);
        }
        return rank;
    }
}
