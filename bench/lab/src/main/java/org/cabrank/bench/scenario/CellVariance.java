package org.cabrank.bench.scenario;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.Pairs;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.statistics.Interval;
import org.cabrank.bench.report.statistics.LookSchedule;
import org.cabrank.bench.report.statistics.RepeatedInterval;

/**
 * Variance of a cell's ratios so far, by the metric that answers the cell's question.
 *
 * @param rounds number of rounds in which the cell was measured
 * @param ratios number of ratios, with an interval or without one
 * @param precise number of these ratios whose interval is known and narrow enough
 * @param unknown the ratios without an interval, because a contender failed in too many rounds or no look has been taken
 * @param headline the ratio that the summary shows of the cell: of the best of Cabrank's modes and the best Java peer, or the widest where one
 *     of these is missing; null if its interval is not known
 * @param widest the ratio with the widest interval; null if no interval is known
 * @param target half of the width of an interval that is narrow enough, of logarithms
 */
record CellVariance(
        Cell cell,
        int rounds,
        int ratios,
        int precise,
        List<Versus> unknown,
        Width headline,
        Width widest,
        double target) {

    /** Variance of the logarithm of a median, in terms of that of a value: 1.57 for many values, less for few. */
    private static final double OF_MEDIAN = 1.25;

    /** Standard deviation between rounds that is assumed at least: an estimate from few rounds may be anything. */
    private static final double BETWEEN_MIN = 0.01;

    /** Two contenders, one in terms of the other. */
    record Versus(String one, String other) {

        String words() {
            return one + " : " + other;
        }
    }

    /**
     * Width of a ratio's interval.
     *
     * @param halfWidth half of the interval's width, of logarithms
     * @param roundsNeeded number of rounds in all until the interval is narrow enough, at the variance seen so far
     * @param within variance of the pairs within a round, of logarithms
     * @param between variance of the rounds beyond that, of logarithms
     */
    record Width(Versus versus, double halfWidth, double roundsNeeded, double within, double between) {}

    /**
     * Returns the variance of the cell's ratios.
     *
     * @param runs the cell's runs
     * @param headline one of {@code comparisons}; null if there is no such ratio
     * @param target half of the width of an interval that is narrow enough, of logarithms
     */
    static CellVariance of(
            Cell cell,
            List<RunRecord> runs,
            List<Versus> comparisons,
            Versus headline,
            LookSchedule looks,
            double target) {
        Metric metric = Metric.headline(cell.info(1));
        int rounds = (int) runs.stream()
                .filter(run -> run.slice() != RunRecord.COUNTING)
                .mapToInt(RunRecord::round)
                .distinct()
                .count();
        List<Width> known = new ArrayList<>();
        List<Versus> unknown = new ArrayList<>();
        for (Versus versus : comparisons) {
            Width width = of(versus, Pairs.byRound(runs, versus.one, versus.other, metric), looks, target);
            if (width == null) {
                unknown.add(versus);
            } else {
                known.add(width);
            }
        }
        Width widest =
                known.stream().max(Comparator.comparingDouble(Width::halfWidth)).orElse(null);
        return new CellVariance(
                cell,
                rounds,
                comparisons.size(),
                (int) known.stream().filter(each -> each.halfWidth <= target).count(),
                List.copyOf(unknown),
                headline == null
                        ? widest
                        : known.stream()
                                .filter(each -> each.versus.equals(headline))
                                .findFirst()
                                .orElse(null),
                widest,
                target);
    }

    /** Null if the interval is not known. */
    private static Width of(Versus versus, SortedMap<Integer, List<Double>> ratios, LookSchedule looks, double target) {
        Interval interval = RepeatedInterval.of(ratios, looks);
        if (!interval.known()) {
            return null;
        }
        double[] centres = RepeatedInterval.centres(ratios);
        double deviation = RepeatedInterval.deviation(centres);
        double within = within(ratios);
        double pairs = (double) ratios.values().stream().mapToInt(List::size).sum() / ratios.size();
        double between =
                Math.max(BETWEEN_MIN * BETWEEN_MIN, deviation * deviation - OF_MEDIAN * within / Math.max(1, pairs));
        return new Width(
                versus,
                Math.log(interval.high() / interval.low()) / 2,
                needed(deviation, looks.lookAfter(ratios.lastKey()), looks, target),
                within,
                between);
    }

    /** Variance within rounds, of all rounds together; 0 if no round has two pairs. */
    private static double within(SortedMap<Integer, List<Double>> ratios) {
        double squares = 0;
        int degrees = 0;
        for (List<Double> round : ratios.values()) {
            if (round.size() > 1) {
                double deviation = RepeatedInterval.deviation(
                        round.stream().mapToDouble(Math::log).toArray());
                squares += deviation * deviation * (round.size() - 1);
                degrees += round.size() - 1;
            }
        }
        return degrees == 0 ? 0 : squares / degrees;
    }

    /** Rounds in all; beyond the last look, where no interval is valid, those of a bench with more looks of that error. */
    private static double needed(double deviation, int lastLook, LookSchedule looks, double target) {
        for (int look = Math.max(1, lastLook); look <= looks.looks(); look++) {
            int rounds = looks.roundsBefore(look);
            if (RepeatedInterval.halfWidth(deviation, rounds, looks.errorOf(look)) <= target) {
                return rounds;
            }
        }
        double last = RepeatedInterval.halfWidth(deviation, looks.roundsMax(), looks.errorOf(looks.looks())) / target;
        return looks.roundsMax() * last * last;
    }

    /** Returns true if the headline's interval is narrow enough. */
    boolean headlinePrecise() {
        return headline != null && headline.halfWidth <= target;
    }

    /** Returns true if the headline's interval is narrow enough and no ratio is without an interval. */
    boolean settled() {
        return headlinePrecise() && unknown.isEmpty();
    }

    /** The ratio that decides on further rounds: the headline until its interval is narrow enough, then the widest. */
    private Width deciding() {
        return headline == null || headlinePrecise() ? widest : headline;
    }

    /** Number of rounds in all until the deciding ratio is narrow enough, at the variance seen so far. */
    double roundsNeeded() {
        return deciding().roundsNeeded;
    }

    /** Returns true if more rounds may make further ratios precise: those without an interval fail, and are likely to fail again. */
    boolean gainsByRounds() {
        return precise + unknown.size() < ratios;
    }

    /**
     * Returns the number of slices in a round that makes the most of the time: the root of the ratio of both costs times that
     * of both variances (Kalibera and Jones, <em>Rigorous benchmarking in reasonable time</em>, 2013, section 6).
     *
     * @param startNs the cell's part of the time in which servers start
     * @param sliceNs time of a slice
     */
    int slicesWorth(double startNs, double sliceNs, int least, int most) {
        double best = Math.sqrt(startNs / sliceNs * OF_MEDIAN * deciding().within / deciding().between);
        return (int) Math.max(least, Math.min(most, Math.round(best)));
    }
}
