package org.cabrank.bench.report.statistics;

import java.util.Arrays;
import java.util.List;

/**
 * By which factor one sample lies above another that it is not paired with: the median of all ratios between the two (Hodges
 * and Lehmann, 1963), and an interval from the rank sum test turned round (Mann and Whitney, 1947; Conover, <em>Practical
 * Nonparametric Statistics</em>, section 5.4), on logarithms. No distribution is assumed, but that the samples differ by a
 * factor only, and that all values are independent. Values of one session are not quite, which is why a difference that is
 * to count must also exceed what the baseline differs from itself.
 */
public final class RankSum {

    static final String METHOD = "ranks of both samples (Mann-Whitney, Hodges-Lehmann)";

    private RankSum() {}

    /**
     * {@code after} in terms of {@code before}; all are positive. Four of each are enough for a level of 0.95, five for 0.99.
     *
     * @throws IllegalArgumentException when the level is not between 0 and 1, or a value is not above 0
     */
    public static Interval factor(List<Double> before, List<Double> after, double level) {
        if (!(level > 0 && level < 1)) {
            throw new IllegalArgumentException("the level is " + level + ", expected more than 0 and less than 1");
        }
        double[] ratios = before.stream()
                .flatMapToDouble(old -> after.stream().mapToDouble(now -> checked(now) / checked(old)))
                .sorted()
                .toArray();
        int rank = rank(before.size(), after.size(), level);
        return new Interval(
                Medians.of(ratios),
                rank == 0 ? Double.NaN : ratios[rank - 1],
                rank == 0 ? Double.NaN : ratios[ratios.length - rank],
                level,
                Math.min(before.size(), after.size()),
                METHOD);
    }

    /** From 1, counted from both ends of all ratios; 0 when not even the smallest and the largest reach the level. */
    static int rank(int before, int after, double level) {
        double[] ways = waysBySum(before, after);
        double all = Arrays.stream(ways).sum();
        double outside = 0;
        int rank = 0;
        while (rank < ways.length / 2) {
            outside += 2 * ways[rank] / all;
            if (1 - outside < level) {
                break;
            }
            rank++;
        }
        return rank;
    }

    /** In how many orders of both samples exactly so many pairs have the later value below the earlier one. */
    private static double[] waysBySum(int before, int after) {
        // Gaussian binomial coefficients: a value more of the one sample lies below any number of the other.
        double[][] ways = new double[after + 1][];
        for (int size = 0; size <= after; size++) {
            ways[size] = new double[] {1};
        }
        for (int added = 1; added <= before; added++) {
            double[][] next = new double[after + 1][];
            for (int size = 0; size <= after; size++) {
                next[size] = new double[added * size + 1];
                if (size > 0) {
                    // The largest of all is of the one sample, or of the other.
                    for (int sum = 0; sum < next[size - 1].length; sum++) {
                        next[size][sum] += next[size - 1][sum];
                    }
                }
                for (int sum = 0; sum < ways[size].length; sum++) {
                    next[size][sum + size] += ways[size][sum];
                }
                if (size == 0) {
                    next[0] = new double[] {1};
                }
            }
            ways = next;
        }
        return ways[after];
    }

    private static double checked(double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException("a value is " + value + ", expected more than 0");
        }
        return value;
    }
}
