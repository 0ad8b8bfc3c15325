package org.cabrank.bench.report.statistics;

import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;

/**
 * The interval of a ratio that remains valid when the bench stops depending on what it has seen.
 *
 * <p>A round, in which every server is started anew, is one observation: the median of the logarithms of its pairs, so that an
 * outlying pair does no harm. The interval is Student's t over the rounds. Nothing is assumed of the pairs within a
 * round: they may depend on each other, as they share processes, layouts of memory and decisions of the compiler (Kalibera and
 * Jones, <em>Rigorous benchmarking in reasonable time</em>, 2013). Rounds may differ in variance, as quiet and busy minutes
 * do, and in their number of pairs: the interval is then too wide rather than too narrow, for an error of 8.3 % or less
 * (Ibragimov and M&uuml;ller, <em>t-statistic based correlation and heterogeneity robust inference</em>, 2010). Its error is the
 * part of the last look in {@link LookSchedule}.
 */
public final class RepeatedInterval {

    static final String METHOD = "Student's t over the medians of rounds, the error divided among the looks";

    private RepeatedInterval() {}

    /**
     * Returns the interval of the last look. Rounds after that look, of a bench that was ended early, count only if there was
     * no look at all; the interval is unknown then.
     *
     * @param ratiosByRound ratios of the pairs of each round, by the round's number from 1; all are above 0
     */
    public static Interval of(SortedMap<Integer, List<Double>> ratiosByRound, LookSchedule looks) {
        int look = ratiosByRound.isEmpty() ? 0 : looks.lookAfter(ratiosByRound.lastKey());
        SortedMap<Integer, List<Double>> seen =
                look == 0 ? ratiosByRound : ratiosByRound.headMap(looks.roundsBefore(look) + 1);
        double[] centres = centres(seen);
        int pairs = seen.values().stream().mapToInt(List::size).sum();
        if (look == 0 || centres.length < LookSchedule.ROUNDS_MIN) {
            return new Interval(
                    Math.exp(Medians.of(centres)), Double.NaN, Double.NaN, 1 - looks.error(), pairs, METHOD);
        }
        double mean = mean(centres);
        double half = halfWidth(deviation(centres), centres.length, looks.errorOf(look));
        return new Interval(
                Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half), 1 - looks.error(), pairs, METHOD);
    }

    /** Half of the interval's width, of logarithms, with {@code error} in both tails together. */
    public static double halfWidth(double deviation, int rounds, double error) {
        return StudentT.upperQuantile(error / 2, rounds - 1) * deviation / Math.sqrt(rounds);
    }

    /** The median of the logarithms of each round that has pairs. */
    public static double[] centres(SortedMap<Integer, List<Double>> ratiosByRound) {
        return ratiosByRound.values().stream()
                .filter(ratios -> !ratios.isEmpty())
                .mapToDouble(ratios ->
                        Medians.of(ratios.stream().mapToDouble(Math::log).toArray()))
                .toArray();
    }

    /** The standard deviation of a sample of two or more. */
    public static double deviation(double... values) {
        double mean = mean(values);
        double squares = IntStream.range(0, values.length)
                .mapToDouble(i -> (values[i] - mean) * (values[i] - mean))
                .sum();
        return Math.sqrt(squares / (values.length - 1));
    }

    private static double mean(double... values) {
        return IntStream.range(0, values.length)
                .mapToDouble(i -> values[i])
                .average()
                .orElse(Double.NaN);
    }
}
